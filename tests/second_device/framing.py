"""Frames, section 3: what is on the line between two zeros."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

VERSION: Final = 1
PAYLOAD_MAX: Final = 224
"""Bytes of payload in a frame."""

ENCODED_MAX: Final = 235
"""Bytes between two delimiters: 234 of the frame and one of COBS."""

_HEAD: Final = 6
_CHECK: Final = 4
_POLYNOMIAL: Final = 0x82F63B78


class Kind(IntEnum):
    OPEN = 1
    ACCEPT = 2
    DATA = 3
    ACK = 4
    NAK = 5
    RESET = 6


@dataclass(frozen=True)
class Frame:
    """One frame.

    Args:
        session: the host's number in the upper 8 bits, the device's in the lower.
        sequence: number of a ``DATA``, else 0.
        payload: 0 to 224 bytes.
    """

    kind: Kind
    session: int
    sequence: int = 0
    acknowledgement: int = 0
    payload: bytes = b""

    @property
    def host(self) -> int:
        return self.session >> 8

    @property
    def device(self) -> int:
        return self.session & 0xFF


@dataclass(frozen=True)
class Skipped:
    """Bytes that are no frame, with the reason of section 3: length, noise, truncated, bcc or type."""

    reason: str
    raw: bytes


class NotCobsError(ValueError):
    """The bytes are not COBS: a code points beyond their end, or is zero."""


def _table() -> tuple[int, ...]:
    entries = []
    for index in range(256):
        value = index
        for _ in range(8):
            value = (value >> 1) ^ (_POLYNOMIAL if value & 1 else 0)
        entries.append(value)
    return tuple(entries)


_TABLE: Final = _table()
_KINDS: Final = frozenset(int(kind) for kind in Kind)


def crc32c(data: bytes) -> int:
    """The check of section 3, 0 to 2³² − 1."""
    value = 0xFFFFFFFF
    for byte in data:
        value = (value >> 8) ^ _TABLE[(value ^ byte) & 0xFF]
    return value ^ 0xFFFFFFFF


def cobs(data: bytes) -> bytes:
    """Write each run between zeros as its length + 1 and the run.

    Raises:
        ValueError: a run of 254 bytes or more, which a frame never has.
    """
    out = bytearray()
    for run in data.split(b"\0"):
        if len(run) >= 254:
            message = f"a run of {len(run)} bytes without a zero does not occur in a frame"
            raise ValueError(message)
        out.append(len(run) + 1)
        out += run
    return bytes(out)


def uncobs(data: bytes) -> bytes:
    """Undo `cobs`.

    Raises:
        NotCobsError: as its name says.
    """
    runs: list[bytes] = []
    at = 0
    while at < len(data):
        end = at + data[at]
        if data[at] == 0 or end > len(data):
            message = f"code {data[at]:02X} at byte {at} of {len(data)} leads nowhere"
            raise NotCobsError(message)
        runs.append(data[at + 1 : end])
        at = end
    return b"\0".join(runs)


def encode(frame: Frame) -> bytes:
    """The bytes of a frame as on the line, with a zero before and after."""
    head = bytes((VERSION, frame.kind, frame.host, frame.device, frame.sequence, frame.acknowledgement))
    body = head + frame.payload
    return b"\0" + cobs(body + crc32c(body).to_bytes(_CHECK)) + b"\0"


def decode(raw: bytes) -> Frame | Skipped:
    """Read what stood between two zeros, by the tests of the page in their order."""
    if len(raw) > ENCODED_MAX:
        return Skipped("length", raw)
    try:
        body = uncobs(raw)
    except NotCobsError:
        return Skipped("noise", raw)
    if len(body) < _HEAD + _CHECK:
        return Skipped("truncated", raw)
    if crc32c(body[:-_CHECK]).to_bytes(_CHECK) != body[-_CHECK:]:
        return Skipped("bcc", raw)
    if body[0] != VERSION or body[1] not in _KINDS:
        return Skipped("type", raw)
    return Frame(
        kind=Kind(body[1]),
        session=int.from_bytes(body[2:4]),
        sequence=body[4],
        acknowledgement=body[5],
        payload=body[_HEAD:-_CHECK],
    )


class FrameReader:
    """Finds frames in bytes that come in any pieces; keeps 235 bytes at most."""

    def __init__(self) -> None:
        self._waiting = bytearray()
        self._too_long = False

    def feed(self, data: bytes) -> Iterator[Frame | Skipped]:
        """Give out frames, and what had to be skipped.

        Args:
            data: bytes as read.
        """
        pieces = data.split(b"\0")
        for index, piece in enumerate(pieces):
            yield from self._collect(piece)
            if index < len(pieces) - 1:
                if self._waiting:
                    yield decode(bytes(self._waiting))
                self._waiting.clear()
                self._too_long = False

    def line_lost(self) -> Skipped | None:
        """Forget what was begun, so that halves of two frames never join."""
        skipped = Skipped("truncated", bytes(self._waiting)) if self._waiting else None
        self._waiting.clear()
        self._too_long = False
        return skipped

    def _collect(self, piece: bytes) -> Iterator[Skipped]:
        if not self._too_long:
            self._waiting += piece
            if len(self._waiting) <= ENCODED_MAX:
                return
            piece = bytes(self._waiting)
            self._waiting.clear()
            self._too_long = True
        if piece:
            yield Skipped("length", piece)
