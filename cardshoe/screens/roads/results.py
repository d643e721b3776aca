"""Material of roads: results, and their counts."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from regulations.events.vocabulary import Outcome, Side

SIDES: Final[tuple[Side, ...]] = ("player", "banker")


def both(one: Iterable[Side], other: Iterable[Side]) -> tuple[Side, ...]:
    found = {*one, *other}
    return tuple(side for side in SIDES if side in found)


class RoundResult(Struct, frozen=True, kw_only=True):
    """A round's result, converted from a ``result`` of the table log.

    Attributes:
        round: from 1, rising, perhaps with gaps.
        natural: a hand had 8 or 9 with two cards.
    """

    round: int
    outcome: Outcome
    pairs: tuple[Side, ...] = ()
    natural: bool = False


class Counts(Struct, frozen=True, kw_only=True):
    """Rounds of the shoe game by outcome."""

    player: int = 0
    banker: int = 0
    tie: int = 0
    player_pair: int = 0
    banker_pair: int = 0
    natural: int = 0

    @classmethod
    def of(cls, results: Iterable[RoundResult]) -> "Counts":
        """Count these results."""
        listed = list(results)
        outcomes = [result.outcome for result in listed]
        return cls(
            player=outcomes.count("player"),
            banker=outcomes.count("banker"),
            tie=outcomes.count("tie"),
            player_pair=sum("player" in result.pairs for result in listed),
            banker_pair=sum("banker" in result.pairs for result in listed),
            natural=sum(result.natural for result in listed),
        )
