"""Progress of long work on a journal."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Watch(Protocol):
    """Looks on while entries, or lines, are dealt with."""

    def __call__(self, what: str, items: Iterable[T], total: int | None = None, /) -> Iterable[T]:
        """The entries, handed on unchanged."""


def unwatched(_what: str, items: Iterable[T], _total: int | None = None, /) -> Iterable[T]:
    """No progress is shown."""
    return items
