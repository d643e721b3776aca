"""The value of a hand of three cards (89/2004 arts. 4.º, 8.º)."""

from collections.abc import Sequence
from typing import Final

from regulations.events.cards import RANKS, Card, Rank, Suit, rank_of, suit_of
from regulations.games.q_poker.law import art
from regulations.games.q_poker.result import PokerCategory

CATEGORIES: Final[tuple[PokerCategory, ...]] = (
    "straight_flush",
    "three_of_a_kind",
    "straight",
    "flush",
    "pair",
    "odd_cards",
)
"""Art. 8.º, the highest first."""
_ACE, *_OTHERS = RANKS
RANK: Final[dict[Rank, int]] = {rank: n for n, rank in enumerate((*_OTHERS, _ACE))}
"""Art. 4.º-2: the ace the highest."""
LOWEST_SUIT_FIRST: Final[tuple[Suit, ...]] = ("D", "C", "H", "S")
SUIT: Final[dict[Suit, int]] = {suit: n for n, suit in enumerate(LOWEST_SUIT_FIRST)}
"""Art. 4.º-1."""
LOWEST_SEQUENCE: Final = (RANK["A"], RANK["3"], RANK["2"])
"""Art. 4.º-3: the one sequence with a low ace; its top card is the three (reading Q3)."""
QUEEN: Final = RANK["Q"]

Strength = tuple[int, ...]
"""Greater is higher; from one deck no two hands are equal (reading Q6)."""


def category_of(cards: Sequence[Card]) -> PokerCategory:
    """Art. 8.º."""
    kinds = len({rank_of(card) for card in cards})
    if kinds < len(cards):
        return "pair" if kinds > 1 else "three_of_a_kind"
    flush, sequence = len({suit_of(card) for card in cards}) == 1, _top_of_sequence(cards) is not None
    if flush:
        return "straight_flush" if sequence else "flush"
    return "straight" if sequence else "odd_cards"


def strength_of(cards: Sequence[Card]) -> Strength:
    """Art. 8.º, readings Q3 to Q5."""
    return (-CATEGORIES.index(category_of(cards)), *_within_category(cards))


def compared_by(one: Sequence[Card], other: Sequence[Card]) -> list[str]:
    category = category_of(one)
    if category != category_of(other):
        return [art("8.º")]
    first, second = _within_category(one), _within_category(other)
    decides = next(place for place, (mine, yours) in enumerate(zip(first, second, strict=True)) if mine != yours)
    rank = "4.º-3" if _top_of_sequence(one) is not None else "4.º-2"
    by = "4.º-1" if decides == len(first) - 1 else rank
    return [art(f"8.º-{CATEGORIES.index(category) + 1}"), art(by)]


def plays(cards: Sequence[Card]) -> bool:
    """A pair or better, or a queen or higher (art. 9.º-4, reading Q1)."""
    return category_of(cards) != "odd_cards" or RANK[rank_of(_downwards(cards)[0])] >= QUEEN


def _within_category(cards: Sequence[Card]) -> Strength:
    category, top = category_of(cards), _top_of_sequence(cards)
    if category == "pair":
        odd = _odd_card(cards)
        paired = next(card for card in cards if rank_of(card) != rank_of(odd))
        return (RANK[rank_of(paired)], RANK[rank_of(odd)], SUIT[suit_of(odd)])
    if top is not None:
        return (RANK[rank_of(top)], SUIT[suit_of(top)])
    ordered = _downwards(cards)
    return (*(RANK[rank_of(card)] for card in ordered), SUIT[suit_of(ordered[0])])


def _downwards(cards: Sequence[Card]) -> list[Card]:
    return sorted(cards, key=lambda card: RANK[rank_of(card)], reverse=True)


def _top_of_sequence(cards: Sequence[Card]) -> Card | None:
    ordered = _downwards(cards)
    high, middle, low = (RANK[rank_of(card)] for card in ordered)
    if (high, middle, low) == LOWEST_SEQUENCE:
        return ordered[1]
    return ordered[0] if (high - 1, high - 2) == (middle, low) else None


def _odd_card(cards: Sequence[Card]) -> Card:
    ranks = [rank_of(card) for card in cards]
    return next(card for card in cards if ranks.count(rank_of(card)) == 1)
