"""The cards that a helper says were pulled, where he says so: a simulated device's control channel does."""

import re
from typing import Final

_DREW: Final = re.compile(r"\bdrew (.*)")
_CARD: Final = re.compile(r"\b([2-9TJQKA][SHDC])\b")


def cards_in(text: str) -> list[str]:
    """Return the cards that an answer such as ``drew 4S, TH`` names; none if it is no such answer."""
    found = _DREW.search(text)
    return _CARD.findall(found[1]) if found else []
