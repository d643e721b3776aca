"""The verdict on a blackjack round."""

from collections.abc import Iterator
from typing import ClassVar, Literal, get_args

from msgspec import UNSET, Struct, UnsetType

from regulations.events.cards import Card
from regulations.events.results import HandShown, Result, by_id

HandOutcome = Literal["win", "lose", "stand", "blackjack", "bust", "surrendered", "half_paid", "even_money", "special"]


class BlackjackCroupier(Struct, frozen=True, kw_only=True):
    """The croupier's hand: its best ``points``, whether it is a ``blackjack`` or ``bust``."""

    cards: list[Card]
    points: int
    blackjack: bool
    bust: bool


class BlackjackBettor(Struct, frozen=True, kw_only=True):
    """How one of several bettors on a hand ended."""

    id: int
    outcome: HandOutcome


class BlackjackHand(Struct, frozen=True, kw_only=True):
    """A seat's hand and how it ended.

    Attributes:
        points: best points.
        bettors: each bettor, if they ended differently.
    """

    seat: int
    hand: int
    cards: list[Card]
    points: int
    outcome: HandOutcome
    bettors: list[BlackjackBettor] | UnsetType = UNSET


class BlackjackResult(Result, frozen=True, kw_only=True, tag="result"):
    """The verdict on a blackjack round; the hands by seat, then by number.

    Attributes:
        croupier: the croupier's hand.
        hands: the seats' hands.
    """

    OUTCOMES: ClassVar[tuple[str, ...]] = get_args(HandOutcome)

    croupier: BlackjackCroupier
    hands: list[BlackjackHand]

    def shown(self) -> Iterator[HandShown]:
        bank = self.croupier
        extra = " BLACKJACK" if bank.blackjack else " bust" if bank.bust else ""
        yield HandShown("croupier", bank.cards, says=f"{bank.points}{extra} ({{cards}})", points=bank.points)
        for one in self.hands:
            says = f"{one.points} ({{cards}})"
            yield HandShown("seat", one.cards, one.seat, one.hand, says, one.points, one.outcome, by_id(one.bettors))
