"""Recorded stakes and their limits (55/2004 art. 14.º, reading G15)."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET

from regulations.events.inputs import Wager
from regulations.events.ranges import STAKE_MAX
from regulations.events.vocabulary import Bet
from regulations.law.game_law import Option, choice

TRACKED: Final = "tracked"
UNTRACKED: Final = "untracked"
UNIT: Final = 1
"""In place of a stake that is not recorded."""
OURS: Final = "reading G15"
NOT_TOLD: Final = "this table does not record stakes: a wager is its seat, bettor and bet"
BEYOND: Final = "the house sets what is put down on this bet"
DIFFERENCE: Final = "difference"
"""In ``limits``: how far player and banker may differ."""
_BOUNDS: Final = frozenset({"least", "most"})


def stakes_options(bets: Collection[Bet], *, limits: str = OURS, difference: bool = False) -> tuple[Option, ...]:
    words, is_word = choice(TRACKED, UNTRACKED)
    people, is_people = choice("one", "two")

    def are_limits(value: object) -> bool:
        return isinstance(value, dict) and all(
            _is_amount(bounds) if difference and bet == DIFFERENCE else bet in bets and _is_range(bounds)
            for bet, bounds in value.items()
        )

    return (
        Option(name="stakes", default=TRACKED, allowed=words, accepts=is_word, article=OURS),
        Option(
            name="limits",
            default={},
            allowed=f"for any of {', '.join(sorted(bets))}: least, most or both, 0 to {STAKE_MAX} minor units"
            + (f"; for {DIFFERENCE}: 0 to {STAKE_MAX} minor units" if difference else ""),
            accepts=are_limits,
            article=limits,
        ),
        Option(name="shoe_ended_by", default="one", allowed=people, accepts=is_people, article=OURS),
    )


def _is_amount(number: object) -> bool:
    return type(number) is int and 0 <= number <= STAKE_MAX


def _is_range(bounds: object) -> bool:
    if not isinstance(bounds, dict) or not bounds or not _BOUNDS.issuperset(bounds):
        return False
    numbers = list(bounds.values())
    whole = all(map(_is_amount, numbers))
    return whole and (len(bounds) < len(_BOUNDS) or bounds["least"] <= bounds["most"])


def are_recorded(options: Mapping[str, Any]) -> bool:
    return bool(options.get("stakes", TRACKED) == TRACKED)


def stake_of(wager: Wager) -> int:
    return UNIT if wager.stake is UNSET else wager.stake


def unexpected_stake(wagers: Sequence[Wager]) -> str | None:
    for wager in wagers:
        if wager.stake is not UNSET:
            return f"seat {wager.seat}, {wager.bet}: {wager.stake}; leave `stake` out"
    return None


def missing(wagers: Sequence[Wager]) -> str | None:
    for wager in wagers:
        if wager.stake is UNSET:
            return f"seat {wager.seat}, {wager.bet}: no `stake`"
        if wager.stake < 1:
            return f"seat {wager.seat}, {wager.bet}: {wager.stake} minor units"
    return None


def beyond(limits: Mapping[str, Any], wagers: Sequence[Wager]) -> str | None:
    if not limits:
        return None
    found = (beyond_limit(limits, wager.bet, stake_of(wager)) for wager in wagers)
    return next((f"seat {wager.seat}, {fault}" for wager, fault in zip(wagers, found, strict=True) if fault), None)


def beyond_limit(limits: Mapping[str, Any], bet: Bet, stake: int) -> str | None:
    bounds = limits.get(bet, {})
    least, most = bounds.get("least", stake), bounds.get("most", stake)
    if stake < least:
        return f"{bet}: {stake} minor units, the least is {least}"
    return f"{bet}: {stake} minor units, the most is {most}" if stake > most else None
