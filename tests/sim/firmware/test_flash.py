"""NOR flash: what it refuses, and what a cut leaves behind."""

import random
from collections.abc import Callable

import pytest

from sim.firmware.flash import FlashMisuse, Geometry, NorFlash, Operation, Tear

SMALL = Geometry(block_bytes=64, page_bytes=16, blocks=4)


class Cut(Exception):
    pass


@pytest.fixture
def flash(seed: int) -> NorFlash:
    return NorFlash(SMALL, random.Random(seed))


def cut(_operation: Operation) -> None:
    raise Cut


def test_it_is_erased_at_first_and_keeps_what_is_programmed(flash: NorFlash) -> None:
    assert flash.content == b"\xff" * 256
    flash.program(16, b"\x12\x34")
    flash.program(16, b"\x12\x30")
    assert flash.read(15, 4) == b"\xff\x12\x30\xff"
    flash.erase(0)
    assert flash.content == b"\xff" * 256
    assert flash.operations == 3


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (lambda flash: flash.program(16, b"\x01"), "only when its block is erased"),
        (lambda flash: flash.program(17, b"\x00"), "from their beginning"),
        (lambda flash: flash.program(32, bytes(17)), "1 to 16 bytes"),
        (lambda flash: flash.program(32, b""), "1 to 16 bytes"),
        (lambda flash: flash.program(256, b"\x00"), "it has 256 bytes"),
        (lambda flash: flash.program(-16, b"\x00"), "it has 256 bytes"),
        (lambda flash: flash.erase(16), "erased whole"),
        (lambda flash: flash.read(250, 7), "not inside"),
        (lambda flash: flash.read(-1, 1), "not inside"),
    ],
)
def test_what_no_flash_can_do_is_refused_and_changes_nothing(
    flash: NorFlash, act: Callable[[NorFlash], object], why: str
) -> None:
    flash.program(16, b"\x00")
    before = flash.content
    with pytest.raises(FlashMisuse, match=why):
        act(flash)
    assert (flash.content, flash.operations) == (before, 1)


def test_content_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="255 bytes do not fill a flash of 256"):
        NorFlash(SMALL, random.Random(0), bytes(255))


@pytest.mark.parametrize("tear", Tear)
def test_a_torn_program_only_clears_bits_that_were_to_be_cleared(tear: Tear, flash: NorFlash) -> None:
    before, data = bytes([0b1111_0000]) * 16, bytes([0b1010_0000]) * 16
    flash.program(16, before)
    flash.power, flash.tear = cut, tear
    with pytest.raises(Cut):
        flash.program(16, data)
    after = flash.read(16, 16)
    assert all(old & new == new and new & want == want for old, new, want in zip(before, after, data, strict=True))
    assert (after == data) == (tear is Tear.WHOLE)
    assert flash.read(0, 16) + flash.read(32, 224) == b"\xff" * 240


def test_a_torn_erasure_leaves_anything_but_only_in_its_block(flash: NorFlash) -> None:
    left = set()
    for tear in Tear:
        flash.power = lambda _operation: None
        for at in range(0, 256, 16):
            flash.program(at, bytes(16))
        flash.power, flash.tear = cut, tear
        with pytest.raises(Cut):
            flash.erase(64)
        assert flash.read(0, 64) + flash.read(128, 128) == bytes(192)
        left.add(flash.read(64, 64))
        flash.power = lambda _operation: None
        for at in range(0, 256, 64):
            flash.erase(at)
    assert len(left) == 3


def test_the_power_may_go_at_any_operation_and_the_flash_chooses_how_it_is_torn(seed: int) -> None:
    seen = set()
    for number in range(30):
        flash = NorFlash(SMALL, random.Random(seed + number))
        flash.power = cut
        with pytest.raises(Cut):
            flash.program(0, bytes(16))
        seen.add(flash.read(0, 16))
    assert bytes(16) in seen
    assert len(seen) > 10
