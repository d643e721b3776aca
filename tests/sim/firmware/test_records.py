"""The boot record's store: the newest whole copy counts, whatever was cut."""

import random

import pytest

from sim.firmware.flash import FlashMisuse, Geometry, NorFlash, Operation, Tear
from sim.firmware.records import RecordStore

TWO_BLOCKS = Geometry(block_bytes=256, page_bytes=64, blocks=3)
AT = 256


class Cut(Exception):
    pass


def test_values_are_kept_through_many_blocks(seed: int) -> None:
    flash = NorFlash(TWO_BLOCKS, random.Random(seed))
    store = RecordStore(flash, AT)
    assert store.read() is None
    for number in range(30):
        store.write(b"value %d" % number)
        assert RecordStore(flash, AT).read() == b"value %d" % number
    assert flash.read(0, AT) == b"\xff" * AT, "it writes into its own blocks only"
    assert flash.operations == 30 + 8, "one page each, and a block erased before every fourth"


def test_what_is_too_long_is_refused(seed: int) -> None:
    store = RecordStore(NorFlash(TWO_BLOCKS, random.Random(seed)), AT)
    with pytest.raises(FlashMisuse, match="50 bytes at most, 51 given"):
        store.write(bytes(51))
    store.write(bytes(50))
    assert store.read() == bytes(50)


@pytest.mark.parametrize("tear", Tear)
def test_a_cut_leaves_the_old_value_or_the_new_one(tear: Tear, seed: int) -> None:
    """At every operation of twelve writings, twice in a row, and the store goes on afterwards."""
    for number in range(15):
        flash = NorFlash(TWO_BLOCKS, random.Random(seed + number))
        store = RecordStore(flash, AT)
        store.write(b"first")
        allowed = _write_until_cut(flash, store, number, tear)
        for _ in range(2):
            assert store.read() in allowed, number
            allowed = {store.read(), *_write_until_cut(flash, store, 0, tear)}
        assert store.read() in allowed
        store.write(b"last")
        assert store.read() == b"last"


def _write_until_cut(flash: NorFlash, store: RecordStore, operations: int, tear: Tear) -> set[bytes | None]:
    left = [operations]

    def power(_operation: Operation) -> None:
        if left[0] == 0:
            raise Cut
        left[0] -= 1

    flash.power, flash.tear = power, tear
    values = [store.read()]

    def write_on() -> None:
        while True:
            values.append(b"value %d" % len(values))
            store.write(values[-1] or b"")

    with pytest.raises(Cut):
        write_on()
    flash.power = lambda _operation: None
    return set(values[-2:])
