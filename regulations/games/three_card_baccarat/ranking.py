"""The value of three cards: annex of 22/96/M (arts. 5.º to 7.º)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from regulations.events.cards import RANKS, Card, Rank, rank_of
from regulations.games.three_card_baccarat.law import CARDS_OF_A_HAND
from regulations.games.three_card_baccarat.result import ThreeCardOutcome

FIGURES: Final[frozenset[Rank]] = frozenset({"J", "Q", "K"})
"""A ten is no figure (annex, reading T3)."""
POINTS: Final[dict[Rank, int]] = {rank: min(n, 10) for n, rank in enumerate(RANKS, start=1)}
"""Arts. 5.º-1, 5.º-2: of a sum only the units count."""
HIGHEST_POINTS: Final = 9
THREE_FIGURES: Final = 1


class HandValue(NamedTuple):
    """The value of three cards.

    Attributes:
        combination: in the annex, 1 to 31, the highest first.
        points: ``None`` for three figures.
    """

    combination: int
    points: int | None


def hand_of(cards: Sequence[Card]) -> HandValue:
    """Art. 5.º, annex, readings T2 and T3."""
    figures = sum(rank_of(card) in FIGURES for card in cards)
    if figures == CARDS_OF_A_HAND:
        return HandValue(THREE_FIGURES, None)
    points = sum(POINTS[rank_of(card)] for card in cards) % 10
    # Below three figures the annex goes down by points, and among the same points by figures: two, one, none.
    better = CARDS_OF_A_HAND * (HIGHEST_POINTS - points) + (CARDS_OF_A_HAND - 1 - figures)
    return HandValue(THREE_FIGURES + 1 + better, points)


def outcome_of(hand: HandValue, banker: HandValue) -> ThreeCardOutcome:
    """Arts. 6.º, 7.º-1: a lower number is a higher combination."""
    if hand.combination == banker.combination:
        return "tie"
    return "win" if min(hand, banker, key=lambda one: one.combination) is hand else "lose"
