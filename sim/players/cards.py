"""The values of cards as players count them."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from regulations.events.cards import RANKS, Card, Rank, rank_of, suit_of

TEN: Final = 10
ACE: Final = 11
TWENTY_ONE: Final = 21
_QUEEN: Final = 12


class Total(NamedTuple):
    """Best points, and whether an ace counts 11."""

    points: int
    is_soft: bool


def value_of(card: Card) -> int:
    rank = rank_of(card)
    return ACE if rank == "A" else min(RANKS.index(rank) + 1, TEN)


def total_of(cards: Sequence[Card]) -> Total:
    points = sum(map(value_of, cards))
    aces = sum(rank_of(card) == "A" for card in cards)
    while points > TWENTY_ONE and aces:
        points -= TEN
        aces -= 1
    return Total(points, aces > 0)


def height_of(card: Card) -> int:
    """A card's rank, 2 to 14, the ace highest."""
    index = RANKS.index(rank_of(card))
    return index + 1 if index else len(RANKS) + 1


def ranks_of(cards: Sequence[Card]) -> list[Rank]:
    return [rank_of(card) for card in cards]


def is_special(cards: Sequence[Card]) -> bool:
    first = cards[:3]
    ranks = sorted(ranks_of(first))
    return ranks == ["7", "7", "7"] or (ranks == ["6", "7", "8"] and len({suit_of(card) for card in first}) == 1)


def is_queen_high_or_better(cards: Sequence[Card]) -> bool:
    """89/2004 art. 8.º, reading Q1."""
    heights = sorted(map(height_of, cards))
    if not heights or heights[-1] >= _QUEEN or len(set(heights)) < len(heights):
        return bool(heights)
    return heights[-1] - heights[0] == len(heights) - 1 or len({suit_of(card) for card in cards}) == 1
