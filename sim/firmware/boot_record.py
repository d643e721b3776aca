"""A boot loader's memory: slot, security counter, trial; written atomically."""

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from sim.firmware.records import RecordStore
from sim.firmware.slots import FlashSlot

_FORM: Final = struct.Struct(">BBI32s")
NO_DIGEST: Final = bytes(32)


class Trial(IntEnum):
    NONE = 0
    WANTED = 1
    """The next boot starts it."""
    STARTED = 2
    """A boot that finds this goes back."""


@dataclass(frozen=True, slots=True)
class BootRecord:
    """No image with a lower ``counter`` runs, and none is tried but ``trial_digest``."""

    confirmed: FlashSlot
    counter: int
    trial: Trial = Trial.NONE
    trial_digest: bytes = NO_DIGEST


def read_record(store: RecordStore) -> BootRecord | None:
    raw = store.read()
    if raw is None or len(raw) != _FORM.size:
        return None
    confirmed, trial, counter, digest = _FORM.unpack(raw)
    return BootRecord(FlashSlot(confirmed), counter, Trial(trial), digest)


def write_record(store: RecordStore, record: BootRecord) -> None:
    store.write(_FORM.pack(record.confirmed, record.trial, record.counter, record.trial_digest))
