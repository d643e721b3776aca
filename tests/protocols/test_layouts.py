"""The typed door to construct lets some layouts through and turns others back."""

import random

import pytest
from construct import (
    Bit,
    BitsInteger,
    BitStruct,
    Bytes,
    Const,
    ConstructError,
    Int8ub,
    Int16ub,
    Int16ul,
    Padding,
    Struct,
)

from protocols.errors import EncodeError, FrameError
from protocols.layouts import BitLayout, Bits

LAYOUT = BitLayout("length" / Int8ub, Const(b"-"), "word" / Bytes(2))


def test_fields_and_bytes_turn_into_each_other() -> None:
    fields = LAYOUT.parse(b"\x07-ab")
    assert fields["length"] == 7
    assert fields["word"] == b"ab"
    assert LAYOUT.build({"length": 7, "word": b"ab"}) == b"\x07-ab"


def test_constant_that_differs_is_a_frame_error() -> None:
    with pytest.raises(FrameError) as caught:
        LAYOUT.parse(b"\x07+ab")
    assert (caught.value.offset, caught.value.raw, caught.value.reason) == (0, b"\x07+ab", "payload")
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize(("raw", "offset"), [(b"", 0), (b"\x07-a", 3), (b"\x07-abc", 4)])
def test_wrong_length_is_a_frame_error(raw: bytes, offset: int) -> None:
    assert LAYOUT.size == 4
    with pytest.raises(FrameError) as caught:
        LAYOUT.parse(raw)
    assert (caught.value.offset, caught.value.raw, caught.value.reason) == (offset, raw, "length")


@pytest.mark.parametrize(
    "fields",
    [{"length": 256, "word": b"ab"}, {"length": 7, "word": b"abc"}, {"length": 7, "word": b"a"}],
)
def test_values_that_do_not_fit_are_an_encode_error(fields: dict[str, object]) -> None:
    with pytest.raises(EncodeError) as caught:
        LAYOUT.build(fields)
    assert caught.value.subject == fields


BITS = ("mark" / Const(1, Bit), "high" / BitsInteger(3), Padding(1), "low" / BitsInteger(3))


def test_bits_in_a_layout_are_what_construct_says_of_every_byte() -> None:
    layout, plain = BitLayout("before" / Int8ub, Bits("both", *BITS), "after" / Int8ub), BitStruct(*BITS)
    for _ in range(2):  # once taken apart, once known
        for value in range(256):
            raw = bytes([1, value, 2])
            try:
                wanted = plain.parse(raw[1:2])
            except ConstructError:
                with pytest.raises(FrameError):
                    layout.parse(raw)
                continue
            found = layout.parse(raw)
            assert (found["before"], found["after"]) == (1, 2)
            assert (found["both"].high, found["both"].low) == (wanted.high, wanted.low)
            fields = {"high": wanted.high, "low": wanted.low}
            assert layout.build({"before": 1, "both": fields, "after": 2}) == b"\x01" + plain.build(fields) + b"\x02"


def test_bits_that_do_not_fit_are_an_encode_error() -> None:
    layout = BitLayout(Bits("both", *BITS))
    with pytest.raises(EncodeError):
        layout.build({"both": {"high": 8, "low": 0}})


PLAIN = ("kind" / Int8ub, "word" / Bytes(3), "count" / Int16ub)


@pytest.mark.parametrize(
    "parts",
    [PLAIN, ("low" / Int16ul, "word" / Bytes(1)), ("low" / Int16ul, "high" / Int16ub), ("word" / Bytes(2),), ()],
)
def test_numbers_and_bytes_are_what_construct_says(seed: int, parts: tuple[object, ...]) -> None:
    layout, declared = BitLayout(*parts), Struct(*parts)
    rng = random.Random(seed)
    for _ in range(50):
        raw = rng.randbytes(layout.size)
        found = layout.parse(raw)
        assert found == {name: value for name, value in declared.parse(raw).items() if name != "_io"}
        assert layout.build(found) == declared.build(found) == raw


@pytest.mark.parametrize(
    "changed",
    [{"kind": 256}, {"kind": -1}, {"kind": 1.5}, {"word": b"ab"}, {"word": b"abcd"}, {"word": "abc"}, {"count": None}],
)
def test_plain_values_that_do_not_fit_are_an_encode_error(changed: dict[str, object]) -> None:
    with pytest.raises(EncodeError) as caught:
        BitLayout(*PLAIN).build({"kind": 7, "word": b"abc", "count": 9, **changed})
    assert caught.value.subject == {"kind": 7, "word": b"abc", "count": 9, **changed}
