"""Frames in a stream of bytes (``docs/protocols/tdp.md``, section 3).

Every byte but delimiters is returned once, or waits in ``pending``, at most ``ENCODED_MAX``.
"""

import struct
from enum import IntEnum
from typing import Final

import msgspec
from fastcrc import crc32

from protocols.errors import EncodeError, FrameError, FrameReason
from protocols.garbage import Garbage

VERSION: Final = 1
"""Frames that open a session always carry 1, so that versions can be negotiated."""

DELIMITER: Final = b"\x00"
"""The one before a frame ends noise on the line."""

PAYLOAD_MAX: Final = 224
"""With header and check 234 bytes, below the 254 of COBS."""

SEQUENCES: Final = 1 << 8
"""Sixty windows, so that no delayed old frame looks new."""

HALF: Final = 1 << 8
"""Host's modulo 256, device's modulo 255; they repeat after 65280 sessions."""

SESSIONS: Final = HALF * HALF

_HEADER: Final = struct.Struct(">BBHBB")
_LONGEST_STEP: Final = 255
_STEPS: Final = [bytes([step]) for step in range(1, _LONGEST_STEP)]
_VERSION_AT: Final = 0
_KIND_AT: Final = 1
_CHECK_BYTES: Final = 4
_FRAME_MIN: Final = _HEADER.size + _CHECK_BYTES
_FRAME_MAX: Final = _FRAME_MIN + PAYLOAD_MAX

ENCODED_MAX: Final = _FRAME_MAX + 1
"""The longest frame and the byte of COBS."""


class FrameKind(IntEnum):
    OPEN = 1
    ACCEPT = 2
    DATA = 3
    ACK = 4
    NAK = 5
    RESET = 6


_KINDS: Final = {kind.value: kind for kind in FrameKind}


class Frame(msgspec.Struct, frozen=True):
    """One frame.

    Attributes:
        session: the host's half is the upper 8 bits.
        sequence: of ``DATA``, modulo 256; else 0.
        payload: 0 to 224 bytes.
    """

    kind: FrameKind
    session: int
    sequence: int = 0
    acknowledgement: int = 0
    payload: bytes = b""


def encode_frame(frame: Frame) -> bytes:
    """With both delimiters.

    Raises:
        EncodeError: a field is outside its range.
    """
    if len(frame.payload) > PAYLOAD_MAX:
        raise EncodeError(frame, f"its payload has {len(frame.payload)} bytes, more than {PAYLOAD_MAX}")
    try:
        header = _HEADER.pack(VERSION, frame.kind, frame.session, frame.sequence, frame.acknowledgement)
    except struct.error as error:
        raise EncodeError(frame, str(error)) from error
    covered = header + frame.payload
    return DELIMITER + _stuffed(covered + _check(covered)) + DELIMITER


def decode_frame(encoded: bytes) -> Frame:
    """The frame between two delimiters; the check is tested before the fields.

    Raises:
        FrameError: the bytes are not a frame.
    """
    if len(encoded) > ENCODED_MAX:
        raise FrameError(ENCODED_MAX, encoded, "length")
    raw = _unstuffed(encoded)
    if len(raw) < _FRAME_MIN:
        raise FrameError(len(raw), raw, "truncated")
    covered, check = raw[:-_CHECK_BYTES], raw[-_CHECK_BYTES:]
    if check != _check(covered):
        raise FrameError(len(covered), raw, "bcc")
    version, code, session, sequence, acknowledgement = _HEADER.unpack_from(covered)
    if version != VERSION:
        raise FrameError(_VERSION_AT, raw, "type")
    kind = _KINDS.get(code)
    if kind is None:
        raise FrameError(_KIND_AT, raw, "type")
    return Frame(kind, session, sequence, acknowledgement, covered[_HEADER.size :])


def _stuffed(raw: bytes) -> bytes:
    # COBS of at most 253 bytes: each run without a zero, and before it how far the next zero is.
    return b"".join([_STEPS[len(run)] + run for run in raw.split(DELIMITER)])


def _unstuffed(encoded: bytes) -> bytes:
    runs = []
    at, end = 0, len(encoded)
    while at < end:
        step = encoded[at]
        runs.append(encoded[at + 1 : at + step])
        at += step
        if not step:
            break
        # A run of 254 bytes has no zero behind it, and the last one has none either.
        if step < _LONGEST_STEP and at < end:
            runs.append(DELIMITER)
    if at != end or DELIMITER in encoded:
        raise FrameError(0, encoded, "noise")
    return b"".join(runs)


def _check(covered: bytes) -> bytes:
    return crc32.iscsi(covered).to_bytes(_CHECK_BYTES, "big")


class FrameDecoder:
    """``damaged`` counts runs between two delimiters that were no frame."""

    def __init__(self) -> None:
        self.bytes_fed = 0
        self.frames = 0
        self.damaged = 0
        self.garbage_bytes = 0
        self.pending = b""
        self._overlong = False

    def feed(self, data: bytes) -> list[Frame | Garbage]:
        """Decode the next bytes; return completed items in order."""
        self.bytes_fed += len(data)
        items: list[Frame | Garbage] = []
        *ended, rest = data.split(DELIMITER)
        for piece in ended:
            run, self.pending = self.pending + piece, b""
            if self._overlong:
                self._overlong = False
                if run:
                    items.append(self._skip(run, "length"))
            elif run:
                items.append(self._frame(run))
        waiting = self.pending + rest
        if self._overlong or len(waiting) > ENCODED_MAX:
            # Give out at once what can no longer become a frame, so that a line that only hisses fills no memory.
            if not self._overlong:
                self.damaged += 1
            self._overlong = True
            if waiting:
                items.append(self._skip(waiting, "length"))
            waiting = b""
        self.pending = waiting
        return items

    def reset(self) -> list[Garbage]:
        """After a lost line, so that halves never join."""
        pending, self.pending = self.pending, b""
        self._overlong = False
        if not pending:
            return []
        self.damaged += 1
        return [self._skip(pending, "truncated")]

    def _frame(self, run: bytes) -> Frame | Garbage:
        try:
            frame = decode_frame(run)
        except FrameError as error:
            self.damaged += 1
            return self._skip(run, error.reason)
        self.frames += 1
        return frame

    def _skip(self, raw: bytes, reason: FrameReason) -> Garbage:
        self.garbage_bytes += len(raw)
        return Garbage(raw, reason)
