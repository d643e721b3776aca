"""Progress of long work on a journal."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Watch(Protocol):
    """Shows progress over entries or lines."""

    def __call__(self, what: str, items: Iterable[T], total: int | None = None, /) -> Iterable[T]:
        """Yield the items unchanged."""


def unwatched(_what: str, items: Iterable[T], _total: int | None = None, /) -> Iterable[T]:
    return items
