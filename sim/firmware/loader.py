"""The boot loader: a boot ends in an approved image or a report.

The confirmed slot is never written; the other is tried once on request.
"""

from dataclasses import dataclass, replace
from typing import Final

from protocols.tdp.codes import BootState
from sim.firmware.boot_record import NO_DIGEST, BootRecord, Trial, read_record, write_record
from sim.firmware.flash import NorFlash
from sim.firmware.image_check import BootableImage, BootTrust, ImageRefused, judge
from sim.firmware.records import RecordStore
from sim.firmware.slots import FlashMap, FlashSlot, SlotWriter


@dataclass(frozen=True, slots=True)
class RunningImage:
    slot: FlashSlot
    approved: BootableImage
    state: BootState


class NotProvisioned(Exception):
    """The device's maker never gave it a firmware."""

    def __str__(self) -> str:
        return "the device has no boot record; it must be provisioned first"


class BootLoader:
    def __init__(self, flash: NorFlash, where: FlashMap, trust: BootTrust) -> None:
        self.flash: Final = flash
        self.where: Final = where
        self.trust: Final = trust
        self._store: Final = RecordStore(flash, where.records_at)

    @property
    def record(self) -> BootRecord:
        """The boot loader's memory."""
        record = read_record(self._store)
        if record is None:
            raise NotProvisioned
        return record

    def provision(self, image: bytes) -> None:
        """Give a new device its first firmware, in slot A, confirmed."""
        approved = judge(image, self.trust, 0)
        self._fill(FlashSlot.A, image)
        write_record(self._store, BootRecord(FlashSlot.A, approved.counter))

    # --- a boot -----------------------------------------------------------------------------------------------------

    def boot(self) -> RunningImage | None:
        """None: nothing may run, and the device stays in its boot loader."""
        record = self.record
        if record.trial is Trial.WANTED:
            running = self._tried(record)
            if running is not None:
                return running
        if record.trial is not Trial.NONE:
            record = self._go_back(record)
        try:
            return RunningImage(record.confirmed, self.approved(record.confirmed, record.counter), BootState.VERIFIED)
        except ImageRefused:
            return None

    def _tried(self, record: BootRecord) -> RunningImage | None:
        slot = record.confirmed.other
        try:
            approved = self.approved(slot, record.counter)
        except ImageRefused:
            return None
        if approved.digest != record.trial_digest:
            return None
        # Before it runs: whatever it does, or the power, the next boot finds that it had its chance.
        self._record_trial(replace(record, trial=Trial.STARTED), approved)
        return RunningImage(slot, approved, BootState.TEST_BOOT)

    def _record_trial(self, record: BootRecord, approved: BootableImage) -> None:
        del approved
        write_record(self._store, record)

    def _go_back(self, record: BootRecord) -> BootRecord:
        record = replace(record, trial=Trial.NONE, trial_digest=NO_DIGEST)
        write_record(self._store, record)
        return record

    # --- for the firmware that runs ---------------------------------------------------------------------------------

    def approved(self, slot: FlashSlot, least_counter: int) -> BootableImage:
        """The image of a slot."""
        return judge(self.flash.read(self.where.at(slot), self.where.slot_bytes), self.trust, least_counter)

    def want_trial(self, approved: BootableImage) -> None:
        write_record(self._store, replace(self.record, trial=Trial.WANTED, trial_digest=approved.digest))

    def cancel_trial(self) -> None:
        if self.record.trial is Trial.WANTED:
            self._go_back(self.record)

    def confirm(self, running: RunningImage) -> None:
        """Nothing with a lower security counter runs from then on; one step."""
        counter = max(self.record.counter, running.approved.counter)
        write_record(self._store, BootRecord(running.slot, counter))

    def _fill(self, slot: FlashSlot, image: bytes) -> None:
        writer = SlotWriter(self.flash, self.where, slot)
        writer.write(image)
        writer.finish()
