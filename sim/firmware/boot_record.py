"""A boot loader's memory: confirmed slot, security counter and trial, in one record that is written atomically."""

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from sim.firmware.records import RecordStore
from sim.firmware.slots import FlashSlot

_FORM: Final = struct.Struct(">BBI32s")
NO_DIGEST: Final = bytes(32)


class Trial(IntEnum):
    """How far a trial of the other slot is."""

    NONE = 0
    WANTED = 1
    """The next boot starts it."""
    STARTED = 2
    """It was started; a boot that finds this goes back."""


@dataclass(frozen=True, slots=True)
class BootRecord:
    """A boot loader's memory.

    Attributes:
        counter: no image with a lower security counter runs, 0 to 2³²−1.
        trial_digest: the image that is tried, 32 bytes; another one in that slot is not.
    """

    confirmed: FlashSlot
    counter: int
    trial: Trial = Trial.NONE
    trial_digest: bytes = NO_DIGEST


def read_record(store: RecordStore) -> BootRecord | None:
    """The record; None: the device was never provisioned."""
    raw = store.read()
    if raw is None or len(raw) != _FORM.size:
        return None
    confirmed, trial, counter, digest = _FORM.unpack(raw)
    return BootRecord(FlashSlot(confirmed), counter, Trial(trial), digest)


def write_record(store: RecordStore, record: BootRecord) -> None:
    """Keep the record in place of the one before."""
    store.write(_FORM.pack(record.confirmed, record.trial, record.counter, record.trial_digest))
