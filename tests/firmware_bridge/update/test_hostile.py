"""Attempts of a device while it is updated: each ends with the code that names it, and nothing is kept."""

from dataclasses import replace

import pytest

from firmware_bridge.trust.acts import EnrolDevice
from firmware_bridge.trust.certificates import der
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.facts import Unit as Named
from firmware_bridge.trust.keys import public_bytes, to_text
from firmware_bridge.update.codes import UpdateCode, resolution_of
from firmware_bridge.update.machine import UpdateMachine
from firmware_bridge.update.observations import ObservationEvaluator
from firmware_bridge.update.record import UpdateEntry
from firmware_bridge.update.states import UpdateState, UpdateStep
from sim.firmware.build import key_of
from tests.firmware_bridge.update import hostile
from tests.firmware_bridge.update.hostile import ANOTHER, OLDER, RIGHT, UNSIGNED, assert_runs, made, night, whose
from tests.firmware_bridge.update.loop import LoopDevice, Unit
from tests.firmware_bridge.update.night import MAKER, MODEL, NEW, OLD, SERIAL, Made, Night

__all__ = ["night", "whose"]


def updated(night: Night, device: LoopDevice, firmware: Made = NEW) -> UpdateMachine:
    entries: list[UpdateEntry] = []
    machine = night.prepared(firmware, entries)
    machine.run(
        ObservationEvaluator(machine.update, night.registry, night.approvals, night.revoked),
        device,
        device,
        firmware.image,
    )
    return machine


def acts(machine: UpdateMachine) -> list[UpdateStep]:
    return [entry.act for entry in machine.entries if entry.act is not None]


def assert_ended(machine: UpdateMachine, state: UpdateState, code: str) -> None:
    assert (machine.state, machine.code) == (state, code), machine.detail
    assert resolution_of(machine.code) is not None


def test_an_honest_device_is_updated(night: Night, whose: Unit) -> None:
    device = made(LoopDevice, whose)
    machine = updated(night, device)
    assert (machine.state, machine.code) == (UpdateState.CONFIRMED, "")
    assert acts(machine) == [
        UpdateStep.UPLOAD,
        UpdateStep.TRY,
        UpdateStep.RESTART,
        UpdateStep.CONFIRM,
        UpdateStep.RESTART,
    ]
    assert_runs(device, NEW)


# --- what it says of itself -----------------------------------------------------------------------------------------


def test_forged_digest(night: Night, whose: Unit) -> None:
    device = made(hostile.ForgesHello, whose)
    machine = updated(night, device)
    assert_ended(machine, UpdateState.REVERTED, TrustCode.DIGEST_DIFFERS)
    assert UpdateStep.CONFIRM not in acts(machine)
    assert_runs(device, OLD)


@pytest.mark.parametrize("is_kept", [False, True])
def test_a_device_that_only_says_that_it_was_updated(night: Night, whose: Unit, is_kept: bool) -> None:  # a parameter
    device = made(hostile.LiesOfAll, whose)
    device.wanted, device.is_kept = NEW, is_kept
    machine = updated(night, device)
    assert_ended(machine, UpdateState.REFUSED, TrustCode.SIGNATURE_WRONG)
    assert UpdateStep.CONFIRM not in acts(machine)
    assert_runs(device, OLD)


def test_replayed_attestation(night: Night, whose: Unit) -> None:
    machine = updated(night, made(hostile.Replays, whose))
    assert_ended(machine, UpdateState.REFUSED, TrustCode.NONCE_DIFFERS)


def test_replayed_attestation_with_the_right_number(night: Night, whose: Unit) -> None:
    device = made(hostile.Replays, whose)
    device.renumbers = True
    assert_ended(updated(night, device), UpdateState.REFUSED, TrustCode.SIGNATURE_WRONG)


def test_no_attestation(night: Night, whose: Unit) -> None:
    assert_ended(updated(night, made(hostile.Mute, whose)), UpdateState.REFUSED, TrustCode.NOT_ATTESTED)


def test_plain_line(night: Night) -> None:
    assert_ended(updated(night, made(LoopDevice, RIGHT)), UpdateState.REFUSED, TrustCode.NO_CERTIFICATE)


# --- who it is ------------------------------------------------------------------------------------------------------


def test_key_shared_with_another_unit(night: Night, whose: Unit) -> None:
    device = made(LoopDevice, replace(whose, serial="SN-2"))
    assert_ended(updated(night, device), UpdateState.REFUSED, TrustCode.KEY_SHARED)
    assert device.supply.operations == 0, "nothing was written to it"


def test_attestation_by_a_key_of_all_units(night: Night, whose: Unit) -> None:
    device = made(hostile.SignsWithAnother, whose)
    device.key = key_of("all units")
    assert_ended(updated(night, device), UpdateState.REFUSED, TrustCode.SIGNATURE_WRONG)


def test_cloned_serial(night: Night) -> None:
    key = key_of("clone SN-1")
    certificate = night.issuer.device(Named(MAKER, MODEL, SERIAL), "clone", key.public_key(), night.now)
    clone = Unit(MAKER, MODEL, SERIAL, der(certificate), key)
    assert_ended(updated(night, made(LoopDevice, clone)), UpdateState.REFUSED, TrustCode.SERIAL_CLONED)


def test_service_port_of_another_unit(night: Night, whose: Unit) -> None:
    device, other = made(hostile.OtherPort, whose), made(LoopDevice, whose, ANOTHER)
    device.other = other
    assert_ended(updated(night, device), UpdateState.REFUSED, UpdateCode.STATES_DIFFER)
    assert other.supply.operations == 0


def test_service_port_of_another_unit_with_the_same_firmware(night: Night, whose: Unit) -> None:
    device, other = made(LoopDevice, whose), made(LoopDevice, whose)
    machine = night.prepared(NEW, [])
    machine.run(
        ObservationEvaluator(machine.update, night.registry, night.approvals, night.revoked), other, device, NEW.image
    )
    assert_ended(machine, UpdateState.REVERTED, UpdateCode.STATES_DIFFER)
    assert UpdateStep.CONFIRM not in acts(machine)
    assert_runs(other, OLD)


# --- what it runs ---------------------------------------------------------------------------------------------------


def test_roll_back(night: Night, whose: Unit) -> None:
    device = made(LoopDevice, whose)
    assert_ended(updated(night, device, OLDER), UpdateState.REFUSED, UpdateCode.LOWER_COUNTER)
    assert device.supply.operations == 0


def test_roll_back_to_what_lies_in_the_other_slot(night: Night, whose: Unit) -> None:
    device = made(LoopDevice, whose)
    device.upload(OLDER.image)
    before = device.supply.operations
    assert_ended(updated(night, device, OLDER), UpdateState.REFUSED, UpdateCode.LOWER_COUNTER)
    assert device.supply.operations == before


def test_what_lies_in_the_other_slot_already_is_not_sent_again(night: Night, whose: Unit) -> None:
    device = made(LoopDevice, whose)
    device.upload(NEW.image)
    machine = updated(night, device)
    assert machine.state is UpdateState.CONFIRMED
    assert UpdateStep.UPLOAD not in acts(machine)
    before = machine.before
    assert before is not None
    assert before.digest == OLD.digest.hex()


def test_a_device_that_already_took_an_unsigned_firmware(night: Night, whose: Unit) -> None:
    device = made(LoopDevice, whose, UNSIGNED, checks_signature=False)
    assert_ended(updated(night, device), UpdateState.REFUSED, TrustCode.FIRMWARE_UNAPPROVED)


def test_unsigned_firmware_put_in_before_the_trial(night: Night, whose: Unit) -> None:
    device = made(hostile.Burgled, whose, checks_signature=False)
    device.image, device.digest = UNSIGNED.image, UNSIGNED.digest
    machine = updated(night, device)
    assert_ended(machine, UpdateState.REVERTED, TrustCode.FIRMWARE_UNAPPROVED)
    assert UpdateStep.CONFIRM not in acts(machine)
    assert_runs(device, OLD)


def test_unsigned_firmware_put_in_and_kept(night: Night, whose: Unit) -> None:
    device = made(hostile.Burgled, whose, checks_signature=False)
    device.image, device.digest, device.keeps = UNSIGNED.image, UNSIGNED.digest, True
    machine = updated(night, device)
    assert_ended(machine, UpdateState.REFUSED, TrustCode.FIRMWARE_UNAPPROVED)
    assert UpdateStep.CONFIRM not in acts(machine)


def test_another_approved_firmware_put_in_before_the_trial(night: Night, whose: Unit) -> None:
    device = made(hostile.Burgled, whose)
    device.image, device.digest = ANOTHER.image, ANOTHER.digest
    machine = updated(night, device)
    assert_ended(machine, UpdateState.REVERTED, UpdateCode.TRIAL_UNASKED)
    assert_runs(device, OLD)


@pytest.mark.parametrize("firmware", [UNSIGNED, ANOTHER])
def test_another_firmware_waits_for_its_trial(night: Night, whose: Unit, firmware: Made) -> None:
    device = made(hostile.Burgled, whose, checks_signature=False)
    device.image, device.digest, device.is_early = firmware.image, firmware.digest, True
    machine = updated(night, device)
    assert_ended(machine, UpdateState.REVERTED, UpdateCode.TRIAL_UNASKED)
    assert UpdateStep.RESTART not in acts(machine), "it is never tried"
    assert_runs(device, OLD)


def test_another_firmware_waited_before(night: Night, whose: Unit) -> None:
    device = made(LoopDevice, whose)
    device.upload(ANOTHER.image)
    device.want_trial(ANOTHER.digest)
    before = device.supply.operations
    assert_ended(updated(night, device), UpdateState.REFUSED, UpdateCode.TRIAL_UNASKED)
    assert device.supply.operations == before


def test_another_approved_firmware_put_in_and_kept(night: Night, whose: Unit) -> None:
    device = made(hostile.Burgled, whose)
    device.image, device.digest, device.keeps = ANOTHER.image, ANOTHER.digest, True
    assert_ended(updated(night, device), UpdateState.REFUSED, UpdateCode.UNKNOWN_FIRMWARE)


def test_a_firmware_that_lost_its_approval_may_be_updated(
    tmp_path_factory: pytest.TempPathFactory, night: Night
) -> None:
    withdrawn = Night(tmp_path_factory.mktemp("withdrawn"), (NEW,), (OLD,))
    device = made(LoopDevice, replace(RIGHT, certificate=withdrawn.certificate))
    assert updated(withdrawn, device).state is UpdateState.CONFIRMED
    unknown = Night(tmp_path_factory.mktemp("unknown"), (NEW,))
    device = made(LoopDevice, replace(RIGHT, certificate=unknown.certificate))
    assert_ended(updated(unknown, device), UpdateState.REFUSED, TrustCode.FIRMWARE_UNAPPROVED)
    assert night.approvals.of_version(OLD.version).code is TrustCode.OK


# --- what it does ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "state", "code"),
    [
        pytest.param(hostile.RestartsUnasked, UpdateState.REVERTED, UpdateCode.NOT_KEPT, id="reboots unasked"),
        pytest.param(hostile.NeverKeeps, UpdateState.REVERTED, UpdateCode.NOT_KEPT, id="never keeps"),
        pytest.param(hostile.NeverStarts, UpdateState.REVERTED, UpdateCode.TRIAL_FAILED, id="never starts again"),
        pytest.param(
            hostile.LosesUploads, UpdateState.ABANDONED, UpdateCode.TRANSFER_FAILED, id="truncates the upload"
        ),
    ],
)
def test_it_still_runs_the_old_firmware(
    night: Night, whose: Unit, kind: type[LoopDevice], state: UpdateState, code: UpdateCode
) -> None:
    device = made(kind, whose)
    assert_ended(updated(night, device), state, code)
    assert_runs(device, OLD)


def test_it_keeps_what_nobody_confirmed(night: Night, whose: Unit) -> None:
    assert_ended(updated(night, made(hostile.KeepsUnasked, whose)), UpdateState.REFUSED, UpdateCode.CONFIRMED_UNASKED)


def test_trial_that_was_there_before(night: Night, whose: Unit) -> None:
    device = made(LoopDevice, whose)
    device.upload(NEW.image)
    device.want_trial(NEW.digest)
    assert_ended(updated(night, device), UpdateState.REVERTED, UpdateCode.TRIAL_UNASKED)
    assert_runs(device, OLD)


def test_it_runs_there_already(night: Night, whose: Unit) -> None:
    device = made(LoopDevice, whose, NEW)
    assert_ended(updated(night, device), UpdateState.ABANDONED, UpdateCode.ALREADY_RUNS)


def test_revoked_device(tmp_path_factory: pytest.TempPathFactory) -> None:
    own = Night(tmp_path_factory.mktemp("revoked"))
    device = made(LoopDevice, replace(RIGHT, certificate=own.certificate))
    entries: list[UpdateEntry] = []
    machine = own.prepared(NEW, entries)
    own.site.revoke("device", own.device, "stolen", own.anna, own.now)
    machine.run(
        ObservationEvaluator(machine.update, own.registry, own.approvals, own.revoked), device, device, NEW.image
    )
    assert_ended(machine, UpdateState.REFUSED, TrustCode.REVOKED)


def test_another_unit_that_was_enrolled_under_its_name_since(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Two persons approved the update of one device; it is not that of whatever comes to have its name."""
    own = Night(tmp_path_factory.mktemp("renamed"))
    machine = own.prepared(NEW, [])
    own.site.revoke("device", own.device, "sent back", own.anna, own.now)
    key = key_of("SN-2")
    text = to_text(public_bytes(key.public_key()))
    own.approve(EnrolDevice(name=own.device, maker=MAKER, model=MODEL, serial="SN-2", key=text))
    device = made(LoopDevice, Unit(MAKER, MODEL, "SN-2", own.registry.book.devices[-1].certificate, key))
    machine.run(
        ObservationEvaluator(machine.update, own.registry, own.approvals, own.revoked), device, device, NEW.image
    )
    assert_ended(machine, UpdateState.REFUSED, TrustCode.IDENTITY_DIFFERS)
    assert device.supply.operations == 0
