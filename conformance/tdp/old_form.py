"""Frames that TDP/1 had before 23 November 2026; such devices are silent today."""

from typing import Final

from conformance.tdp.damage import cobs, crc32c
from conformance.tdp.limits import ANSWER_S
from conformance.tdp.line import FrameLine

DIAGNOSIS: Final = (
    "frames of the form before 23 November 2026, with sessions of 4 bytes: build the firmware from today's page"
)

_OPEN: Final = b"\x01\x01"
_ANSWERS: Final = (b"\x01\x02", b"\x01\x06")
_HEAD_BYTES: Final = 11
_CHECK_BYTES: Final = 4


def answers_old_form(line: FrameLine, host: int, security: int) -> bool:
    session = host.to_bytes(2, "big") + bytes(2)
    payload = bytes([1, 1, 4, 224, security])
    covered = _OPEN + session + bytes(4) + bytes([len(payload)]) + payload
    before = len(line.raw)
    line.send_raw(b"\x00" + cobs(covered + crc32c(covered).to_bytes(_CHECK_BYTES, "big")) + b"\x00")
    line.all_for(ANSWER_S)
    return any(_is_answer(piece, session) for piece in bytes(line.raw[before:]).split(b"\x00"))


def _is_answer(encoded: bytes, session: bytes) -> bool:
    body = _decoded(encoded)
    if len(body) < _HEAD_BYTES + _CHECK_BYTES or body[:2] not in _ANSWERS or body[2:4] != session[:2]:
        return False
    covered = body[:-_CHECK_BYTES]
    is_sound = crc32c(covered).to_bytes(_CHECK_BYTES, "big") == body[-_CHECK_BYTES:]
    return is_sound and covered[_HEAD_BYTES - 1] == len(covered) - _HEAD_BYTES


def _decoded(encoded: bytes) -> bytes:
    runs = []
    at = 0
    while at < len(encoded):
        runs.append(encoded[at + 1 : at + encoded[at]])
        at += encoded[at]
    return b"\x00".join(runs)
