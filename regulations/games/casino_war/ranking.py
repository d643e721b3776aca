"""Which of two cards is higher: by rank, ace highest (74/2005 art. 4.º)."""

from typing import Final, Literal

from regulations.events.cards import RANKS, Card, Rank, rank_of

Comparison = Literal["higher", "equal", "lower"]
RISING: Final[tuple[Rank, ...]] = (*RANKS[1:], RANKS[0])


def compare(card: Card, croupier: Card) -> Comparison:
    difference = RISING.index(rank_of(card)) - RISING.index(rank_of(croupier))
    return "higher" if difference > 0 else "lower" if difference < 0 else "equal"
