"""Update machines with a mistake, as they are easily made: the campaign must find each of them."""

from collections.abc import Sequence
from datetime import datetime

from firmware_bridge.trust.judging import Presented
from firmware_bridge.update.device import Slot
from firmware_bridge.update.machine import UpdateMachine
from firmware_bridge.update.record import Entry, Evidence
from firmware_bridge.update.rows import Row
from firmware_bridge.update.sights import Judge, Sight, evidence_of
from firmware_bridge.update.states import Trigger


class RecordsLate(UpdateMachine):
    """Records a step when it is done: a host that dies in between has forgotten what it told the device."""

    def write(self, row: Row) -> None:
        keep, self._record = self._record, self._nothing  # type: ignore[misc]  # the mistake
        super().write(row)
        self._record = keep  # type: ignore[misc]

    def do(self, row: Row) -> None:
        super().do(row)
        self._record(self.entries[-1])

    @staticmethod
    def _nothing(entry: Entry) -> None:
        """Later."""


class Gullible(Judge):
    """Believes the digest that a device tells of itself; nobody's signature is asked for."""

    def sight(
        self, shown: Presented, nonce: bytes, slots: Sequence[Slot], before: Evidence | None, now: datetime
    ) -> Sight:
        """What the device says."""
        del nonce, before, now
        active = next(one for one in slots if one.active)
        new = bytes.fromhex(self._update.image_digest)
        evidence = evidence_of(shown)
        if shown.hello.image_digest == new:
            trigger = Trigger.RUNS_NEW if active.confirmed else Trigger.RUNS_TRIAL
            return Sight(trigger=trigger, evidence=evidence)
        other = next((one for one in slots if one.digest == new), None)
        if other is None:
            return Sight(trigger=Trigger.RUNS_OLD, evidence=evidence)
        return Sight(trigger=Trigger.AWAITS_TRIAL if other.pending else Trigger.HOLDS_NEW, evidence=evidence)
