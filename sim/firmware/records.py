"""A record in flash that survives every power cut: the newest whole copy counts.

After a full block the *other* one is erased, which never holds the newest copy.
"""

import struct
import zlib
from typing import Final, NamedTuple

from sim.firmware.flash import ERASED, FlashMisuse, NorFlash

_MAGIC: Final = 0x5245_434F
_HEAD: Final = struct.Struct(">IIHI")
"""Magic, number of the copy, bytes of the value, and CRC-32 of these (with 0 in its place) and the value."""


class _Copy(NamedTuple):
    number: int
    at: int
    value: bytes


class RecordStore:
    BLOCKS: Final = 2

    def __init__(self, flash: NorFlash, at: int) -> None:
        self._flash: Final = flash
        self._at: Final = at

    @property
    def value_max(self) -> int:
        return self._flash.geometry.page_bytes - _HEAD.size

    def read(self) -> bytes | None:
        """The value written last; None: there never was one."""
        newest = self._newest()
        return None if newest is None else newest.value

    def write(self, value: bytes) -> None:
        """A power cut leaves the old value or this."""
        if len(value) > self.value_max:
            raise FlashMisuse(self._at, f"a record has {self.value_max} bytes at most, {len(value)} given")
        newest = self._newest()
        number = 0 if newest is None else newest.number + 1
        sealed = _sealed(number, value)
        at = None if newest is None else self._blank_behind(newest.at)
        if at is None:
            at = self._at if newest is None else self._other_block(newest.at)
            self._flash.erase(at)
        self._flash.program(at, sealed)

    def _newest(self) -> _Copy | None:
        copies = [copy for at in self._pages() if (copy := self._copy(at)) is not None]
        return max(copies, default=None)

    def _pages(self) -> range:
        geometry = self._flash.geometry
        return range(self._at, self._at + self.BLOCKS * geometry.block_bytes, geometry.page_bytes)

    def _copy(self, at: int) -> _Copy | None:
        magic, number, size, check = _HEAD.unpack(self._flash.read(at, _HEAD.size))
        if magic != _MAGIC or size > self.value_max:
            return None
        value = self._flash.read(at + _HEAD.size, size)
        return _Copy(number, at, value) if check == _check(number, value) else None

    def _blank_behind(self, at: int) -> int | None:
        geometry = self._flash.geometry
        end = at - (at - self._at) % geometry.block_bytes + geometry.block_bytes
        blank = bytes([ERASED]) * geometry.page_bytes
        pages = range(at + geometry.page_bytes, end, geometry.page_bytes)
        return next((page for page in pages if self._flash.read(page, geometry.page_bytes) == blank), None)

    def _other_block(self, at: int) -> int:
        size = self._flash.geometry.block_bytes
        return self._at + (size if at < self._at + size else 0)


def _check(number: int, value: bytes) -> int:
    return zlib.crc32(_HEAD.pack(_MAGIC, number, len(value), 0) + value)


def _sealed(number: int, value: bytes) -> bytes:
    return _HEAD.pack(_MAGIC, number, len(value), _check(number, value)) + value
