"""Which of two cards is higher (74/2005 art. 4.º): by rank alone, the ace highest."""

from typing import Final, Literal

from regulations.events.cards import RANKS, Card, Rank, rank_of

Comparison = Literal["higher", "equal", "lower"]
RISING: Final[tuple[Rank, ...]] = (*RANKS[1:], RANKS[0])
"""From the two to the ace."""


def compare(card: Card, croupier: Card) -> Comparison:
    """A player's card against the croupier's."""
    difference = RISING.index(rank_of(card)) - RISING.index(rank_of(croupier))
    return "higher" if difference > 0 else "lower" if difference < 0 else "equal"
