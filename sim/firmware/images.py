"""SMP's image group at the device (``docs/protocols/smp.md``, section 6)."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from protocols.tdp.codes import BootState
from sim.firmware.boot_record import Trial
from sim.firmware.image_check import BootableImage, ImageRefusal, ImageRefused
from sim.firmware.loader import BootLoader, RunningImage
from sim.firmware.slots import FlashSlot, SlotWriter
from sim.firmware.smp import Fields, General, SmpError, field

MAGIC: Final = bytes.fromhex("3D B8 F3 96")
GROUP: Final = 1
STATE: Final = 0
UPLOAD: Final = 1
ERASE: Final = 5


class ImageGroupError(IntEnum):
    INVALID_TLV = 5
    HASH_NOT_FOUND = 8
    NO_FREE_SLOT = 9
    INVALID_SLOT = 14
    INVALID_LENGTH = 21
    INVALID_HEADER = 22
    INVALID_MAGIC = 23
    INVALID_HASH = 24
    CURRENT_VERSION_IS_NEWER = 27
    ALREADY_PENDING = 28
    TOO_LARGE = 30
    DATA_OVERRUN = 31
    CONFIRMATION_DENIED = 32
    TEST_TO_ACTIVE_DENIED = 33


REFUSALS: Final[Mapping[ImageRefusal, ImageGroupError]] = {
    "no_image": ImageGroupError.INVALID_HEADER,
    "unsupported": ImageGroupError.INVALID_HEADER,
    "records": ImageGroupError.INVALID_TLV,
    "wrong_hash": ImageGroupError.INVALID_HASH,
    "wrong_key": ImageGroupError.INVALID_TLV,
    "bad_signature": ImageGroupError.INVALID_TLV,
    "wrong_device": ImageGroupError.INVALID_TLV,
    "rolled_back": ImageGroupError.CURRENT_VERSION_IS_NEWER,
}


@dataclass(slots=True)
class _Upload:
    writer: SlotWriter
    size: int
    sha256: bytes | None

    def is_same(self, size: int, sha256: bytes | None) -> bool:
        return sha256 is not None and (size, sha256) == (self.size, self.sha256)


class Images:
    """The image group of one boot; ``running`` None: the boot loader itself."""

    def __init__(self, loader: BootLoader, running: RunningImage | None) -> None:
        self._loader: Final = loader
        self._running: Final = running
        self._upload: _Upload | None = None

    # --- state ------------------------------------------------------------------------------------------------------

    def states(self, _fields: Fields) -> Fields:
        """The images that lie in the slots."""
        return {"images": [state for slot in FlashSlot if (state := self._state(slot)) is not None]}

    def _state(self, slot: FlashSlot) -> dict[str, Any] | None:
        record = self._loader.record
        try:
            approved = self._loader.approved(slot, 0)
        except ImageRefused:
            return None
        is_confirmed = slot is record.confirmed
        is_pending = not is_confirmed and record.trial is Trial.WANTED and record.trial_digest == approved.digest
        return {
            "slot": int(slot),
            "version": str(approved.image.version),
            "hash": approved.digest,
            "bootable": approved.counter >= record.counter,
            "pending": is_pending,
            "confirmed": is_confirmed,
            "active": self._running is not None and self._running.slot is slot,
            "permanent": False,
        }

    def change(self, fields: Fields) -> Fields:
        """Want a trial, or confirm what runs."""
        digest: bytes | None = field(fields, "hash", bytes, None)
        if field(fields, "confirm", bool, default=False):
            self._confirm(digest)
        elif digest is None:
            raise SmpError(ImageGroupError.HASH_NOT_FOUND)
        else:
            self._try(digest)
        return self.states({})

    def _confirm(self, digest: bytes | None) -> None:
        running = self._running
        # Only what runs: an image that nobody has seen running could turn out to be the last thing that ever did.
        if running is None or digest not in {None, running.approved.digest}:
            raise SmpError(ImageGroupError.CONFIRMATION_DENIED, General.BAD_STATE)
        if running.state is BootState.TEST_BOOT and self._loader.record.confirmed is not running.slot:
            self._loader.confirm(running)

    def _try(self, digest: bytes) -> None:
        record = self._loader.record
        if self._running is not None and self._running.approved.digest == digest:
            raise SmpError(ImageGroupError.TEST_TO_ACTIVE_DENIED, General.BAD_STATE)
        approved = self._judged(record.confirmed.other, record.counter)
        if approved.digest != digest:
            raise SmpError(ImageGroupError.HASH_NOT_FOUND)
        if not (record.trial is Trial.WANTED and record.trial_digest == digest):
            self._loader.want_trial(approved)

    def _judged(self, slot: FlashSlot, least_counter: int) -> BootableImage:
        try:
            return self._loader.approved(slot, least_counter)
        except ImageRefused as refused:
            raise SmpError(REFUSALS[refused.code]) from refused

    # --- upload and erase -------------------------------------------------------------------------------------------

    def upload(self, fields: Fields) -> Fields:
        at: int = field(fields, "off", int)
        data: bytes = field(fields, "data", bytes)
        if at == 0:
            resumed = self._begin(fields, data)
            if resumed is not None:
                return {"off": resumed}
        upload = self._upload
        if upload is None:
            raise SmpError(ImageGroupError.INVALID_LENGTH, General.BAD_STATE)
        if at != upload.writer.taken:
            return {"off": upload.writer.taken}
        if at + len(data) > upload.size:
            raise SmpError(ImageGroupError.DATA_OVERRUN)
        upload.writer.write(data)
        return self._end(upload) if upload.writer.taken == upload.size else {"off": upload.writer.taken}

    def _begin(self, fields: Fields, data: bytes) -> int | None:
        size: int = field(fields, "len", int)
        sha256: bytes | None = field(fields, "sha", bytes, None)
        if field(fields, "image", int, 0):
            raise SmpError(ImageGroupError.INVALID_SLOT)
        if self._upload is not None and self._upload.is_same(size, sha256):
            return self._upload.writer.taken
        slot = self._free_slot()
        if not 0 < size <= self._loader.where.slot_bytes:
            raise SmpError(ImageGroupError.TOO_LARGE if size > 0 else ImageGroupError.INVALID_LENGTH)
        if data[: len(MAGIC)] != MAGIC:
            raise SmpError(ImageGroupError.INVALID_MAGIC)
        if self._loader.record.trial is Trial.WANTED:
            raise SmpError(ImageGroupError.ALREADY_PENDING, General.BAD_STATE)
        self._upload = _Upload(SlotWriter(self._loader.flash, self._loader.where, slot), size, sha256)
        return None

    def _end(self, upload: _Upload) -> Fields:
        upload.writer.finish()
        self._upload = None
        if upload.sha256 is None:
            return {"off": upload.size}
        loader = self._loader
        written = loader.flash.read(loader.where.at(loader.record.confirmed.other), upload.size)
        return {"off": upload.size, "match": hashlib.sha256(written).digest() == upload.sha256}

    def erase(self, fields: Fields) -> Fields:
        """Erase the slot that is not confirmed; a trial of it is wanted no more."""
        slot = self._free_slot()
        if field(fields, "slot", int, int(slot)) != slot:
            raise SmpError(ImageGroupError.INVALID_SLOT)
        self._upload = None
        loader = self._loader
        loader.cancel_trial()
        start = loader.where.at(slot)
        for at in range(start, start + loader.where.slot_bytes, loader.where.block_bytes):
            loader.flash.erase(at)
        return {}

    def _free_slot(self) -> FlashSlot:
        slot = self._loader.record.confirmed.other
        if self._running is not None and self._running.slot is slot:
            raise SmpError(ImageGroupError.NO_FREE_SLOT, General.BAD_STATE)
        return slot
