"""A game as a campaign plays it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Final, NamedTuple

from regulations.events.cards import Card
from regulations.events.vocabulary import Cutter

NET: Final = "net "
"""Begins the name of a cell that counts money, in units, not rounds."""

Odds = Mapping[str, Fraction | float]
Decisions = dict[tuple[int, int], list[str]]


class WagerRead(NamedTuple):
    """The due pay of a wager of one unit, all hands of its seat together.

    Attributes:
        cell: what decides it.
        units: the net win; 0 also for a wager that stays on the table.
    """

    seat: int
    bet: str
    cell: str
    units: Fraction


class RoundRead(NamedTuple):
    """A round by its cards.

    Attributes:
        cards: how many leave the stack, from the first one that is dealt.
        cells: what is counted, each as often as it is named.
        decisions: of the bettors, by seat and hand.
        way: why it took as many cards.
    """

    cards: int
    cells: list[str]
    wagers: list[WagerRead]
    decisions: Decisions
    way: str


class PlayedGame(ABC):
    """A game, its wagers, its strategies and its exact odds.

    Attributes:
        behind: cards behind the cut card.
        rounds: the first rounds of a shoe that are counted: every shoe has them.
        wagers: one unit each, by seat.
        strategies: names; the first is the usual one. Empty: the game has no decisions.
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
        """The exact mean of each cell in a round; of `NET` cells, in units."""


def pip(card: str) -> int:
    """The pips of a card: ace 1, court cards 10."""
    rank = card[0]
    return 1 if rank == "A" else 10 if rank in "TJQK" else int(rank)


def by_rank(*cards: str) -> list[str]:
    """The cells of these cards' ranks."""
    return [f"rank {card[0]}" for card in cards]


def rank_odds(cards: int) -> dict[str, Fraction]:
    """The mean of each rank's cell among so many cards of a round."""
    return {f"rank {rank}": Fraction(cards, 13) for rank in "A23456789TJQK"}
