"""Detectable flaws: measured by ``python -m tests.cardshoe.analysis.powers``."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Power:
    """The power against one flaw, in shoes of eight decks with 400 seen cards.

    Attributes:
        in_one: of 100 shoes, those that show it alone: a wealth of 1,000, or a common run of 8.
        shoes: until 99 of 100 groups show it at 1 false alarm in 1,000; ``None``: never.
    """

    way: str
    name: str
    in_one: int
    shoes: int | None


POWERS: Final = (
    Power("never", "a shoe that was only cut", 100, 1),
    Power("slug:30", "30 cards kept in order", 100, 1),
    Power("slug:15", "15 cards kept in order", 96, 2),
    Power("slug:8", "8 cards kept in order", 90, 2),
    Power("riffle:4", "4 riffles", 100, 1),
    Power("riffle:5", "5 riffles", 96, 2),
    Power("riffle:6", "6 riffles", 2, 4),
    Power("riffle:7", "7 riffles", 0, 10),
    Power("shelf:10", "10 shelves", 100, 1),
    Power("shelf:20", "20 shelves", 40, 4),
    Power("shelf:38", "38 shelves", 0, 10),
    Power("stacks:38", "38 stacks, each in one direction", 96, 2),
    Power("two-shelf:10", "two passes of 10 shelves", 0, None),
    Power("random-stacks:38", "38 stacks, each in random order", 0, None),
)
