"""Cards as the table log writes them: rank, then suit (``TH``: ten of hearts)."""

from typing import Final, Literal, get_args

Rank = Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
Suit = Literal["S", "H", "D", "C"]
# A Literal rather than an Enum: msgspec checks it in C while it decodes, the JSON form is the value itself,
# and mypy refuses a misspelt card.
# fmt: off
Card = Literal[
    "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS",
    "AH", "2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "TH", "JH", "QH", "KH",
    "AD", "2D", "3D", "4D", "5D", "6D", "7D", "8D", "9D", "TD", "JD", "QD", "KD",
    "AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC", "JC", "QC", "KC",
]
# fmt: on

DECK: Final[tuple[Card, ...]] = get_args(Card)

RANKS: Final[tuple[Rank, ...]] = get_args(Rank)
SUITS: Final[tuple[Suit, ...]] = get_args(Suit)
CARDS_PER_DECK: Final = 52

_RANK: Final[dict[Card, Rank]] = {card: rank for card in DECK for rank in RANKS if card[0] == rank}
_SUIT: Final[dict[Card, Suit]] = {card: suit for card in DECK for suit in SUITS if card[1] == suit}
_CARD: Final[dict[tuple[Rank, Suit], Card]] = {(_RANK[card], _SUIT[card]): card for card in DECK}


def rank_of(card: Card) -> Rank:
    return _RANK[card]


def suit_of(card: Card) -> Suit:
    return _SUIT[card]


def card_of(rank: Rank, suit: Suit) -> Card:
    return _CARD[rank, suit]
