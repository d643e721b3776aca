"""The verdict on a round of three-card baccarat."""

from collections.abc import Iterator
from typing import ClassVar, Literal, get_args

from msgspec import Struct

from regulations.events.cards import Card
from regulations.events.results import HandShown, Result

ThreeCardOutcome = Literal["win", "lose", "tie"]


class ThreeCardBanker(Struct, frozen=True, kw_only=True):
    """The banker's hand: its ``combination`` (1 to 31), its ``points``; ``None`` for three figures."""

    cards: list[Card]
    combination: int
    points: int | None


class ThreeCardSeat(Struct, frozen=True, kw_only=True):
    """A seat's hand and how it compares with the banker's.

    Attributes:
        combination: number in the annex, 1 to 31.
    """

    seat: int
    cards: list[Card]
    combination: int
    outcome: ThreeCardOutcome


class ThreeCardResult(Result, frozen=True, kw_only=True, tag="result"):
    """The verdict on a round of three-card baccarat; the seats in order.

    Attributes:
        banker: the banker's hand.
    """

    OUTCOMES: ClassVar[tuple[str, ...]] = get_args(ThreeCardOutcome)

    banker: ThreeCardBanker
    seats: list[ThreeCardSeat]

    def shown(self) -> Iterator[HandShown]:
        bank = self.banker
        points = "three figures" if bank.points is None else str(bank.points)
        says = f"{points}, combination {bank.combination} ({{cards}})"
        yield HandShown("banker", bank.cards, says=says, points=bank.points)
        for one in self.seats:
            says = f"combination {one.combination} ({{cards}})"
            yield HandShown("seat", one.cards, one.seat, 1, says, outcome=one.outcome)
