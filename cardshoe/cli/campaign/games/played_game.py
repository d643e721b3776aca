"""A game as a campaign plays it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Final, NamedTuple

from regulations.events.cards import Card
from regulations.events.vocabulary import Cutter

NET: Final = "net "
"""Prefix of cells that count money in units, not rounds."""

Odds = Mapping[str, Fraction | float]
Decisions = dict[tuple[int, int], list[str]]


class WagerRead(NamedTuple):
    """The due pay of a wager of one unit; 0 also for a wager that stays on the table."""

    seat: int
    bet: str
    cell: str
    units: Fraction


class RoundRead(NamedTuple):
    cards: int
    cells: list[str]
    wagers: list[WagerRead]
    decisions: Decisions
    way: str


class PlayedGame(ABC):
    """A game, its wagers, strategies and exact odds.

    Attributes:
        behind: cards behind the cut card.
        rounds: counted first rounds; every shoe has them.
        strategies: default first; empty: no decisions.
    """

    game: ClassVar[str]
    decks: ClassVar[int] = 8
    behind: ClassVar[int]
    cut_by: ClassVar[Cutter] = "player"
    rounds: ClassVar[int]
    wagers: ClassVar[Sequence[tuple[int, str]]]
    options: ClassVar[Mapping[str, Any]] = {}
    strategies: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def read(self, cards: Sequence[Card], strategy: str) -> RoundRead:
        """Read a round from the coming cards of the stack."""

    @abstractmethod
    def odds(self, strategy: str) -> Odds:
        """Exact mean of each cell per round; `NET` cells in units."""


def pip(card: str) -> int:
    """Ace 1, court cards 10."""
    rank = card[0]
    return 1 if rank == "A" else 10 if rank in "TJQK" else int(rank)


def by_rank(*cards: str) -> list[str]:
    return [f"rank {card[0]}" for card in cards]


def rank_odds(cards: int) -> dict[str, Fraction]:
    return {f"rank {rank}": Fraction(cards, 13) for rank in "A23456789TJQK"}
