"""How a device's flash is divided."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from sim.firmware.flash import FlashMisuse, Geometry, NorFlash
from sim.firmware.records import RecordStore


class FlashSlot(IntEnum):
    A = 0
    B = 1

    @property
    def other(self) -> "FlashSlot":
        """The one that this is not."""
        return FlashSlot.B if self is FlashSlot.A else FlashSlot.A


@dataclass(frozen=True, slots=True)
class FlashMap:
    slot_blocks: int = 64
    block_bytes: int = 4096
    page_bytes: int = 256
    geometry: Geometry = field(init=False)

    def __post_init__(self) -> None:
        blocks = len(FlashSlot) * self.slot_blocks + RecordStore.BLOCKS
        object.__setattr__(self, "geometry", Geometry(self.block_bytes, self.page_bytes, blocks))

    @property
    def slot_bytes(self) -> int:
        return self.slot_blocks * self.block_bytes

    def at(self, slot: FlashSlot) -> int:
        """Address of a slot."""
        return slot * self.slot_bytes

    @property
    def records_at(self) -> int:
        return len(FlashSlot) * self.slot_bytes


class SlotWriter:
    """It erases each block at its first byte."""

    def __init__(self, flash: NorFlash, where: FlashMap, slot: FlashSlot) -> None:
        self._flash: Final = flash
        self._where: Final = where
        self._at: Final = where.at(slot)
        self._waiting = b""
        self.taken = 0

    def write(self, data: bytes) -> None:
        if self.taken + len(data) > self._where.slot_bytes:
            raise FlashMisuse(self._at, f"a slot has {self._where.slot_bytes} bytes")
        self.taken += len(data)
        self._waiting += data
        page = self._where.page_bytes
        while len(self._waiting) >= page:
            self._program(self._waiting[:page])
            self._waiting = self._waiting[page:]

    def finish(self) -> None:
        """Program what waits."""
        if self._waiting:
            self._program(self._waiting)
            self._waiting = b""

    def _program(self, data: bytes) -> None:
        done = self.taken - len(self._waiting)
        if done % self._where.block_bytes == 0:
            self._flash.erase(self._at + done)
        self._flash.program(self._at + done, data)
