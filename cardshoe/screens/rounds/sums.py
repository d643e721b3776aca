"""Totals of a round, and its search words."""

from collections.abc import Iterator

from msgspec import UNSET, Struct

from cardshoe.screens.rounds.parts import RoundFacts
from cardshoe.screens.view.law import result_of
from cardshoe.screens.view.parts import Profile, RoundView


class Sums(Struct, frozen=True, kw_only=True):
    """Totals in minor units; 0 if stakes are not recorded.

    Attributes:
        won: paid beyond stakes.
        returned: stakes of a void round.
        carried: stakes kept for the next round.
    """

    wagers: int = 0
    staked: int = 0
    won: int = 0
    lost: int = 0
    returned: int = 0
    carried: int = 0

    @property
    def house(self) -> int:
        """The casino's win."""
        return self.lost - self.won


def sums_of(found: RoundView) -> Sums:
    decided = [one for one in found.settled if not one.is_carried]
    nets = [one.net for one in decided if one.net is not UNSET]
    return Sums(
        wagers=len(found.settled) + len(found.returned),
        staked=sum(one.stake for one in decided if one.stake is not UNSET),
        won=sum(net for net in nets if net > 0),
        lost=-sum(net for net in nets if net < 0),
        returned=sum(one.stake for one in found.returned if one.stake is not UNSET),
        carried=sum(one.stake for one in found.settled if one.is_carried and one.stake is not UNSET),
    )


def tags_of(facts: RoundFacts, found: RoundView, profile: Profile) -> list[str]:
    """Search words: ``seat:3``, ``card:9H``, ``result:tie``, ``person:7001``; no undisclosed card."""
    return sorted(set(_tags(facts, found, profile)))


def _tags(facts: RoundFacts, found: RoundView, profile: Profile) -> Iterator[str]:
    yield from (f"seat:{seat}" for seat in found.seats)
    yield from (f"seat:{one.seat}" for one in found.wagers)
    yield from (f"card:{one.card}" for one in found.cards if one.card is not None)
    yield from (f"card:{one.card}" for one in found.burned if one.card is not None)
    yield from (f"card:{one.card}" for one in facts.drawn if one.card is not None)
    yield from (f"person:{one.person}" for one in facts.people)
    yield from (f"irregularity:{one.code}" for one in facts.occurrences if one.code)
    yield from (f"act:{one.kind}" for one in facts.acts)
    result = None if found.voided is not UNSET else result_of(profile, found.result)
    if result is not None:
        yield from (f"result:{outcome}" for outcome in result.outcomes())
        if result.winner is not None:
            yield f"result:{result.winner}"
    marks = {
        "void": found.voided is not UNSET,
        "counts": result is not None and not found.demonstration,
        "demonstration": found.demonstration,
        "open": not facts.is_over,
    }
    yield from (f"mark:{name}" for name, holds in marks.items() if holds)
