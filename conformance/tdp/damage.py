"""Frames that are wrong on purpose, written from the page (section 3)."""

from typing import Final

_POLYNOMIAL: Final = 0x82F63B78
_ALL: Final = 0xFFFFFFFF
_RUN_MAX: Final = 254


def crc32c(data: bytes) -> int:
    value = _ALL
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (_POLYNOMIAL if value & 1 else 0)
    return value ^ _ALL


def cobs(data: bytes) -> bytes:
    encoded = bytearray()
    for run in data.split(b"\x00"):
        rest = run
        while len(rest) >= _RUN_MAX:
            encoded += b"\xff" + rest[:_RUN_MAX]
            rest = rest[_RUN_MAX:]
        encoded += bytes([len(rest) + 1]) + rest
    return bytes(encoded)


def header(kind: int, session: int, payload: bytes = b"", *, version: int = 1) -> bytes:
    return bytes([version, kind]) + session.to_bytes(2, "big") + bytes(2) + payload


def on_the_line(covered: bytes, *, check: int | None = None) -> bytes:
    told = crc32c(covered) if check is None else check
    return b"\x00" + cobs(covered + told.to_bytes(4, "big")) + b"\x00"
