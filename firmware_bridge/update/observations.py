"""An observation of a device: one trigger for the rules, with its evidence.

If attestation and service port differ, neither is used.
"""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from msgspec import Struct, structs

from firmware_bridge.trust.acts import Update
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.facts import DeviceEvidence, TrustCheck, Unit
from firmware_bridge.trust.registry import Registry
from firmware_bridge.trust.verification import ApprovedFirmware, verdict
from firmware_bridge.update.codes import UpdateCode
from firmware_bridge.update.device import ImageSlot
from firmware_bridge.update.record import AttestationEvidence
from firmware_bridge.update.states import UpdateTrigger
from protocols.tdp.codes import BootState

_ENDED: Final = frozenset({TrustCode.REGISTRY_EXPIRED, TrustCode.NO_REVOKED_LIST, TrustCode.REVOKED_LIST_EXPIRED})
_FIRMWARE: Final = "firmware"


class Observation(Struct, frozen=True, kw_only=True):
    """``code`` empty: no failure."""

    trigger: UpdateTrigger
    code: str = ""
    detail: str = ""
    evidence: AttestationEvidence | None = None


class ObservationEvaluator:
    def __init__(
        self,
        update: Update,
        registry: Registry,
        approved: ApprovedFirmware | None,
        revoked: bytes | None,
        least_counter: int = 0,
    ) -> None:
        self._update: Final = update
        self._new: Final = bytes.fromhex(update.image_digest)
        self._registry: Final = registry
        self._approved: Final = approved
        self._revoked: Final = revoked
        self._least: Final = least_counter

    def observe(
        self,
        shown: DeviceEvidence,
        nonce: bytes,
        slots: Sequence[ImageSlot],
        before: AttestationEvidence | None,
        now: datetime,
    ) -> Observation:
        """Judge what the device shows."""
        # The nonce is ours, and so is the memory of what the device ran, whoever brings its answer.
        least = max(self._least, 0 if before is None else before.security_counter)
        shown = structs.replace(shown, nonce=nonce, least_counter=max(least, shown.least_counter))
        evidence = evidence_of(shown)
        told = shown.attestation
        runs_new = told is not None and told.image_digest == self._new
        is_before = told is not None and before is not None and told.image_digest.hex() == before.digest
        wrong = self._wrong(shown, now, runs_new=runs_new, is_before=is_before)
        if told is None or evidence is None or wrong is not None:
            code, detail = wrong or (TrustCode.NOT_ATTESTED, "the device did not attest when it was asked")
            return Observation(trigger=UpdateTrigger.UNTRUE, code=code, detail=detail, evidence=evidence)
        is_trial = told.boot_state is BootState.TEST_BOOT
        differs = self._differs(shown, slots, before, runs_new=runs_new, is_trial=is_trial)
        if differs is not None:
            return Observation(trigger=UpdateTrigger.UNTRUE, code=differs[0], detail=differs[1], evidence=evidence)
        if runs_new:
            kept = next(one for one in slots if one.active).confirmed
            trigger = (
                (UpdateTrigger.KEEPS_NEW if kept else UpdateTrigger.RUNS_TRIAL) if is_trial else UpdateTrigger.RUNS_NEW
            )
        else:
            other = next((one for one in slots if not one.active and one.digest == self._new), None)
            if other is None:
                trigger = UpdateTrigger.RUNS_OLD
            else:
                trigger = UpdateTrigger.AWAITS_TRIAL if other.pending else UpdateTrigger.HOLDS_NEW
        state = told.boot_state.name.lower()
        return Observation(trigger=trigger, detail=f"{shown.hello.firmware_version} runs, {state}", evidence=evidence)

    def _wrong(
        self, shown: DeviceEvidence, now: datetime, *, runs_new: bool, is_before: bool
    ) -> tuple[str, str] | None:
        # The first check of the verdict that does not hold and must.
        found = verdict(shown, self._registry, self._approved, now, self._revoked)
        for check in found.refusals:
            if not _is_expected(check, runs_new=runs_new, is_before=is_before):
                return check.code, check.detail
        if found.device != self._update.name:
            return (
                TrustCode.IDENTITY_DIFFERS,
                f"this is {found.device or 'nobody'}, the update is for {self._update.name}",
            )
        unit = Unit(shown.hello.maker, shown.hello.model, shown.hello.serial)
        if unit != self._update.unit:
            return TrustCode.IDENTITY_DIFFERS, f"{found.device} is {unit} by now, the update is for {self._update.unit}"
        return None

    def _differs(
        self,
        shown: DeviceEvidence,
        slots: Sequence[ImageSlot],
        before: AttestationEvidence | None,
        *,
        runs_new: bool,
        is_trial: bool,
    ) -> tuple[UpdateCode, str] | None:
        told, hello = shown.attestation, shown.hello
        if told is None:
            return None
        running = told.image_digest
        active = [one.digest for one in slots if one.active]
        if active != [running]:
            said = ", ".join(one.hex()[:16] for one in active) or "nothing"
            detail = f"it attests that {running.hex()[:16]}… runs; its service port says {said}"
            return UpdateCode.STATES_DIFFER, detail
        if runs_new:
            return None  # version and counter were compared with the approved list, of which they come
        if is_trial:
            return UpdateCode.TRIAL_UNASKED, f"{hello.firmware_version} runs for trial, and is not this update"
        foreign = next((one for one in slots if one.pending and one.digest != self._new), None)
        if foreign is not None:
            return UpdateCode.TRIAL_UNASKED, f"{foreign.version} waits for its trial, and is not this update"
        if before is not None and running.hex() != before.digest:
            detail = f"{running.hex()[:16]}… runs: neither the firmware of before nor the new one"
            return UpdateCode.UNKNOWN_FIRMWARE, detail
        return None


def evidence_of(shown: DeviceEvidence) -> AttestationEvidence | None:
    told = shown.attestation
    if told is None:
        return None
    return AttestationEvidence(
        version=shown.hello.firmware_version,
        digest=told.image_digest.hex(),
        security_counter=told.security_counter,
        boot_state=told.boot_state.name.lower(),
        nonce=told.nonce.hex(),
        signature=told.signature.hex(),
        certificate=hashlib.sha256(shown.certificate or b"").hexdigest(),
    )


def _is_expected(check: TrustCheck, *, runs_new: bool, is_before: bool) -> bool:
    # True if an update goes on though this check fails. A trial is what it is about. The firmware of before may
    # have lost an approval: that may be why one updates. And the way back to it is never barred by what came in
    # between, such as a list that has expired.
    if check.code is TrustCode.TEST_BOOT:
        return True
    if runs_new or check.code is TrustCode.COUNTER_WENT_BACK:
        return False
    if is_before and check.code in _ENDED:
        return True
    return (
        check.name == _FIRMWARE if is_before else check.code in {TrustCode.REGULATOR_MISSING, TrustCode.MAKER_MISSING}
    )
