"""Runs the rules of an update over its record and its device."""

import hashlib
import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final, NoReturn, cast

from firmware_bridge.trust.acts import Update
from firmware_bridge.update.codes import UpdateCode
from firmware_bridge.update.device import Attester, ServicePort
from firmware_bridge.update.errors import DeviceFailure, UpdateRefused
from firmware_bridge.update.observations import Observation, ObservationEvaluator
from firmware_bridge.update.progress import UpdateProgress
from firmware_bridge.update.record import AttestationEvidence, Record, UpdateApprovers, UpdateEntry, newest, stamp
from firmware_bridge.update.rows import ROWS, UpdateRow, leads
from firmware_bridge.update.states import FINAL, OLD_RUNS, ON_DEVICE, UpdateState, UpdateStep, UpdateTrigger
from regulations.engine.machine import Bound, RowMachine

NONCE_BYTES: Final = 32
"""``docs/protocols/tdp.md``, section 10."""
Clock = Callable[[], datetime]


def fault_of(before: UpdateEntry | None, entry: UpdateEntry) -> str | None:
    if entry.trigger is UpdateTrigger.STAGE:
        if entry.state is not UpdateState.STAGED or entry.update is None:
            return f"an update cannot begin as {entry.state}, and not without saying what is to be done"
        if before is not None and before.state not in FINAL:
            return f"an update cannot begin while the one before it is {before.state}"
        return None
    if before is None:
        return "an update was not staged"
    if leads(before.state, entry.trigger, entry.state, entry.act):
        return None
    return f"{entry.trigger} cannot lead from {before.state} to {entry.state} with {entry.act or 'nothing'} to do"


class UpdateMachine:
    """A new process continues from record and observation.

    Raises:
        UpdateRefused: no update is staged, or the record breaks the rules.
    """

    def __init__(self, entries: Sequence[UpdateEntry], record: Record, clock: Clock) -> None:
        own = newest(entries)
        if not own:
            raise UpdateRefused(UpdateCode.NOT_STAGED, "no update was staged")
        for before, entry in pairwise([None, *own]):
            fault = fault_of(before, cast("UpdateEntry", entry))
            if fault is not None:
                raise UpdateRefused(UpdateCode.RECORD_DAMAGED, fault)
        first, last = own[0], own[-1]
        self.update: Final = cast("Update", first.update)
        self.entries: Final = list(own)
        self._record: Final = record
        self._clock: Final = clock
        self._progress: Final = UpdateProgress(update=self.update, entries=self.entries, sketch=last)
        self._rules: Final = _Rules(self, self._progress, last.state)
        self._hands: _DeviceActions | None = None

    # --- what its record says ---------------------------------------------------------------------------------------

    @property
    def state(self) -> UpdateState:
        """How far it is."""
        return self._rules.state

    @property
    def is_over(self) -> bool:
        return self.state in FINAL

    @property
    def code(self) -> str:
        """Why it ended as it did, or goes back; empty where nothing is wrong."""
        if self.entries[-1].code or self.state not in {UpdateState.REVERTED, UpdateState.REVERTING}:
            return self.entries[-1].code
        return next((entry.code for entry in self.entries if entry.state is UpdateState.REVERTING), "")

    @property
    def detail(self) -> str:
        """The finding that led to the code."""
        return next((entry.detail for entry in self.entries if entry.code and entry.code == self.code), "")

    @property
    def approval(self) -> UpdateApprovers | None:
        """The people who approved it."""
        return next((entry.approval for entry in self.entries if entry.approval is not None), None)

    @property
    def before(self) -> AttestationEvidence | None:
        """The firmware that ran when the table was closed, as the device attested it then."""
        return next((entry.evidence for entry in self.entries if entry.trigger in OLD_RUNS), None)

    # --- what persons and the house do ------------------------------------------------------------------------------

    def fire(self, trigger: UpdateTrigger, **found: object) -> UpdateEntry:
        """Record the rule, move, do its step; if recording fails, nothing was done.

        Raises:
            UpdateRefused: no rule answers it here (``not_now``).
        """
        self._progress.sketch = UpdateEntry(at=stamp(self._clock()), trigger=trigger, state=self.state, **found)  # type: ignore[arg-type]  # the caller's
        self._rules.fire(trigger)
        return self.entries[-1]

    # --- what the device is asked to do -----------------------------------------------------------------------------

    def run(
        self, judge: ObservationEvaluator, service: ServicePort, attester: Attester, image: bytes | None
    ) -> UpdateState:
        """Until the update ends or a person must act; ``image`` ``None``: nothing is sent.

        Raises:
            UpdateRefused: too early (``not_now``), or another file (``file_differs``).
            DeviceFailure: no answer; continue later.
        """
        if self.state not in ON_DEVICE:
            raise UpdateRefused(UpdateCode.NOT_NOW, f"the device is not touched while the update is {self.state}")
        if image is not None and hashlib.sha256(image).hexdigest() != self.update.file:
            raise UpdateRefused(UpdateCode.FILE_DIFFERS, "the file is not the one that was staged")
        self._hands = hands = _DeviceActions(service, attester, image, self.update)
        self._progress.has_image = image is not None
        try:
            while not self.is_over:
                seen = self.observe(judge, service, attester)
                detail = f"{seen.detail}; before that {hands.trouble}" if hands.trouble else seen.detail
                hands.trouble = ""
                entry = self.fire(seen.trigger, code=seen.code, detail=detail, evidence=seen.evidence)
                if entry.act is UpdateStep.WAIT:
                    raise DeviceFailure(UpdateCode(seen.code), seen.detail)
        finally:
            self._hands, self._progress.has_image = None, True
        return self.state

    def observe(self, judge: ObservationEvaluator, service: ServicePort, attester: Attester) -> Observation:
        """Attest a fresh number, then ask the service port; nothing is changed."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        try:
            shown = attester.attest(nonce)
            slots = service.slots()
        except DeviceFailure as trouble:
            return Observation(trigger=UpdateTrigger.SILENT, code=trouble.code, detail=trouble.what)
        return judge.observe(shown, nonce, slots, self.before, self._now())

    # --- for the rules ----------------------------------------------------------------------------------------------

    def write(self, row: UpdateRow) -> None:
        sketch = self._progress.sketch
        entry = UpdateEntry(
            at=sketch.at,
            trigger=sketch.trigger,
            state=row.dest,
            act=row.act,
            # What the device failed says more than the rule that it led to.
            code=row.code or sketch.code,
            detail=sketch.detail or row.says,
            by=sketch.by,
            approval=sketch.approval,
            evidence=sketch.evidence,
        )
        self._record(entry)
        self.entries.append(entry)

    def do(self, row: UpdateRow) -> None:
        """Do what a rule says, once it is recorded."""
        if row.act is not None and self._hands is not None:
            self._hands.do(row.act)

    def _now(self) -> datetime:
        return self._clock().astimezone(UTC)


class _DeviceActions:
    """Failures are stored as text; the next observation shows the outcome."""

    def __init__(self, service: ServicePort, attester: Attester, image: bytes | None, update: Update) -> None:
        digest = bytes.fromhex(update.image_digest)
        self.trouble = ""
        self._attester: Final = attester
        self._acts: Final[dict[UpdateStep, Callable[[], None]]] = {
            UpdateStep.UPLOAD: lambda: service.upload(image or b""),
            UpdateStep.TRY: lambda: service.want_trial(digest),
            UpdateStep.RESTART: service.restart,
            UpdateStep.CONFIRM: lambda: service.confirm(digest),
            UpdateStep.ERASE: service.erase,
        }

    def do(self, act: UpdateStep) -> None:
        deed = self._acts.get(act)
        if deed is None:
            return
        try:
            deed()
        except DeviceFailure as trouble:
            self.trouble = f"{act} failed: {trouble}"
        if act is UpdateStep.RESTART:
            self._attester.expect_start()


class _Rules(RowMachine[UpdateState, UpdateRow]):
    def __init__(self, update: UpdateMachine, progress: UpdateProgress, initial: UpdateState) -> None:
        super().__init__(UpdateState, ROWS, (progress,), initial)
        self._update: Final = update

    def leave(self, row: UpdateRow) -> None:
        self._update.write(row)

    def answer(self, row: UpdateRow, effects: Sequence[Bound]) -> None:  # noqa: ARG002  # they have an act, and no effects
        self._update.do(row)

    def unanswered(self, trigger: str) -> NoReturn:
        raise UpdateRefused(UpdateCode.NOT_NOW, f"{trigger} cannot be while the update is {self.state}")
