"""The verdicts on a round, one struct for each game; in the table log all of them are ``result``.

All cards are shown: by then every card of the round lies open, but for burned ones.
"""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from regulations.events.cards import Card
from regulations.events.line import Line
from regulations.events.vocabulary import Outcome, Side

HandOutcome = Literal["win", "lose", "stand", "blackjack", "bust", "surrendered", "half_paid", "even_money", "special"]
WarOutcome = Literal["win", "lose", "surrendered", "stands", "war_win", "war_tie", "war_lose"]
PokerOutcome = Literal["win", "lose", "folded", "not_qualified"]
PokerCategory = Literal["straight_flush", "three_of_a_kind", "straight", "flush", "pair", "odd_cards"]
"""89/2004 art. 8.º, the highest first."""
ThreeCardOutcome = Literal["win", "lose", "tie"]


class Result(Line, frozen=True, kw_only=True, tag="result"):
    """The verdict on a round, whichever game's."""


# --- baccarat --------------------------------------------------------------------------------------------------------


class HandsShown(Struct, frozen=True, kw_only=True):
    """The cards of both baccarat hands, in dealing order."""

    player: list[Card]
    banker: list[Card]


class Points(Struct, frozen=True, kw_only=True):
    """The points of both baccarat hands, 0 to 9."""

    player: int
    banker: int


class BaccaratResult(Result, frozen=True, kw_only=True, tag="result"):
    """The verdict on a baccarat round.

    Attributes:
        outcome: the winning hand, or ``tie``.
        points: both hands' points.
        cards: both hands' cards.
        natural: whether a hand had 8 or 9 with two cards.
        pairs: the hands whose first two cards have the same rank.
    """

    outcome: Outcome
    points: Points
    cards: HandsShown
    natural: bool
    pairs: list[Side]


# --- blackjack -------------------------------------------------------------------------------------------------------


class BlackjackCroupier(Struct, frozen=True, kw_only=True):
    """The croupier's hand: its cards in dealing order, its best points, blackjack or bust."""

    cards: list[Card]
    points: int
    blackjack: bool
    bust: bool


class BlackjackBettor(Struct, frozen=True, kw_only=True):
    """How one of several bettors on a hand ended."""

    id: int
    outcome: HandOutcome


class BlackjackHand(Struct, frozen=True, kw_only=True):
    """A seat's hand: its cards in dealing order, its best points, and how it ended.

    Attributes:
        bettors: where several bettors on the hand ended differently: each of them.
    """

    seat: int
    hand: int
    cards: list[Card]
    points: int
    outcome: HandOutcome
    bettors: list[BlackjackBettor] | UnsetType = UNSET


class BlackjackResult(Result, frozen=True, kw_only=True, tag="result"):
    """The verdict on a blackjack round; the hands by seat, then by number."""

    croupier: BlackjackCroupier
    hands: list[BlackjackHand]


# --- casino war ------------------------------------------------------------------------------------------------------


class WarBettor(Struct, frozen=True, kw_only=True):
    """How one of several bettors on a seat ended."""

    id: int
    outcome: WarOutcome


class WarSeat(Struct, frozen=True, kw_only=True):
    """A seat's card, how it ended, and the cards dealt to it on a challenge.

    Attributes:
        bettors: where several bettors on the seat ended differently: each of them.
    """

    seat: int
    card: Card
    outcome: WarOutcome
    war: list[Card] | UnsetType = UNSET
    bettors: list[WarBettor] | UnsetType = UNSET


class CasinoWarResult(Result, frozen=True, kw_only=True, tag="result"):
    """The verdict on a round of casino war.

    Attributes:
        croupier: the croupier's first card.
        seats: the seats in order.
        croupier_war: the croupier's cards on challenges: one, or one for each challenging seat in order.
    """

    croupier: Card
    seats: list[WarSeat]
    croupier_war: list[Card] | UnsetType = UNSET


# --- q poker ---------------------------------------------------------------------------------------------------------


class PokerCroupier(Struct, frozen=True, kw_only=True):
    """The croupier's hand, its category, and whether it plays (queen-high or better, reading Q1), by which article."""

    cards: list[Card]
    category: PokerCategory
    qualifies: bool
    article: str = ""


class PokerBettor(Struct, frozen=True, kw_only=True):
    """How one of several bettors on a seat ended."""

    id: int
    outcome: PokerOutcome


class PokerSeat(Struct, frozen=True, kw_only=True):
    """A seat's hand, its category, and how its ante ended.

    Attributes:
        cards: in dealing order.
        outcome: of the ante; absent where the seat has none.
        bettors: where several bettors on the seat ended differently: each of them.
        articles: where it is compared with a croupier's hand that plays: what decides which is higher. Of hands of one
            category its paragraph of art. 8.º, and that of art. 4.º: suit, rank, or sequence; else art. 8.º.
    """

    seat: int
    cards: list[Card]
    category: PokerCategory
    outcome: PokerOutcome | UnsetType = UNSET
    bettors: list[PokerBettor] | UnsetType = UNSET
    articles: list[str] | UnsetType = UNSET


class QPokerResult(Result, frozen=True, kw_only=True, tag="result"):
    """The verdict on a round of q poker; the seats in order."""

    croupier: PokerCroupier
    seats: list[PokerSeat]


# --- three-card baccarat ---------------------------------------------------------------------------------------------


class ThreeCardBanker(Struct, frozen=True, kw_only=True):
    """The banker's hand: its combination of the annex, 1 to 31, and its points; ``None`` for three figures."""

    cards: list[Card]
    combination: int
    points: int | None


class ThreeCardSeat(Struct, frozen=True, kw_only=True):
    """A seat's hand, its combination of the annex, and how it compares with the banker's."""

    seat: int
    cards: list[Card]
    combination: int
    outcome: ThreeCardOutcome


class ThreeCardResult(Result, frozen=True, kw_only=True, tag="result"):
    """The verdict on a round of three-card baccarat; the seats in order."""

    banker: ThreeCardBanker
    seats: list[ThreeCardSeat]
