"""Ways to shuffle: an ideal one, and flawed ones that an analysis must find."""

import random
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from regulations.events.cards import Card
from regulations.events.vocabulary import EquipmentKind

C = TypeVar("C")
Act = Callable[[Sequence[Card], random.Random], list[Card]]

IDEAL: Final = "uniform"
WAYS: Final = (
    IDEAL,
    "riffle:3",
    "shelf:10",
    "two-shelf:10",
    "stacks:38",
    "fifo:38",
    "random-stacks:38",
    "slug:15",
    "never",
    "sets:2",
    "seeds:16",
)
_DIGITS: Final = 5


def uniform(cards: Sequence[C], rng: random.Random) -> list[C]:
    mixed = list(cards)
    rng.shuffle(mixed)
    return mixed


def riffle(cards: Sequence[C], times: int, rng: random.Random) -> list[C]:
    """Cut in about half and interleave by the halves' sizes (GSR)."""
    mixed = list(cards)
    for _ in range(times):
        cut = sum(rng.getrandbits(1) for _ in mixed)
        left, right = deque(mixed[:cut]), deque(mixed[cut:])
        mixed = []
        while left or right:
            is_left = rng.randrange(len(left) + len(right)) < len(left)
            mixed.append((left if is_left else right).popleft())
    return mixed


def shelf(cards: Sequence[C], shelves: int, rng: random.Random) -> list[C]:
    """Each card above or below a random shelf's; the shelves in turn."""
    filled: list[deque[C]] = [deque() for _ in range(shelves)]
    for card in cards:
        to = rng.choice(filled)
        if rng.getrandbits(1):
            to.append(card)
        else:
            to.appendleft(card)
    return [card for one in filled for card in one]


def stacks(cards: Sequence[C], count: int, rng: random.Random, inside: str = "last") -> list[C]:
    """Each card onto any stack, the stacks in any order."""
    filled: list[list[C]] = [[] for _ in range(count)]
    for card in cards:
        rng.choice(filled).append(card)
    rng.shuffle(filled)
    for one in filled:
        if inside == "last":
            one.reverse()
        elif inside == "any":
            rng.shuffle(one)
    return [card for one in filled for card in one]


def slug(cards: Sequence[C], kept: int, rng: random.Random) -> list[C]:
    """All but some cards in a row, which go back as they were."""
    kept = min(kept, len(cards))
    begin = rng.randrange(len(cards) - kept + 1)
    rest = uniform([*cards[:begin], *cards[begin + kept :]], rng)
    at = rng.randrange(len(rest) + 1)
    return [*rest[:at], *cards[begin : begin + kept], *rest[at:]]


class Shuffling:
    """``way``: `IDEAL`, or a flaw with its number, ``riffle:3``."""

    def __init__(self, way: str = IDEAL) -> None:
        self.way: Final = way
        self._act: Final = _act_of(way)
        self._is_new = True

    @property
    def is_ideal(self) -> bool:
        return self.way == IDEAL

    def check(self, equipment: EquipmentKind) -> None:
        if equipment == "shuffler_dealer" and not self.is_ideal:
            raise ValueError("a shuffler-dealer deals any of its cards; it has no other way to shuffle")

    def __call__(self, cards: Sequence[Card], rng: random.Random) -> list[Card]:
        is_new, self._is_new = self._is_new, False
        return uniform(cards, rng) if is_new and not isinstance(self._act, _Sets) else self._act(cards, rng)


class _Sets:
    def __init__(self, count: int) -> None:
        self._count: Final = count
        self._aside: Final[deque[list[Card]]] = deque()
        self._seen = 0

    def __call__(self, cards: Sequence[Card], rng: random.Random) -> list[Card]:
        if self._seen:
            self._aside.append(list(cards))
        if self._seen < self._count:
            self._seen += 1
            return uniform(cards, rng)
        return self._aside.popleft()


class _Seeds:
    def __init__(self, count: int) -> None:
        self._count: Final = count

    def __call__(self, cards: Sequence[Card], rng: random.Random) -> list[Card]:
        return uniform(cards, random.Random(rng.randrange(self._count)))  # the flaw that is simulated


def _act_of(way: str) -> Act:
    name, _, text = way.partition(":")
    if way == IDEAL:
        return uniform
    if way == "never":
        return lambda cards, _: list(cards)
    number = int(text) if text.isascii() and text.isdigit() and len(text) < _DIGITS else 0
    numbered: dict[str, Callable[[int], Act]] = {
        "riffle": lambda times: lambda cards, rng: riffle(cards, times, rng),
        "shelf": lambda shelves: lambda cards, rng: shelf(cards, shelves, rng),
        "two-shelf": lambda shelves: lambda cards, rng: shelf(shelf(cards, shelves, rng), shelves, rng),
        "stacks": lambda count: lambda cards, rng: stacks(cards, count, rng, "last"),
        "fifo": lambda count: lambda cards, rng: stacks(cards, count, rng, "first"),
        "random-stacks": lambda count: lambda cards, rng: stacks(cards, count, rng, "any"),
        "slug": lambda kept: lambda cards, rng: slug(cards, kept, rng),
        "sets": _Sets,
        "seeds": _Seeds,
    }
    if name not in numbered or not number:
        raise ValueError(f"there is no way to shuffle that is called {way!r}")
    return numbered[name](number)
