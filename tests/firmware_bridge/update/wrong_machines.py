"""Update machines with a mistake, as they are easily made: the campaign must find each of them."""

from collections.abc import Sequence
from datetime import datetime

from firmware_bridge.trust.facts import DeviceEvidence
from firmware_bridge.update.device import ImageSlot
from firmware_bridge.update.machine import Clock, UpdateMachine
from firmware_bridge.update.observations import Observation, ObservationEvaluator, evidence_of
from firmware_bridge.update.record import AttestationEvidence, Record, UpdateEntry
from firmware_bridge.update.rows import UpdateRow
from firmware_bridge.update.states import UpdateTrigger


class RecordsLate(UpdateMachine):
    """Records a step when it is done: a host that dies in between has forgotten what it told the device."""

    def __init__(self, entries: Sequence[UpdateEntry], record: Record, clock: Clock) -> None:
        self._keep = record
        self._held: list[UpdateEntry] = []
        super().__init__(entries, self._held.append, clock)

    def do(self, row: UpdateRow) -> None:
        super().do(row)
        self._keep(self._held.pop(0))


class Gullible(ObservationEvaluator):
    """Believes the digest that a device tells of itself; nobody's signature is asked for."""

    def observe(
        self,
        shown: DeviceEvidence,
        nonce: bytes,
        slots: Sequence[ImageSlot],
        before: AttestationEvidence | None,
        now: datetime,
    ) -> Observation:
        del nonce, before, now
        active = next(one for one in slots if one.active)
        new = bytes.fromhex(self._update.image_digest)
        evidence = evidence_of(shown)
        if shown.hello.image_digest == new:
            trigger = UpdateTrigger.RUNS_NEW if active.confirmed else UpdateTrigger.RUNS_TRIAL
            return Observation(trigger=trigger, evidence=evidence)
        other = next((one for one in slots if one.digest == new), None)
        if other is None:
            return Observation(trigger=UpdateTrigger.RUNS_OLD, evidence=evidence)
        return Observation(
            trigger=UpdateTrigger.AWAITS_TRIAL if other.pending else UpdateTrigger.HOLDS_NEW, evidence=evidence
        )
