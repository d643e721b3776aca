"""Refusals before a device is touched, with their codes."""

import contextlib
import hashlib
from contextlib import AbstractContextManager
from datetime import timedelta

import msgspec
import pytest

from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import ActRefused, FirmwareRefused
from firmware_bridge.update import staging
from firmware_bridge.update.codes import UpdateCode
from firmware_bridge.update.errors import UpdateRefused
from firmware_bridge.update.record import UpdateEntry
from firmware_bridge.update.states import UpdateState, UpdateTrigger
from tests.firmware_bridge.update.conftest import OTHER_MODEL, WAITS
from tests.firmware_bridge.update.night import NEW, OLD, Night


def refused(code: str) -> AbstractContextManager[pytest.ExceptionInfo[UpdateRefused]]:
    return pytest.raises(UpdateRefused, match=f"^{code}: ")


def test_staged_verified_authorised_closed(night: Night) -> None:
    entries: list[UpdateEntry] = []
    machine = night.prepared(NEW, entries)
    assert [entry.state for entry in entries] == [
        UpdateState.STAGED,
        UpdateState.VERIFIED,
        UpdateState.AUTHORISED,
        UpdateState.CLOSED,
    ]
    assert entries[0].update == machine.update
    approval = entries[2].approval
    assert approval is not None
    assert approval.by == ("anna", "bruno")
    assert approval.registry.startswith(f"{len(night.registry.lines)}:")


def test_wrong_model(night: Night) -> None:
    listed = night.approvals.of_version(OTHER_MODEL.version)
    with refused(UpdateCode.WRONG_MODEL):
        staging.plan([], night.registry, night.device, listed)


def test_unknown_device(night: Night) -> None:
    with refused(TrustCode.UNKNOWN_DEVICE):
        staging.plan([], night.registry, "shoe-9", night.approvals.of_version(NEW.version))


def test_without_the_regulator(night: Night) -> None:
    with pytest.raises(FirmwareRefused, match="regulator_missing"):
        night.approvals.of_version(WAITS.version)


def test_one_update_at_a_time(night: Night) -> None:
    entries: list[UpdateEntry] = []
    machine = night.staged(NEW, entries)
    with refused(UpdateCode.UPDATE_OPEN):
        night.staged(NEW, entries)
    machine.fire(UpdateTrigger.CANCEL, by="anna")
    assert (machine.state, machine.code) == (UpdateState.ABANDONED, UpdateCode.CANCELLED)
    assert night.staged(NEW, entries).update.order != machine.update.order


@pytest.mark.parametrize(
    "image",
    [NEW.image[:-1], NEW.image + b"\0", OLD.image, b"", NEW.image[:100] + b"\1" + NEW.image[101:]],
    ids=["truncated", "longer", "another", "empty", "a byte changed"],
)
def test_a_file_that_is_not_the_one_that_was_listed(night: Night, image: bytes) -> None:
    machine = night.staged(NEW, [])
    with refused(UpdateCode.FILE_DIFFERS):
        staging.verify(machine, night.approvals, image)
    assert (machine.state, machine.code) == (UpdateState.REFUSED, UpdateCode.FILE_DIFFERS)


def test_an_image_that_says_something_else_than_its_entry(night: Night) -> None:
    good = night.staged(NEW, []).update
    wrong = msgspec.structs.replace(good, file=hashlib.sha256(OLD.image).hexdigest(), length=len(OLD.image))
    with refused(UpdateCode.FILE_DIFFERS) as caught:
        staging.check_file(wrong, night.approvals, OLD.image)
    assert "what was staged is another" in caught.value.what


def test_a_file_that_is_no_image(night: Night) -> None:
    good, data = night.staged(NEW, []).update, b"no image"
    wrong = msgspec.structs.replace(good, file=hashlib.sha256(data).hexdigest(), length=len(data))
    with refused(TrustCode.IMAGE_DIFFERS):
        staging.check_file(wrong, night.approvals, data)


def test_nobody_has_approved_it(night: Night) -> None:
    machine = night.staged(NEW, [])
    with refused(UpdateCode.NOT_AUTHORISED):
        staging.authorise(machine, night.registry, night.now)
    assert machine.state is UpdateState.VERIFIED, "it may be approved still"


def test_same_person_twice(night: Night) -> None:
    machine = night.staged(NEW, [])
    found = night.site.propose(machine.update, night.anna, night.now)
    with pytest.raises(ActRefused, match="same_person"):
        night.site.approve(found.id, night.anna, night.now)
    with refused(UpdateCode.NOT_AUTHORISED):
        staging.authorise(machine, night.registry, night.now)


def test_stale_proposal(night: Night) -> None:
    machine = night.staged(NEW, [])
    found = night.site.propose(machine.update, night.anna, night.now)
    with pytest.raises(ActRefused, match="stale_proposal"):
        night.site.approve(found.id, night.bruno, night.now + timedelta(minutes=16))


def test_an_approval_is_for_one_update(night: Night) -> None:
    machine = night.staged(NEW, [])
    night.approve(machine.update)
    with pytest.raises(ActRefused, match="closed_proposal"):
        night.approve(machine.update)
    with refused(UpdateCode.NOT_AUTHORISED):
        staging.authorise(night.staged(NEW, []), night.registry, night.now)


def test_an_approval_of_something_else(night: Night) -> None:
    machine = night.staged(NEW, [])
    night.approve(msgspec.structs.replace(machine.update, security_counter=9))
    with refused(TrustCode.CHANGED_PROPOSAL):
        staging.authorise(machine, night.registry, night.now)


def test_an_update_of_a_device_that_is_none(night: Night) -> None:
    update = night.staged(NEW, []).update
    with pytest.raises(ActRefused, match="unknown_device"):
        night.approve(msgspec.structs.replace(update, name="shoe-9"))
    with pytest.raises(ActRefused, match="identity_differs"):
        night.approve(msgspec.structs.replace(update, serial="SN-9"))


@pytest.mark.parametrize("hours", [12.1, -1])
def test_stale_approval(night: Night, hours: float) -> None:
    machine = night.staged(NEW, [])
    night.approve(machine.update)
    later = night.now + timedelta(hours=hours)
    with refused(UpdateCode.STALE_APPROVAL):
        staging.authorise(machine, night.registry, later)
    staging.authorise(machine, night.registry, night.now)
    with refused(UpdateCode.STALE_APPROVAL):
        staging.close_table(machine, night.registry, None, later)
    assert (machine.state, machine.code) == (UpdateState.ABANDONED, UpdateCode.STALE_APPROVAL)


def test_an_approval_of_somebody_who_may_not_act_any_more(tmp_path_factory: pytest.TempPathFactory) -> None:
    own = Night(tmp_path_factory.mktemp("own"))
    machine = own.staged(NEW, [])
    own.approve(machine.update)
    own.site.revoke("person", "bruno", "left the house", own.anna, own.now)
    with refused(TrustCode.UNKNOWN_PERSON):
        staging.authorise(machine, own.registry, own.now)


@pytest.mark.parametrize(
    ("state", "then"), [(UpdateState.CLOSED, UpdateState.ABANDONED), (UpdateState.TRANSFERRED, UpdateState.REVERTING)]
)
def test_an_approval_does_not_wait_in_an_update_that_was_stopped(
    night: Night, state: UpdateState, then: UpdateState
) -> None:
    """Somebody runs it once with the device unplugged, or pulls the cable, and comes back alone three weeks later."""
    machine = night.prepared(NEW, [])
    if state is UpdateState.TRANSFERRED:
        machine.fire(UpdateTrigger.HOLDS_NEW)
    staging.go_on(machine, night.registry, None, night.now + timedelta(hours=11))
    assert machine.state is state
    with refused(UpdateCode.TABLE_OPEN):
        staging.go_on(machine, night.registry, "a log is open", night.now)
    with contextlib.nullcontext() if then is UpdateState.REVERTING else refused(UpdateCode.STALE_APPROVAL):
        staging.go_on(machine, night.registry, None, night.now + timedelta(weeks=3))
    assert (machine.state, machine.code) == (then, UpdateCode.STALE_APPROVAL)


def test_a_trial_comes_to_its_end_however_long_that_takes(night: Night) -> None:
    machine = night.prepared(NEW, [])
    machine.fire(UpdateTrigger.HOLDS_NEW)
    machine.fire(UpdateTrigger.AWAITS_TRIAL)
    staging.go_on(machine, night.registry, None, night.now + timedelta(weeks=3))
    assert machine.state is UpdateState.TESTING


def test_open_table(night: Night) -> None:
    machine = night.staged(NEW, [])
    night.approve(machine.update)
    staging.authorise(machine, night.registry, night.now)
    with refused(UpdateCode.TABLE_OPEN):
        staging.close_table(machine, night.registry, "a log is open", night.now)
    assert machine.state is UpdateState.AUTHORISED, "it may be closed still"
    staging.close_table(machine, night.registry, None, night.now)


def test_nothing_out_of_its_order(night: Night) -> None:
    machine = night.staged(NEW, [])
    night.approve(machine.update)
    with refused(UpdateCode.NOT_NOW):
        staging.close_table(machine, night.registry, None, night.now)
    for trigger in (UpdateTrigger.RUNS_NEW, UpdateTrigger.STAGE, UpdateTrigger.VERIFY):
        with refused(UpdateCode.NOT_NOW):
            machine.fire(trigger)
    assert machine.state is UpdateState.VERIFIED
