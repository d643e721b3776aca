"""Which of two cards is higher (74/2005 art. 4.º): by rank alone, the ace highest."""

from typing import Final, Literal

from regulations.cards import RANKS, Card, Rank, rank_of

Comparison = Literal["higher", "equal", "lower"]
"""A player's card against the croupier's."""
STRENGTH: Final[dict[Rank, int]] = {rank: n for n, rank in enumerate((*RANKS[1:], RANKS[0]), start=2)}
"""Two to fourteen: pips their number, then jack, queen, king, ace."""


def compare(card: Card, croupier: Card) -> Comparison:
    """A player's card against the croupier's."""
    if rank_of(card) == rank_of(croupier):
        return "equal"
    return "higher" if STRENGTH[rank_of(card)] > STRENGTH[rank_of(croupier)] else "lower"
