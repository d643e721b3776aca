"""The verdict on a round as all may read it; each game has its own struct, and in the log all of them are ``result``.

All cards are shown: by then every card of the round lies open, but for burned ones.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

from regulations.events.cards import Card
from regulations.events.line import Line
from regulations.events.vocabulary import Holder, Outcome


class HandShown(NamedTuple):
    """One hand of a result.

    Attributes:
        owner: whose cards they are.
        cards: in dealing order.
        seat: of a seat's hand: its number; else 0.
        hand: of a seat's hand: its number on the seat, from 1; else 0.
        says: the hand in words, with the places ``{cards}``, or ``{first}`` and ``{rest}``, for its cards.
        points: of the hand, if the result tells them.
        outcome: of the hand; empty: it has none.
        bettors: by id, if several bettors on the hand ended differently.
    """

    owner: Holder
    cards: Sequence[Card]
    seat: int = 0
    hand: int = 0
    says: str = "{cards}"
    points: int | None = None
    outcome: str = ""
    bettors: Sequence[tuple[int, str]] = ()


class Result(Line, frozen=True, kw_only=True, tag="result"):
    """The verdict on a round, whichever game's.

    Attributes:
        OUTCOMES: what may be the outcome of a hand.
    """

    OUTCOMES: ClassVar[tuple[str, ...]] = ()

    @property
    def headline(self) -> str:
        """The whole round in words, of a game that has one verdict for all; else empty."""
        return ""

    @property
    def winner(self) -> Outcome | None:
        """The winning side, of a game that has two."""
        return None

    @abstractmethod
    def shown(self) -> Iterator[HandShown]:
        """Every hand; that of the croupier or banker first, then the seats' in order."""

    def outcomes(self) -> Iterator[str]:
        """One word for all that were decided: each hand, or each bettor if those on it ended differently."""
        for hand in self.shown():
            if hand.bettors:
                yield from (outcome for _, outcome in hand.bettors)
            elif hand.outcome:
                yield hand.outcome
