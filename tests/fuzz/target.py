"""A target: a check that takes any bytes, and the inputs from which the fuzzer sets out."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import cycle
from typing import Final

WHOLE: Final = b"\x00"
"""Before a seed of a stream: it comes in one piece."""
BYTEWISE: Final = b"\x01\x00"
"""Before a seed of a stream: it comes byte by byte."""
_SIZES_MAX: Final = 8
_PIECE_MAX: Final = 64


@dataclass(frozen=True, slots=True)
class Target:
    """Something that must take any input.

    Attributes:
        check: raises on whatever must not happen: an error that is not documented, memory without bound, a difference
            between what was read and what is written.
        max_bytes: length of an input at most.
        words: byte strings that mean something there, for the fuzzer to put in.
    """

    check: Callable[[bytes], None]
    seeds: Callable[[], Iterable[bytes]]
    short_runs: int = 200
    max_bytes: int = 512
    words: tuple[bytes, ...] = ()


class Supply:
    """Choices out of the fuzzer's bytes, from the front; an end of the bytes gives zeros."""

    def __init__(self, data: bytes) -> None:
        self._data: Final = data
        self._at = 0

    @property
    def is_left(self) -> bool:
        """True if there are more bytes."""
        return self._at < len(self._data)

    def number(self, size: int = 1) -> int:
        """A number of ``size`` bytes."""
        raw = self._data[self._at : self._at + size]
        self._at += size
        return int.from_bytes(raw.ljust(size, b"\0"), "big")

    def piece(self) -> bytes:
        """A byte that says how many, and so many bytes, 0 to 255."""
        size = self.number()
        raw = self._data[self._at : self._at + size]
        self._at += size
        return raw


def must(holds: object, what: str) -> None:
    """Assert where a plain ``assert`` would be taken for a misplaced ``pytest.raises``: about an error just caught."""
    assert holds, what


def pieces(data: bytes) -> list[bytes]:
    """Cut a stream as its first bytes say: how many sizes (0 to 7), then the sizes (1 to 64), used in turn."""
    count = data[0] % _SIZES_MAX if data else 0
    sizes = [1 + value % _PIECE_MAX for value in data[1 : 1 + count]]
    stream = data[1 + count :]
    if not sizes:
        return [stream]
    cut: list[bytes] = []
    turn = cycle(sizes)
    while stream:
        size = next(turn)
        cut.append(stream[:size])
        stream = stream[size:]
    return cut


def streams(*frames: bytes) -> list[bytes]:
    """Seeds for a target that cuts its input with ``pieces``: each frame alone, all together, and bytewise."""
    everything = b"".join(frames)
    return [*(WHOLE + frame for frame in frames), WHOLE + everything, BYTEWISE + everything]
