"""The verdict on a round of q poker."""

from collections.abc import Iterator
from typing import ClassVar, Literal, get_args

from msgspec import UNSET, Struct, UnsetType

from regulations.events.cards import Card
from regulations.events.results import HandShown, Result, by_id

PokerOutcome = Literal["win", "lose", "folded", "not_qualified"]
PokerCategory = Literal["straight_flush", "three_of_a_kind", "straight", "flush", "pair", "odd_cards"]
"""89/2004 art. 8.º, the highest first."""


class PokerCroupier(Struct, frozen=True, kw_only=True):
    """The croupier's hand: its ``category``, whether it ``qualifies`` (reading Q1), by which ``article``."""

    cards: list[Card]
    category: PokerCategory
    qualifies: bool
    article: str = ""


class PokerBettor(Struct, frozen=True, kw_only=True):
    """How one of several bettors on a seat ended."""

    id: int
    outcome: PokerOutcome


class PokerSeat(Struct, frozen=True, kw_only=True):
    """A seat's hand and how its ante ended.

    Attributes:
        category: category of the hand.
        bettors: each bettor, if they ended differently.
        articles: if compared with a croupier's hand that plays: what decides which is higher. Of hands of one category
            its paragraph of art. 8.º, and that of art. 4.º: suit, rank, or sequence; else art. 8.º.
    """

    seat: int
    cards: list[Card]
    category: PokerCategory
    outcome: PokerOutcome | UnsetType = UNSET
    bettors: list[PokerBettor] | UnsetType = UNSET
    articles: list[str] | UnsetType = UNSET


class QPokerResult(Result, frozen=True, kw_only=True, tag="result"):
    """The verdict on a round of q poker; the seats in order.

    Attributes:
        croupier: the croupier's hand.
    """

    OUTCOMES: ClassVar[tuple[str, ...]] = get_args(PokerOutcome)

    croupier: PokerCroupier
    seats: list[PokerSeat]

    def shown(self) -> Iterator[HandShown]:
        bank = self.croupier
        plays = "" if bank.qualifies else ", does not qualify"
        yield HandShown("croupier", bank.cards, says=f"{_words(bank.category)} ({{cards}}){plays}")
        for one in self.seats:
            outcome = "" if one.outcome is UNSET else one.outcome
            says = f"{_words(one.category)} ({{cards}})"
            yield HandShown("seat", one.cards, one.seat, 1, says, outcome=outcome, bettors=by_id(one.bettors))


def _words(category: PokerCategory) -> str:
    return category.replace("_", " ")
