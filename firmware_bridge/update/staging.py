"""The steps before a device is touched."""

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from firmware_bridge.trust.acts import EnrolDevice, Update
from firmware_bridge.trust.approved.images import facts
from firmware_bridge.trust.approved.store import Approvals, SignedFirmware
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import FirmwareRefused
from firmware_bridge.trust.registry import Registry
from firmware_bridge.trust.registry_rules import ApprovedUpdate
from firmware_bridge.trust.times import CLOCK_TOLERANCE, parse_time
from firmware_bridge.update.codes import UpdateCode
from firmware_bridge.update.errors import UpdateRefused
from firmware_bridge.update.machine import Clock, UpdateMachine
from firmware_bridge.update.record import Record, UpdateApprovers, UpdateEntry, newest, stamp
from firmware_bridge.update.states import FINAL, UpdateState, UpdateTrigger

APPROVAL_VALID: Final = timedelta(hours=12)
"""From the second approval to the trial: one night."""
_BEFORE_TRIAL: Final = (UpdateState.CLOSED, UpdateState.TRANSFERRED)
_ORDER_BYTES: Final = 16


def plan(entries: Sequence[UpdateEntry], registry: Registry, device: str, listed: SignedFirmware) -> Update:
    """Nothing is recorded.

    Raises:
        UpdateRefused: an open update (``update_open``), ``unknown_device`` or ``wrong_model``.
    """
    before = newest(entries)
    if before and before[-1].state not in FINAL:
        raise UpdateRefused(UpdateCode.UPDATE_OPEN, f"an update of {device} is {before[-1].state}")
    enrolled = next((one.matter for one in registry.book.current() if one.matter.name == device), None)
    if not isinstance(enrolled, EnrolDevice):
        raise UpdateRefused(TrustCode.UNKNOWN_DEVICE, f"no device {device} with a key is enrolled")
    firmware = listed.firmware
    if not firmware.is_for(enrolled.unit):
        raise UpdateRefused(UpdateCode.WRONG_MODEL, f"{firmware} is not for {device}, which is {enrolled.unit}")
    return Update(
        order=secrets.token_hex(_ORDER_BYTES),
        name=device,
        maker=enrolled.maker,
        model=enrolled.model,
        serial=enrolled.serial,
        version=firmware.version,
        security_counter=firmware.security_counter,
        image_digest=firmware.image_digest,
        file=listed.sha256,
        length=listed.length,
    )


def stage(update: Update, entries: Sequence[UpdateEntry], record: Record, clock: Clock, by: str = "") -> UpdateMachine:
    first = UpdateEntry(at=stamp(clock()), trigger=UpdateTrigger.STAGE, state=UpdateState.STAGED, by=by, update=update)
    record(first)
    return UpdateMachine([*entries, first], record, clock)


def check_file(update: Update, approvals: Approvals, image: bytes) -> None:
    """Check that a file is still the approved firmware.

    Raises:
        UpdateRefused: a code of ``trust`` for the list, else ``file_differs``.
    """
    code, detail = approvals.refusal(update.unit, update.version, update.image_digest, update.security_counter)
    if code is not TrustCode.OK:
        raise UpdateRefused(code, detail)
    if (len(image), hashlib.sha256(image).hexdigest()) != (update.length, update.file):
        raise UpdateRefused(UpdateCode.FILE_DIFFERS, f"the file of {len(image)} bytes is not the one that was listed")
    try:
        said = facts(image, "the file")
    except FirmwareRefused as error:
        raise UpdateRefused(error.code, error.what) from error
    if said != (update.image_digest, update.security_counter):
        detail = f"the image is {said[0][:16]}… with security counter {said[1]}; what was staged is another"
        raise UpdateRefused(UpdateCode.FILE_DIFFERS, detail)


def verify(machine: UpdateMachine, approvals: Approvals, image: bytes) -> None:
    """Before the file is approved and again before it is sent.

    Raises:
        UpdateRefused: the file differs; the update is refused permanently.
    """
    try:
        check_file(machine.update, approvals, image)
    except UpdateRefused as refused:
        machine.fire(UpdateTrigger.MISMATCH, code=refused.code, detail=refused.what)
        raise
    if machine.state is UpdateState.STAGED:
        machine.fire(UpdateTrigger.VERIFY)


def authorise(machine: UpdateMachine, registry: Registry, now: datetime) -> None:
    """Apply the approval by two people.

    Raises:
        UpdateRefused: none, of another update, or too old; it may still be approved.
    """
    allowed = _allowed(machine.update, registry, now)
    by = (allowed.proposed_by, allowed.approved_by)
    machine.fire(UpdateTrigger.AUTHORISE, approval=UpdateApprovers(by=by, at=allowed.at, registry=str(registry.head)))


def close_table(machine: UpdateMachine, registry: Registry, why_open: str | None, now: datetime) -> None:
    """``why_open``: the table is not closed.

    Raises:
        UpdateRefused: the approval lapsed, which ends the update, or ``table_open``.
    """
    _check_lapse(machine, registry, now)
    if why_open is not None:
        raise UpdateRefused(UpdateCode.TABLE_OPEN, why_open)
    machine.fire(UpdateTrigger.CLOSE)


def go_on(machine: UpdateMachine, registry: Registry, why_open: str | None, now: datetime) -> None:
    """The approval must hold until the trial starts; after the trial the update must end.

    Raises:
        UpdateRefused: no approval, or it lapsed, which ends an update without image in the device; or
            ``table_open``.
    """
    check_approved(machine.update, registry)
    if machine.state in _BEFORE_TRIAL:
        try:
            _check_lapse(machine, registry, now)
        except UpdateRefused:
            if machine.is_over:
                raise
    if why_open is not None:
        raise UpdateRefused(UpdateCode.TABLE_OPEN, f"{why_open}, while its device is updated")


def check_approved(update: Update, registry: Registry) -> ApprovedUpdate:
    """Two people approved exactly this update; a record alone does not show it.

    Raises:
        UpdateRefused: no approval (``not_authorised``), or of other content (``changed_proposal``).
    """
    allowed = registry.book.updates.get(update.order)
    if allowed is None:
        raise UpdateRefused(UpdateCode.NOT_AUTHORISED, f"two persons have not approved this update of {update.name}")
    if allowed.matter != update:
        raise UpdateRefused(TrustCode.CHANGED_PROPOSAL, f"what was approved for {update.name} is not what was staged")
    return allowed


def _check_lapse(machine: UpdateMachine, registry: Registry, now: datetime) -> None:
    try:
        _allowed(machine.update, registry, now)
    except UpdateRefused as refused:
        machine.fire(UpdateTrigger.LAPSE, code=refused.code, detail=refused.what)
        raise


def _allowed(update: Update, registry: Registry, now: datetime) -> ApprovedUpdate:
    book, allowed = registry.book, check_approved(update, registry)
    for person in (allowed.proposed_by, allowed.approved_by):
        if person not in book.persons:
            raise UpdateRefused(TrustCode.UNKNOWN_PERSON, f"{person}, who approved it, may not act any more")
    if allowed.proposed_by == allowed.approved_by:
        raise UpdateRefused(TrustCode.SAME_PERSON, f"{allowed.approved_by} alone approved it")
    age = now - parse_time(allowed.at)
    if not -CLOCK_TOLERANCE <= age <= APPROVAL_VALID:
        hours = APPROVAL_VALID // timedelta(hours=1)
        raise UpdateRefused(UpdateCode.STALE_APPROVAL, f"it was approved at {allowed.at}, for {hours} hours")
    return allowed
