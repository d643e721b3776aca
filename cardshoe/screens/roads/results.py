"""The material of roads: results, and how often each came."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from regulations.events.vocabulary import Outcome, Side

SIDES: Final[tuple[Side, ...]] = ("player", "banker")


def both(one: Iterable[Side], other: Iterable[Side]) -> tuple[Side, ...]:
    """The sides that stand in either, each once."""
    found = {*one, *other}
    return tuple(side for side in SIDES if side in found)


class RoundResult(Struct, frozen=True, kw_only=True):
    """How a round ended. ``msgspec.convert`` makes one of a ``result`` of the table log.

    Attributes:
        round: its number, from 1, higher than the round before; numbers may be missing.
        natural: whether a hand had 8 or 9 with two cards.
    """

    round: int
    outcome: Outcome
    pairs: tuple[Side, ...] = ()
    natural: bool = False


class Counts(Struct, frozen=True, kw_only=True):
    """In how many rounds of the shoe game the player won, and so on."""

    player: int = 0
    banker: int = 0
    tie: int = 0
    player_pair: int = 0
    banker_pair: int = 0
    natural: int = 0

    @classmethod
    def of(cls, results: Iterable[RoundResult]) -> "Counts":
        """Counts these results."""
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
