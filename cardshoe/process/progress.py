"""A progress bar on standard error, at a terminal only."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Final, Self, TypeVar

SHOWN_AFTER_S: Final = 2.0
DRAWN_EVERY_S: Final = 0.2
BAR: Final = 24
_DONE, _LEFT = "█", "░"
_CLEAR: Final = "\r\x1b[K"
_MINUTE_S: Final = 60
_HOUR_S: Final = 3600
FAST: Final = 10

T = TypeVar("T")


class Progress:
    """A bar with done, rate and time left; use in a ``with`` block.

    Shown after two seconds, not with ``TERM=dumb`` or ``CI``.

    Args:
        total: ``None``: unknown.
    """

    def __init__(
        self,
        what: str,
        total: int | None = None,
        *,
        unit: str = "entries",
        prints: bool = False,
        stream: IO[str] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._what: Final = what
        self._total = total
        self._unit: Final = unit
        self._stream: Final = sys.stderr if stream is None else stream
        self._clock: Final = clock
        self._is_wanted: Final = is_for_a_person(self._stream) and not (prints and sys.stdout.isatty())
        self._began_s: Final = clock()
        self._next_s = self._began_s + SHOWN_AFTER_S
        self._is_shown = False
        self.done = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def step(self, count: int = 1) -> None:
        """Add steps; by one thread at a time."""
        self.done += count
        if self._is_wanted and (now_s := self._clock()) >= self._next_s:
            self._next_s = now_s + DRAWN_EVERY_S
            self._draw(now_s - self._began_s)

    def reached(self, done: int, total: int | None = None) -> None:
        """Set the steps done, and perhaps another total."""
        if total is not None:
            self._total = total
        self.step(done - self.done)

    def over(self, items: Iterable[T]) -> Iterator[T]:
        """Yield the items, a step each."""
        for item in items:
            yield item
            self.step()

    def clear(self) -> None:
        """Remove the bar, as before a printed line."""
        if self._is_shown:
            self._stream.write(_CLEAR)
            self._stream.flush()
            self._is_shown = False

    def _draw(self, spent_s: float) -> None:
        width = _width_of(self._stream)
        # The cursor goes back, so that whatever else is printed begins at the left and writes over it.
        self._stream.write(f"{_CLEAR}{self.text(spent_s)[: width - 1]}\r")
        self._stream.flush()
        self._is_shown = True

    def text(self, spent_s: float) -> str:
        """The bar after so many seconds, above 0."""
        rate = self.done / spent_s
        rate_text = f"{rate:,.0f}/s" if rate >= FAST else f"{rate:.1f}/s"
        if not self._total:
            return f"{self._what}  {self.done:,} {self._unit}  {rate_text}"
        part = min(self.done / self._total, 1.0)
        bar = (_DONE * round(part * BAR)).ljust(BAR, _LEFT)
        left = f"  {duration((self._total - self.done) / rate)} left" if rate and self.done < self._total else ""
        return (
            f"{self._what} {bar} {int(part * 100)} %  {self.done:,} of {self._total:,} {self._unit}  {rate_text}{left}"
        )


def watched(
    what: str, items: Iterable[T], total: int | None = None, *, unit: str = "entries", prints: bool = False
) -> Iterator[T]:
    """Items with a :class:`Progress`, removed at the end."""
    with Progress(what, total, unit=unit, prints=prints) as bar:
        yield from bar.over(items)


def is_for_a_person(stream: IO[str]) -> bool:
    return stream.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("CI")


def duration(seconds: float) -> str:
    """``0:07``, ``12:30``, ``3:05:00``."""
    whole = round(seconds)
    hours, rest = divmod(whole, _HOUR_S)
    minutes, seconds_left = divmod(rest, _MINUTE_S)
    return f"{hours}:{minutes:02}:{seconds_left:02}" if hours else f"{minutes}:{seconds_left:02}"


def _width_of(stream: IO[str]) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except OSError:
        return 80
