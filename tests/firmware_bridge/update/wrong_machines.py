"""Update machines with a mistake, as they are easily made: the campaign must find each of them."""

from collections.abc import Sequence
from datetime import datetime

from firmware_bridge.trust.facts import Presented
from firmware_bridge.update.device import Slot
from firmware_bridge.update.machine import Clock, UpdateMachine
from firmware_bridge.update.observations import Judge, Observation, evidence_of
from firmware_bridge.update.record import Entry, Evidence, Record
from firmware_bridge.update.rows import Row
from firmware_bridge.update.states import Trigger


class RecordsLate(UpdateMachine):
    """Records a step when it is done: a host that dies in between has forgotten what it told the device."""

    def __init__(self, entries: Sequence[Entry], record: Record, clock: Clock) -> None:
        self._keep = record
        self._held: list[Entry] = []
        super().__init__(entries, self._held.append, clock)

    def do(self, row: Row) -> None:
        super().do(row)
        self._keep(self._held.pop(0))


class Gullible(Judge):
    """Believes the digest that a device tells of itself; nobody's signature is asked for."""

    def observe(
        self, shown: Presented, nonce: bytes, slots: Sequence[Slot], before: Evidence | None, now: datetime
    ) -> Observation:
        """Believe what the device says."""
        del nonce, before, now
        active = next(one for one in slots if one.active)
        new = bytes.fromhex(self._update.image_digest)
        evidence = evidence_of(shown)
        if shown.hello.image_digest == new:
            trigger = Trigger.RUNS_NEW if active.confirmed else Trigger.RUNS_TRIAL
            return Observation(trigger=trigger, evidence=evidence)
        other = next((one for one in slots if one.digest == new), None)
        if other is None:
            return Observation(trigger=Trigger.RUNS_OLD, evidence=evidence)
        return Observation(trigger=Trigger.AWAITS_TRIAL if other.pending else Trigger.HOLDS_NEW, evidence=evidence)
