"""Results of rounds for all readers, a struct for each game; cards are open."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple, Protocol

from msgspec import UnsetType

from regulations.events.cards import Card
from regulations.events.line import Line
from regulations.events.vocabulary import Holder, Outcome


class HandShown(NamedTuple):
    """One hand of a result; ``seat`` and ``hand`` from 1, else 0; ``outcome`` empty: it has none."""

    owner: Holder
    cards: Sequence[Card]
    seat: int = 0
    hand: int = 0
    says: str = "{cards}"
    points: int | None = None
    outcome: str = ""
    bettors: Sequence[tuple[int, str]] = ()

    @property
    def endings(self) -> Sequence[tuple[int, str]]:
        """One entry for each bettor where they ended differently, else one for 0; empty without an outcome."""
        return self.bettors or ([(0, self.outcome)] if self.outcome else ())


class BettorOutcome(Protocol):
    @property
    def id(self) -> int:
        """The number on the seat."""

    @property
    def outcome(self) -> str:
        """How the hand ended for this bettor."""


def by_id(bettors: Sequence[BettorOutcome] | UnsetType) -> Sequence[tuple[int, str]]:
    return [] if isinstance(bettors, UnsetType) else [(one.id, one.outcome) for one in bettors]


class Result(Line, frozen=True, kw_only=True, tag="result"):
    """The verdict on a round, of any game."""

    OUTCOMES: ClassVar[tuple[str, ...]] = ()

    @property
    def headline(self) -> str:
        """The round in words, of a game with one verdict for all; else empty."""
        return ""

    @property
    def winner(self) -> Outcome | None:
        """The winning side, of a game that has two."""
        return None

    @abstractmethod
    def shown(self) -> Iterator[HandShown]:
        """Every hand; that of the croupier or banker first, then the seats' in order."""

    def outcomes(self) -> Iterator[str]:
        """One word for each hand, or for each bettor where those on it ended differently."""
        return (outcome for hand in self.shown() for _, outcome in hand.endings)
