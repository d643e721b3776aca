"""Standard input by line, in a thread that may be abandoned."""

import atexit
import contextlib
import errno
import sys
import termios
from collections.abc import Callable, Iterator
from typing import Any, Final, Protocol

LINE_MAX: Final = 65_536
_CHUNK: Final = 65_536


_GONE: Final = frozenset({errno.EIO, errno.ENXIO})


class _TypedLines(Protocol):
    def read(self, size: int, /) -> bytes | None:
        """Up to ``size`` available bytes; empty at the end."""


def typed_lines(say: Callable[[str], object]) -> Iterator[str]:
    """Typed lines; invalid UTF-8 is replaced.

    Read past Python's buffer, in which a waiting thread would abort the interpreter's end.
    """
    if sys.stdin is None:
        return
    with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as source:
        for line in lines_of(_Typed(source), say):
            yield line.decode("utf-8", "replace")


class _Typed:
    """Standard input that ends with its terminal."""

    def __init__(self, source: _TypedLines) -> None:
        self._source: Final = source

    def read(self, size: int, /) -> bytes | None:
        try:
            return self._source.read(size)
        except OSError as error:
            if error.errno not in _GONE:
                raise
            return b""


def lines_of(source: _TypedLines, say: Callable[[str], object]) -> Iterator[bytes]:
    kept, is_passed_over = b"", False
    while chunk := source.read(_CHUNK):
        *ended, rest = chunk.split(b"\n")
        for number, part in enumerate([*ended, rest]):
            kept = b"" if is_passed_over else kept + part
            if len(kept) > LINE_MAX:
                say(f"not taken: a line of more than {LINE_MAX} bytes. Type one event a line.")
                kept, is_passed_over = b"", True
            if number < len(ended):
                if not is_passed_over:
                    yield kept
                kept, is_passed_over = b"", False
    if kept:
        yield kept


class Echo:
    def __init__(self) -> None:
        self._before: list[Any] | None = None

    def show(self, *, is_shown: bool) -> None:
        """Show or hide typed input."""
        if is_shown:
            self._restore()
        elif self._before is None and sys.stdin is not None and sys.stdin.isatty():
            self._before = termios.tcgetattr(sys.stdin.fileno())
            silent = termios.tcgetattr(sys.stdin.fileno())
            silent[3] &= ~termios.ECHO
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, silent)
            atexit.register(self._restore)

    def _restore(self) -> None:
        if self._before is not None:
            with contextlib.suppress(OSError, termios.error, ValueError):
                termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, self._before)
            self._before = None
