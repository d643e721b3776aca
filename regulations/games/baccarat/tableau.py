"""Points, the third-card rules and the verdict (55/2004 arts. 5.º, 9.º, 11.º, 12.º)."""

from collections.abc import Sequence
from typing import Final

from regulations.events.cards import DECK, RANKS, Card, Rank, rank_of
from regulations.events.vocabulary import Outcome, Side

POINTS: Final[dict[Rank, int]] = {rank: min(n, 10) % 10 for n, rank in enumerate(RANKS, start=1)}
"""Art. 5.º: ace 1, pips their number, ten and court cards 0."""

_POINTS_OF: Final[dict[Card, int]] = {card: POINTS[rank_of(card)] for card in DECK}

BANKER_DRAWS_ON: Final[dict[int, frozenset[int]]] = {
    3: frozenset({0, 1, 2, 3, 4, 5, 6, 7, 9}),
    4: frozenset({2, 3, 4, 5, 6, 7}),
    5: frozenset({4, 5, 6, 7}),
    6: frozenset({6, 7}),
}
"""Art. 9.º-3(2) to (5): by banker's points, the third cards' points on which it draws."""

PLAYER_DRAWS_TO: Final = 5
BANKER_ALWAYS_DRAWS_TO: Final = 2
BANKER_DRAWS_ALONE_TO: Final = 5
NATURAL: Final = 8
INITIAL_CARDS: Final = 2


def points_of(cards: Sequence[Card]) -> int:
    """The sum modulo ten (art. 5.º)."""
    return sum(map(_POINTS_OF.__getitem__, cards)) % 10


def is_natural(cards: Sequence[Card]) -> bool:
    """Two cards that make 8 or 9 (art. 9.º-2)."""
    return len(cards) == INITIAL_CARDS and points_of(cards) >= NATURAL


def outcome_of(player: Sequence[Card], banker: Sequence[Card]) -> Outcome:
    """Arts. 11.º, 12.º."""
    players, bankers = points_of(player), points_of(banker)
    if players > bankers:
        return "player"
    return "banker" if bankers > players else "tie"


def pairs_of(player: Sequence[Card], banker: Sequence[Card]) -> list[Side]:
    """Hands whose first two cards have one rank (art. 13.º-4)."""
    hands: tuple[tuple[Side, Sequence[Card]], ...] = (("player", player), ("banker", banker))
    return [side for side, cards in hands if rank_of(cards[0]) == rank_of(cards[1])]


def burn_value(card: Card) -> int:
    """How many cards it burns besides itself: ace 1, 10 and court cards 10 (reading B2)."""
    return min(RANKS.index(rank_of(card)) + 1, 10)
