"""The record: durable before anything is done, taken up by a new machine, refused where no rule can have made it."""

import random
from typing import Final

import msgspec
import pytest

from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.facts import DeviceEvidence
from firmware_bridge.update.codes import UpdateCode
from firmware_bridge.update.errors import DeviceFailure, UpdateRefused
from firmware_bridge.update.machine import UpdateMachine
from firmware_bridge.update.observations import ObservationEvaluator
from firmware_bridge.update.record import UpdateEntry, decode, encode, newest
from firmware_bridge.update.states import FINAL, OBSERVATIONS, UpdateState, UpdateStep, UpdateTrigger
from sim.firmware.build import class_id_of, maker_key
from sim.firmware.flash import NorFlash
from sim.firmware.image_check import BootTrust
from sim.firmware.loader import BootLoader
from tests.firmware_bridge.update.loop import WHERE, LoopDevice, Unit
from tests.firmware_bridge.update.night import DEVICE_KEY, MAKER, MODEL, NEW, OLD, SERIAL, Night


class Gone(LoopDevice):
    """Nobody is there, from one restart on."""

    is_away = False

    def restart(self) -> None:
        super().restart()
        self.is_away = True

    def attest(self, nonce: bytes) -> DeviceEvidence:
        if self.is_away:
            raise DeviceFailure(UpdateCode.DEVICE_SILENT, "nobody answers")
        return super().attest(nonce)


class DiskFailed(Exception):
    """The record cannot be kept."""


def device(night: Night, kind: type[LoopDevice] = LoopDevice) -> LoopDevice:
    trust = BootTrust(maker_key().public_key(), class_id_of(MODEL))
    loader = BootLoader(NorFlash(WHERE.geometry, random.Random(1)), WHERE, trust)
    loader.provision(OLD.image)
    return kind(loader, Unit(MAKER, MODEL, SERIAL, night.certificate, DEVICE_KEY))


def judge(night: Night, machine: UpdateMachine) -> ObservationEvaluator:
    return ObservationEvaluator(machine.update, night.registry, night.approvals, night.revoked)


def again(entries: list[UpdateEntry], night: Night) -> UpdateMachine:
    """The update as a new process reads it from the record."""
    return UpdateMachine([decode(encode(entry)) for entry in entries], entries.append, night.clock)


def test_nothing_moves_and_nothing_is_done_if_it_cannot_be_recorded(night: Night) -> None:
    entries: list[UpdateEntry] = []
    machine = night.prepared(NEW, entries)

    def fails(entry: UpdateEntry) -> None:
        raise DiskFailed(entry)

    broken = UpdateMachine(entries, fails, night.clock)
    shoe = device(night)
    with pytest.raises(DiskFailed):
        broken.run(judge(night, machine), shoe, shoe, NEW.image)
    assert broken.state is UpdateState.CLOSED
    assert shoe.supply.operations == 0
    with pytest.raises(DiskFailed):
        broken.fire(UpdateTrigger.CANCEL)
    assert broken.state is UpdateState.CLOSED


def test_a_device_that_does_not_come_back_is_taken_back_when_it_does(night: Night) -> None:
    entries: list[UpdateEntry] = []
    machine = night.prepared(NEW, entries)
    shoe = device(night, Gone)
    assert isinstance(shoe, Gone)
    with pytest.raises(DeviceFailure, match="device_silent"):
        machine.run(judge(night, machine), shoe, shoe, NEW.image)
    assert (machine.state, machine.code) == (UpdateState.REVERTING, UpdateCode.DEVICE_SILENT)
    with pytest.raises(DeviceFailure, match="device_silent"):
        again(entries, night).run(judge(night, machine), shoe, shoe, NEW.image)
    shoe.is_away = False
    shoe.restart = LoopDevice.restart.__get__(shoe)  # type: ignore[method-assign]  # it stays from now on
    later = again(entries, night)
    assert later.run(judge(night, machine), shoe, shoe, NEW.image) is UpdateState.REVERTED
    assert later.code == UpdateCode.DEVICE_SILENT
    running = shoe.start()
    assert running is not None
    assert running.approved.digest == OLD.digest


@pytest.mark.parametrize("approvals", [True, False])
def test_without_the_file_or_the_list_it_only_goes_back(night: Night, approvals: bool) -> None:
    entries: list[UpdateEntry] = []
    shoe = device(night, Gone)
    assert isinstance(shoe, Gone)
    machine = night.prepared(NEW, entries)
    with pytest.raises(DeviceFailure):
        machine.run(judge(night, machine), shoe, shoe, NEW.image)
    shoe.is_away = False
    shoe.restart = LoopDevice.restart.__get__(shoe)  # type: ignore[method-assign]  # as above
    blind = ObservationEvaluator(machine.update, night.registry, night.approvals if approvals else None, night.revoked)
    assert again(entries, night).run(blind, shoe, shoe, None) is UpdateState.REVERTED


def test_without_the_file_nothing_is_sent(night: Night) -> None:
    machine, shoe = night.prepared(NEW, []), device(night)
    assert machine.run(judge(night, machine), shoe, shoe, None) is UpdateState.ABANDONED
    assert machine.code == UpdateCode.TRANSFER_FAILED
    assert shoe.supply.operations == 0


def test_a_person_cancels_on_the_way(night: Night) -> None:
    entries: list[UpdateEntry] = []

    def until_testing(entry: UpdateEntry) -> None:
        entries.append(entry)
        if entry.state is UpdateState.TESTING:
            raise DiskFailed(entry)

    shoe = device(night)
    stopped = night.prepared(NEW, entries)
    stopped = UpdateMachine(entries, until_testing, night.clock)
    with pytest.raises(DiskFailed):
        stopped.run(judge(night, stopped), shoe, shoe, NEW.image)
    machine = again(entries, night)
    machine.fire(UpdateTrigger.CANCEL, by="anna", detail="not tonight")
    assert machine.entries[-1].by == "anna"
    assert machine.run(judge(night, machine), shoe, shoe, NEW.image) is UpdateState.REVERTED
    assert (machine.code, machine.detail) == (UpdateCode.CANCELLED, "not tonight")
    with pytest.raises(UpdateRefused, match="not_now"):
        machine.fire(UpdateTrigger.CANCEL, by="anna")


def test_it_is_not_run_before_its_time_or_with_another_file(night: Night) -> None:
    shoe = device(night)
    staged = night.staged(NEW, [])
    with pytest.raises(UpdateRefused, match="not_now"):
        staged.run(judge(night, staged), shoe, shoe, NEW.image)
    machine = night.prepared(NEW, [])
    with pytest.raises(UpdateRefused, match="file_differs"):
        machine.run(judge(night, machine), shoe, shoe, OLD.image)
    assert shoe.supply.operations == 0


def test_the_record_holds_what_is_needed_to_verify_each_attestation(night: Night) -> None:
    entries: list[UpdateEntry] = []
    machine, shoe = night.prepared(NEW, entries), device(night)
    machine.run(judge(night, machine), shoe, shoe, NEW.image)
    found = [entry.evidence for entry in entries if entry.evidence is not None]
    assert len({evidence.nonce for evidence in found}) == len(found) == 6
    for evidence in found:
        state = {"verified": 1, "test_boot": 2}[evidence.boot_state]
        signed = b"TDP/1 attestation\0" + bytes.fromhex(evidence.nonce + evidence.digest)
        signed += evidence.security_counter.to_bytes(4, "big") + bytes([state])
        DEVICE_KEY.public_key().verify(bytes.fromhex(evidence.signature), signed)


LOOKS_MAX: Final = 50
"""At a device that answers each look, whatever it shows."""


def test_whatever_a_device_shows_its_update_ends_and_is_confirmed_only_when_it_was_attested(
    night: Night, seed: int
) -> None:
    entries: list[UpdateEntry] = []
    night.prepared(NEW, entries)
    rng, ends = random.Random(seed), set()
    for _ in range(2_000):
        machine = UpdateMachine(entries, list[UpdateEntry]().append, night.clock)
        shows = rng.sample(OBSERVATIONS[1:], rng.randrange(1, len(OBSERVATIONS)))
        looks = 0
        while not machine.is_over:
            # It goes on as it did for a while: what a device needs to get far.
            shown = rng.choice(shows)
            for _again in range(rng.randrange(1, 4)):
                if not machine.is_over:
                    machine.fire(shown, code="x" if shown is UpdateTrigger.UNTRUE else "")
                    looks += 1
            assert looks <= LOOKS_MAX, f"{machine.state} for ever, showing {shows}"
        ends.add(machine.state)
        states = [entry.state for entry in machine.entries]
        for number, entry in enumerate(machine.entries):
            if entry.act is UpdateStep.CONFIRM:
                assert entry.trigger is UpdateTrigger.RUNS_TRIAL
            if entry.state is UpdateState.CONFIRMED:
                assert entry.trigger is UpdateTrigger.RUNS_NEW
                assert UpdateState.ATTESTED in states[:number]
            if entry.state is UpdateState.REVERTED:
                assert entry.trigger is UpdateTrigger.RUNS_OLD
    assert ends == FINAL


@pytest.mark.parametrize(
    "forged",
    [
        UpdateEntry(at="x", trigger=UpdateTrigger.RUNS_NEW, state=UpdateState.CONFIRMED),
        UpdateEntry(at="x", trigger=UpdateTrigger.RUNS_TRIAL, state=UpdateState.ATTESTED, act=UpdateStep.CONFIRM),
        UpdateEntry(at="x", trigger=UpdateTrigger.RUNS_OLD, state=UpdateState.CLOSED, act=UpdateStep.CONFIRM),
        UpdateEntry(at="x", trigger=UpdateTrigger.AUTHORISE, state=UpdateState.AUTHORISED),
    ],
)
def test_a_record_that_no_rule_can_have_made(night: Night, forged: UpdateEntry) -> None:
    entries: list[UpdateEntry] = []
    night.prepared(NEW, entries)
    with pytest.raises(UpdateRefused, match="record_damaged"):
        UpdateMachine([*entries, forged], entries.append, night.clock)


def test_records_that_are_none(night: Night) -> None:
    with pytest.raises(UpdateRefused, match="not_staged"):
        UpdateMachine([], print, night.clock)
    with pytest.raises(UpdateRefused, match=r"record_damaged: an update cannot begin .* without saying what"):
        UpdateMachine([UpdateEntry(at="x", trigger=UpdateTrigger.STAGE, state=UpdateState.STAGED)], print, night.clock)
    for data in (b"", b"{}", b"\xff", b'{"at":"x","trigger":"hope","state":"staged"}'):
        with pytest.raises(UpdateRefused, match="record_damaged"):
            decode(data)


def test_a_record_cannot_begin_further_on(night: Night) -> None:
    entries: list[UpdateEntry] = []
    night.staged(NEW, entries)
    forged = msgspec.structs.replace(entries[0], state=UpdateState.CLOSED)
    with pytest.raises(UpdateRefused, match="record_damaged: an update cannot begin as closed"):
        UpdateMachine([forged], entries.append, night.clock)


def test_the_newest_update_counts(night: Night) -> None:
    entries: list[UpdateEntry] = []
    first = night.staged(NEW, entries)
    first.fire(UpdateTrigger.CANCEL)
    second = night.staged(NEW, entries)
    assert len(entries) == 5
    assert again(entries, night).update == second.update
    assert [entry.state for entry in newest(entries)] == [UpdateState.STAGED, UpdateState.VERIFIED]


def test_an_older_firmware_than_the_table_has_seen_is_no_firmware_of_before(night: Night) -> None:
    machine = night.prepared(NEW, [])
    shoe = device(night)
    remembering = ObservationEvaluator(
        machine.update, night.registry, night.approvals, night.revoked, least_counter=NEW.counter
    )
    assert machine.run(remembering, shoe, shoe, NEW.image) is UpdateState.REFUSED
    assert (machine.code, machine.detail) == (
        TrustCode.COUNTER_WENT_BACK,
        f"security counter {OLD.counter}, after {NEW.counter}",
    )
    assert shoe.supply.operations == 0
