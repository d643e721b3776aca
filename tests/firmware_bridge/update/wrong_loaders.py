"""Boot loaders with a mistake, as they have been made: the campaign must find each of them."""

from dataclasses import replace
from typing import Final

from protocols.tdp.codes import BootState
from sim.firmware.boot_record import BootRecord, Trial, write_record
from sim.firmware.flash import NorFlash
from sim.firmware.image_check import BootableImage, BootTrust
from sim.firmware.loader import BootLoader, RunningImage
from sim.firmware.records import RecordStore
from sim.firmware.slots import FlashMap


class RaisesCounterEarly(BootLoader):
    """Raises the security counter when a trial begins: the way back is barred by then."""

    def _record_trial(self, record: BootRecord, approved: BootableImage) -> None:
        super()._record_trial(replace(record, counter=max(record.counter, approved.counter)), approved)


class NeverGoesBack(BootLoader):
    """Runs what it tried once for ever."""

    def boot(self) -> RunningImage | None:
        record = self.record
        if record.trial is Trial.STARTED:
            slot = record.confirmed.other
            return RunningImage(slot, self.approved(slot, record.counter), BootState.TEST_BOOT)
        return super().boot()


class NotesTooLate(BootLoader):
    """Notes a trial only when it has run: a firmware that kills the device would be tried for ever."""

    def _record_trial(self, record: BootRecord, approved: BootableImage) -> None:
        """Nothing yet."""


class ConfirmsInTwoSteps(BootLoader):
    """Raises the counter first, and then says which slot is confirmed."""

    def confirm(self, running: RunningImage) -> None:
        write_record(self._store, replace(self.record, counter=max(self.record.counter, running.approved.counter)))
        super().confirm(running)


class ConfirmsBeforeTheCounter(BootLoader):
    """Leaves the counter as it is: what was confirmed can be rolled back."""

    def confirm(self, running: RunningImage) -> None:
        write_record(self._store, BootRecord(running.slot, self.record.counter))


class OneBlock(RecordStore):
    """Erases the block that the newest copy lies in."""

    def _other_block(self, at: int) -> int:
        return at - at % self._flash.geometry.block_bytes


class KeepsOneBlock(BootLoader):
    """Has a boot record that does not survive every cut."""

    def __init__(self, flash: NorFlash, where: FlashMap, trust: BootTrust) -> None:
        super().__init__(flash, where, trust)
        self._store = OneBlock(flash, where.records_at)  # type: ignore[misc]  # the mistake is to have another


WRONG: Final[dict[str, tuple[type[BootLoader], set[str]]]] = {
    "raises the counter early": (RaisesCounterEarly, {"brick"}),
    "never goes back": (NeverGoesBack, {"lost"}),
    "notes too late": (NotesTooLate, {"lost"}),
    "confirms in two steps": (ConfirmsInTwoSteps, {"brick"}),
    "leaves the counter": (ConfirmsBeforeTheCounter, {"rollback"}),
    "one block for the record": (KeepsOneBlock, {"brick"}),
}
"""Each with the faults of which one must be found."""
