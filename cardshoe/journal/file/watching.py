"""How whoever waits for long work on a journal may look on: each entry passes by as it is dealt with."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Watch(Protocol):
    """Looks on while entries, or lines, are dealt with."""

    def __call__(self, what: str, items: Iterable[T], total: int | None = None, /) -> Iterable[T]:
        """The entries, handed on unchanged.

        Args:
            what: is done with them, in a word or two.
            items: the entries.
            total: how many they are.
        """


def unwatched(_what: str, items: Iterable[T], _total: int | None = None, /) -> Iterable[T]:
    """Nobody looks on."""
    return items
