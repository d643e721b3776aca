"""Duties of persons with a decision, where stakes are not recorded."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from regulations.events.outputs import Duty
from regulations.games.blackjack.law import art

INSURED: Final[Mapping[str, str]] = {
    "half_to_full": "an insurance is half to the whole of the wager",
    "half": "an insurance is half of the wager",
    "full": "an insurance is the whole of the wager",
}
"""By the option ``insurance`` (art. 12.º-1)."""
HIGHEST: Final = Duty(
    article=art("20.º-1"),
    says="of several bettors the highest wager decides; of equal ones the bettor who sits there",
)


def duties_of(actions: Sequence[str], options: Mapping[str, Any], *, several: bool) -> list[Duty]:
    duties = [HIGHEST] if several and options["decider"] == "highest" else []
    if "double" in actions:
        duties.append(Duty(article=art("17.º"), says="a doubled wager is twice the first"))
    if "split" in actions:
        duties.append(Duty(article=art("16.º-2"), says="each wager of a split equals the first"))
    if "insurance" in actions:
        duties.append(Duty(article=art("12.º-1"), says=INSURED[options["insurance"]]))
    return duties
