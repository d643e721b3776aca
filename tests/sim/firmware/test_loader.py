"""The boot loader: trials, ways back, confirmation, the security counter."""

import random

import pytest

from protocols.mcuboot.codec import decode_image, digest_of
from protocols.mcuboot.image import ImageVersion
from protocols.tdp.codes import BootState
from sim.firmware.boot_record import NO_DIGEST, BootRecord, Trial
from sim.firmware.build import class_id_of, key_of, maker_key, payload_of, signed
from sim.firmware.flash import FlashMisuse, NorFlash
from sim.firmware.image_check import BootTrust, ImageRefused
from sim.firmware.loader import BootLoader, NotProvisioned, RunningImage
from sim.firmware.slots import FlashMap, FlashSlot, SlotWriter

MODEL = "Reading shoe"
WHERE = FlashMap(slot_blocks=2)


def image(number: int, counter: int, *, signer: str = "maker") -> bytes:
    return signed(payload_of(5000, number), ImageVersion(1, number, 0), counter, MODEL, key_of(signer))


def digest(data: bytes) -> bytes:
    return digest_of(decode_image(data))


OLD, NEW = image(0, 3), image(1, 5)


def blank(seed: int) -> BootLoader:
    flash = NorFlash(WHERE.geometry, random.Random(seed))
    return BootLoader(flash, WHERE, BootTrust(maker_key().public_key(), class_id_of(MODEL)))


@pytest.fixture
def loader(seed: int) -> BootLoader:
    made = blank(seed)
    made.provision(OLD)
    return made


def put(loader: BootLoader, slot: FlashSlot, data: bytes) -> None:
    writer = SlotWriter(loader.flash, WHERE, slot)
    writer.write(data)
    writer.finish()


def boot(loader: BootLoader) -> RunningImage:
    running = loader.boot()
    assert running is not None
    return running


def told(running: RunningImage) -> tuple[FlashSlot, bytes, BootState]:
    return running.slot, running.approved.digest, running.state


AS_BEFORE = (FlashSlot.A, digest(OLD), BootState.VERIFIED)
ON_TRIAL = (FlashSlot.B, digest(NEW), BootState.TEST_BOOT)
AFTERWARDS = (FlashSlot.B, digest(NEW), BootState.VERIFIED)


def test_a_new_device_runs_what_it_was_delivered_with(loader: BootLoader) -> None:
    assert told(boot(loader)) == AS_BEFORE
    assert loader.record == BootRecord(FlashSlot.A, 3)


def test_a_device_without_a_boot_record_says_so(seed: int) -> None:
    with pytest.raises(NotProvisioned, match="provisioned first"):
        blank(seed).boot()


def test_a_device_is_not_delivered_with_what_it_would_not_run(seed: int) -> None:
    with pytest.raises(ImageRefused, match="wrong_key"):
        blank(seed).provision(image(0, 3, signer="thief"))
    with pytest.raises(FlashMisuse, match="a slot has 8192 bytes"):
        blank(seed).provision(signed(bytes(9000), ImageVersion(1, 0, 0), 1, MODEL, maker_key()))


def test_what_is_uploaded_and_not_wanted_does_not_run(loader: BootLoader) -> None:
    put(loader, FlashSlot.B, NEW)
    assert told(boot(loader)) == AS_BEFORE


def test_a_trial_runs_once_and_the_next_boot_goes_back(loader: BootLoader) -> None:
    put(loader, FlashSlot.B, NEW)
    loader.want_trial(loader.approved(FlashSlot.B, 3))
    assert told(boot(loader)) == ON_TRIAL
    assert loader.record == BootRecord(FlashSlot.A, 3, Trial.STARTED, digest(NEW)), "the counter waits for confirmation"
    assert told(boot(loader)) == AS_BEFORE
    assert loader.record == BootRecord(FlashSlot.A, 3, Trial.NONE, NO_DIGEST)
    assert told(boot(loader)) == AS_BEFORE


def test_what_is_confirmed_stays_and_raises_the_counter(loader: BootLoader) -> None:
    put(loader, FlashSlot.B, NEW)
    loader.want_trial(loader.approved(FlashSlot.B, 3))
    loader.confirm(boot(loader))
    assert told(boot(loader)) == AFTERWARDS
    assert loader.record == BootRecord(FlashSlot.B, 5)
    with pytest.raises(ImageRefused, match="rolled_back"):
        loader.approved(FlashSlot.A, loader.record.counter)


def test_another_image_than_the_one_that_was_wanted_is_not_tried(loader: BootLoader) -> None:
    put(loader, FlashSlot.B, NEW)
    loader.want_trial(loader.approved(FlashSlot.B, 3))
    put(loader, FlashSlot.B, image(2, 6))
    assert told(boot(loader)) == AS_BEFORE
    assert loader.record.trial is Trial.NONE


@pytest.mark.parametrize("data", [image(2, 6, signer="thief"), image(2, 2), b"\xff" * 99])
def test_what_may_not_run_is_not_tried_whoever_wants_it(loader: BootLoader, data: bytes) -> None:
    put(loader, FlashSlot.B, NEW)
    loader.want_trial(loader.approved(FlashSlot.B, 3))
    put(loader, FlashSlot.B, data)
    assert told(boot(loader)) == AS_BEFORE


def test_a_trial_can_be_given_up(loader: BootLoader) -> None:
    put(loader, FlashSlot.B, NEW)
    loader.want_trial(loader.approved(FlashSlot.B, 3))
    loader.cancel_trial()
    assert told(boot(loader)) == AS_BEFORE
    before = loader.flash.operations
    loader.cancel_trial()
    assert loader.flash.operations == before, "nothing was wanted"


def test_a_device_whose_only_image_rots_stays_in_its_boot_loader_and_can_be_given_another(loader: BootLoader) -> None:
    loader.flash.program(256, bytes(256))
    assert loader.boot() is None
    put(loader, FlashSlot.B, NEW)
    loader.want_trial(loader.approved(FlashSlot.B, 3))
    loader.confirm(boot(loader))
    assert told(boot(loader)) == AFTERWARDS


def test_a_boot_that_changes_nothing_writes_nothing(loader: BootLoader) -> None:
    before = loader.flash.operations
    boot(loader)
    assert loader.flash.operations == before
