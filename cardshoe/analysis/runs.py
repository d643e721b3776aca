"""Runs of cards that left a shuffle in their old order."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from cardshoe.analysis.order import UNKNOWN, Order
from cardshoe.analysis.tails import binomial_tail

EQUAL: Final = 12
"""Cards of a common run; from here two shoes count as shuffled alike."""
LOOSE: Final = 6
"""Cards by which a card of a loose run may have moved."""
WINDOW: Final = 24


class Run(NamedTuple):
    length: int
    chance: float


class RunSearch:
    def __init__(self, orders: Iterable[Order]) -> None:
        self._ends: Final[list[tuple[Order, int, dict[int, int]]]] = [
            (order, step, {}) for order in orders for step in (1, -1)
        ]
        self._beside: Final = [order.beside(step) for order, step, _ in self._ends]
        self._places: Final = sum(order.known for order, _, _ in self._ends)
        self._last = UNKNOWN
        self.longest = 0

    def see(self, face: int) -> None:
        """Add the next card; an unknown one ends all runs."""
        last, self._last = self._last, face
        for at, (order, step, lengths) in enumerate(self._ends):
            places = order.places[face] if face >= 0 else ()
            if places and not self.longest:
                self.longest = 1
            is_joined = last >= 0 and face in self._beside[at][last]
            if is_joined or lengths:
                faces, size = order.faces, order.size
                joined = [place for place in places if faces[(place - step) % size] == last] if is_joined else []
                longer = {place: lengths.get((place - step) % size, 1) + 1 for place in joined}
                self.longest = max(self.longest, min(order.known, max(longer.values(), default=0)))
                self._ends[at] = (order, step, longer)

    def chance(self, length: int, cards: int, decks: int) -> float:
        """Upper bound of the probability of such a run among so many new cards."""
        if not length:
            return 1.0
        stack = 52 * decks
        chance = float(self._places * cards)
        for card in range(length):
            chance *= min(1.0, decks / max(1, stack - card))
        return min(1.0, chance)


def common_run(orders: Iterable[Order], faces: Sequence[int], decks: int) -> Run:
    search = RunSearch(orders)
    for face in faces:
        search.see(face)
    return Run(search.longest, search.chance(search.longest, sum(face >= 0 for face in faces), decks))


class DensestBand(NamedTuple):
    cards: int
    chance: float


def band(order: Order, faces: Sequence[int]) -> DensestBand:
    size = order.size
    new = [face for face in faces if face >= 0]
    if len(new) < WINDOW or order.known < WINDOW:
        return DensestBand(0, 1.0)
    reach = 2 * LOOSE + 1
    most = 0
    for step in (1, -1):
        # A byte for each new card: whether its face lies on the line.
        lines = [bytearray(len(new)) for _ in range(size)]
        for index, face in enumerate(new):
            for place in order.places[face]:
                lines[(place - step * index) % size][index] = 1
        bits = [int.from_bytes(line, "little") for line in lines]
        for line in range(size):
            near = 0
            for there in range(line - LOOSE, line + LOOSE + 1):
                near |= bits[there % size]
            if near.bit_count() > most:
                most = max(most, *_windows(near).to_bytes(len(new) + 1, "little"))
    # A window of `reach` places shows so many of the 52 faces at most.
    tries = 2 * len(new) * size
    return DensestBand(most, min(1.0, tries * binomial_tail(WINDOW, min(1.0, reach / 52), most)))


def _windows(hits: int) -> int:
    """For each byte, the sum of `WINDOW` bytes from it on: of 8 and 16, each from sums of half as many."""
    for width in (1, 2, 4):
        hits += hits >> 8 * width
    return hits + (hits >> 8 * 8) + (hits >> 8 * 16)


def equal_shoes(shoes: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    first: dict[tuple[int, ...], int] = {}
    found: set[tuple[int, int]] = set()
    for number, faces in enumerate(shoes):
        for begin in range(len(faces) - EQUAL + 1):
            run = tuple(faces[begin : begin + EQUAL])
            if min(run) >= 0:
                before = first.setdefault(run, number)
                if before != number:
                    found.add((before, number))
    return sorted(found)
