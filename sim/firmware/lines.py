"""SMP on a serial line: base64 with a CRC (``docs/protocols/smp.md``, section 2)."""

import binascii
from typing import Final

FRAME_MAX: Final = 1024
"""Length and check included: its ``buf_size``."""
LINE_MAX: Final = 128

_FIRST: Final = b"\x06\x09"
_FURTHER: Final = b"\x04\x14"
_MARK_BYTES: Final = 2
_LENGTH_BYTES: Final = 2
_CHECK_BYTES: Final = 2
_LINE_FEED: Final = b"\n"
_BASE64_PER_LINE: Final = (LINE_MAX - _MARK_BYTES - len(_LINE_FEED)) // 4 * 4


def to_lines(packet: bytes) -> bytes:
    check = binascii.crc_hqx(packet, 0).to_bytes(_CHECK_BYTES, "big")
    length = (len(packet) + _CHECK_BYTES).to_bytes(_LENGTH_BYTES, "big")
    text = binascii.b2a_base64(length + packet + check, newline=False)
    parts = [text[at : at + _BASE64_PER_LINE] for at in range(0, len(text), _BASE64_PER_LINE)]
    return b"".join((_FURTHER if number else _FIRST) + part + _LINE_FEED for number, part in enumerate(parts))


class LineReader:
    """Other bytes are skipped and counted."""

    def __init__(self) -> None:
        self.dropped = 0
        self._line = b""
        self._too_long = False
        self._frame: bytes | None = None

    def feed(self, data: bytes) -> list[bytes]:
        """Take bytes; return the packets that they complete, in order."""
        packets: list[bytes] = []
        *lines, rest = (self._line + data).split(_LINE_FEED)
        for line in lines:
            packet = None if self._too_long else self._append_line(line)
            self._too_long = False
            if packet is not None:
                packets.append(packet)
        self._too_long |= len(rest) > LINE_MAX
        self._line = b"" if self._too_long else rest
        return packets

    def _append_line(self, line: bytes) -> bytes | None:
        mark, text = line[:_MARK_BYTES], line[_MARK_BYTES:]
        if len(line) > LINE_MAX or mark not in {_FIRST, _FURTHER} or (mark == _FURTHER and self._frame is None):
            self._drop()
            return None
        if mark == _FIRST and self._frame is not None:
            self._drop()
        try:
            part = binascii.a2b_base64(text, strict_mode=True)
        except binascii.Error:
            self._drop()
            return None
        self._frame = part if self._frame is None else self._frame + part
        return self._whole()

    def _whole(self) -> bytes | None:
        frame = self._frame or b""
        end = _LENGTH_BYTES + int.from_bytes(frame[:_LENGTH_BYTES], "big")
        if (
            len(frame) < _LENGTH_BYTES
            or len(frame) > FRAME_MAX
            or end > FRAME_MAX
            or end < _LENGTH_BYTES + _CHECK_BYTES
        ):
            self._drop()
            return None
        if len(frame) < end:
            return None
        packet, check = frame[_LENGTH_BYTES : end - _CHECK_BYTES], frame[end - _CHECK_BYTES : end]
        if len(frame) > end or binascii.crc_hqx(packet, 0).to_bytes(_CHECK_BYTES, "big") != check:
            self._drop()
            return None
        self._frame = None
        return packet

    def _drop(self) -> None:
        self._frame = None
        self.dropped += 1
