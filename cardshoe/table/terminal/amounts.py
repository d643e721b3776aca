"""Amounts of the law's details in the table's currency.

The law counts minor units, so that journals replay to the same bytes.
"""

import re
from typing import Final

from cardshoe.screens.words.currency import Currency

_AMOUNT: Final = re.compile(
    r"(?P<units>-?\d+) minor units"
    r"|(?P<bound>the (?:least|most) is )(?P<limit>\d+)"
    r"|(?P<told>-?\d+)(?=; leave `stake` out)"
    r"|(?P<side>player |banker )(?P<stood>\d+)(?= and | stood in the tie)"
)


def amounts_in(currency: Currency, detail: str) -> str:
    """``tie: 50.00 MOP, the least is 100.00 MOP``."""

    def written(found: re.Match[str]) -> str:
        units = next(found[name] for name in ("units", "limit", "told", "stood") if found[name])
        return f"{found['bound'] or found['side'] or ''}{currency.text(int(units))} {currency.code}"

    return _AMOUNT.sub(written, detail)
