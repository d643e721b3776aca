"""Frames and their decoder: golden bytes, every way of cutting, every single harm."""

import random

import pytest
from cobs import cobs

from protocols.errors import EncodeError, FrameError
from protocols.garbage import Garbage
from protocols.tdp.framing import ENCODED_MAX, PAYLOAD_MAX, Frame, FrameDecoder, FrameKind, decode_frame, encode_frame
from tests.vectors.tdp import golden

WIRES = [bytes.fromhex(vector.wire) for vector in golden.FRAMES]
STREAM = b"".join(WIRES)
FRAMES = [vector.frame for vector in golden.FRAMES]


def crc32c(data: bytes) -> int:
    """The check bit by bit, as the page defines it; the library that the codec uses has no part in it."""
    register = 0xFFFFFFFF
    for value in data:
        register ^= value
        for _ in range(8):
            register = register >> 1 ^ (0x82F63B78 if register & 1 else 0)
    return register ^ 0xFFFFFFFF


def stuffed(raw: bytes) -> bytes:
    """COBS for runs shorter than 254, as the page describes it."""
    return b"\x00" + b"".join(bytes([len(run) + 1]) + run for run in raw.split(b"\x00")) + b"\x00"


def wire_of(covered: bytes) -> bytes:
    return stuffed(covered + crc32c(covered).to_bytes(4, "big"))


@pytest.mark.parametrize("vector", golden.FRAMES, ids=lambda vector: vector.name)
def test_golden_frames_both_ways(vector: golden.GoldenFrame) -> None:
    wire = bytes.fromhex(vector.wire)
    assert wire == wire_of(bytes.fromhex(vector.plain))
    assert decode_frame(wire[1:-1]) == vector.frame
    assert encode_frame(vector.frame) == wire


def test_the_check_is_the_one_of_the_page() -> None:
    assert crc32c(b"123456789") == 0xE3069283


@pytest.mark.parametrize("size", range(1, 40))
def test_pieces_of_any_size_give_the_same_frames(size: int) -> None:
    decoder = FrameDecoder()
    items = [item for at in range(0, len(STREAM), size) for item in decoder.feed(STREAM[at : at + size])]
    assert items == FRAMES
    assert (decoder.frames, decoder.bytes_fed, decoder.damaged, decoder.pending) == (len(FRAMES), len(STREAM), 0, b"")


@pytest.mark.parametrize("cut", range(len(STREAM) + 1))
def test_every_cut_in_two_gives_the_same_frames(cut: int) -> None:
    decoder = FrameDecoder()
    assert decoder.feed(STREAM[:cut]) + decoder.feed(STREAM[cut:]) == FRAMES


def harmed_streams() -> list[bytes]:
    stream = STREAM
    flips = [
        stream[:at] + bytes([stream[at] ^ 1 << bit]) + stream[at + 1 :] for at in range(len(stream)) for bit in range(8)
    ]
    losses = [stream[:at] + stream[at + 1 :] for at in range(len(stream))]
    added = [stream[:at] + bytes([value]) + stream[at:] for at in range(len(stream) + 1) for value in (0, 1, 0x55, 255)]
    return flips + losses + added


def test_a_harmed_byte_costs_one_frame_at_most_and_invents_none() -> None:
    for harmed in harmed_streams():
        items = FrameDecoder().feed(harmed + b"\x00")
        frames = [item for item in items if isinstance(item, Frame)]
        missing = [frame for frame in FRAMES if frame not in frames]
        assert len(missing) <= 1
        assert frames == [frame for frame in FRAMES if frame not in missing]


def test_noise_before_a_frame_does_not_harm_it() -> None:
    chance = random.Random(1)
    for wire, frame in zip(WIRES, FRAMES, strict=True):
        decoder = FrameDecoder()
        noise = chance.randbytes(50)
        *garbage, last = decoder.feed(noise + wire)
        assert last == frame
        assert all(isinstance(item, Garbage) for item in garbage)
        assert sum(len(item.raw) for item in garbage if isinstance(item, Garbage)) == len(noise) - noise.count(0)
        assert decoder.garbage_bytes == len(noise) - noise.count(0)


def test_a_line_that_hisses_fills_no_memory() -> None:
    decoder = FrameDecoder()
    given = b""
    for _ in range(1000):
        items = decoder.feed(b"\x55" * 7)
        given += b"".join(item.raw for item in items if isinstance(item, Garbage))
        assert len(decoder.pending) <= ENCODED_MAX
    assert given + decoder.pending == b"\x55" * 7000
    assert decoder.damaged == 1
    assert decoder.feed(b"\x00") == []
    assert decoder.feed(WIRES[0]) == [FRAMES[0]]
    decoder.feed(b"\x55" * 1000)
    assert decoder.feed(b"") == []
    decoder.feed(b"\x55" * 1000)
    assert decoder.feed(b"\x55\x55" + WIRES[0]) == [Garbage(b"\x55\x55", "length"), FRAMES[0]]


def test_reset_gives_out_what_waited() -> None:
    decoder = FrameDecoder()
    assert decoder.feed(WIRES[0][:-1]) == []
    assert decoder.reset() == [Garbage(WIRES[0][1:-1], "truncated")]
    assert decoder.reset() == []
    assert decoder.feed(WIRES[0]) == [FRAMES[0]]


@pytest.mark.parametrize(
    ("wire", "offset", "reason"),
    [
        (b"", 0, "truncated"),
        (b"\x05\x01", 0, "noise"),
        (b"\x01" * (ENCODED_MAX + 1), ENCODED_MAX, "length"),
        (b"\x05abcd", 4, "truncated"),
        (wire_of(bytes.fromhex("02 01 0000 00 00"))[1:-1], 0, "type"),
        (wire_of(bytes.fromhex("01 07 0000 00 00"))[1:-1], 1, "type"),
        (wire_of(bytes.fromhex("01 03 0000 00 00"))[1:-2] + b"\x99", 6, "bcc"),
    ],
)
def test_what_is_no_frame_is_refused_with_its_place(wire: bytes, offset: int, reason: str) -> None:
    with pytest.raises(FrameError) as caught:
        decode_frame(wire)
    assert (caught.value.offset, caught.value.reason) == (offset, reason)


@pytest.mark.parametrize("size", [0, 1, 223, PAYLOAD_MAX])
@pytest.mark.parametrize("value", [0, 1, 255])
def test_any_payload_up_to_the_longest(size: int, value: int) -> None:
    frame = Frame(FrameKind.DATA, 0xFFFF, 0xFF, 0xFF, bytes([value]) * size)
    wire = encode_frame(frame)
    assert len(wire) <= ENCODED_MAX + 2
    assert decode_frame(wire[1:-1]) == frame


@pytest.mark.parametrize(
    "frame",
    [
        Frame(FrameKind.DATA, 0, payload=bytes(PAYLOAD_MAX + 1)),
        Frame(FrameKind.DATA, 1 << 16),
        Frame(FrameKind.DATA, 0, 1 << 8),
        Frame(FrameKind.DATA, 0, -1),
        Frame(FrameKind.DATA, 0, 0, 1 << 8),
    ],
)
def test_a_frame_out_of_range_cannot_be_encoded(frame: Frame) -> None:
    with pytest.raises(EncodeError):
        encode_frame(frame)


@pytest.mark.parametrize("longest", [6, 40, ENCODED_MAX])
def test_any_bytes_are_taken_apart_as_the_library_of_cobs_does(seed: int, longest: int) -> None:
    rng = random.Random(seed)
    for _ in range(2000):
        encoded = bytes(rng.choice((0, 1, 2, 3, 255, rng.randrange(256))) for _ in range(rng.randrange(1, longest + 1)))
        try:
            wanted: bytes | None = cobs.decode(encoded)
        except cobs.DecodeError:
            wanted = None
        with pytest.raises(FrameError) as caught:  # none of them has a check that fits
            decode_frame(encoded)
        assert (caught.value.reason == "noise") == (wanted is None)
        assert caught.value.raw == (encoded if wanted is None else wanted)


def test_frames_of_every_size_are_what_the_library_of_cobs_makes(seed: int) -> None:
    rng = random.Random(seed)
    for size in range(PAYLOAD_MAX + 1):
        payload = bytes(rng.choice((0, 1, rng.randrange(256))) for _ in range(size))
        frame = Frame(FrameKind.DATA, rng.randrange(1 << 16), rng.randrange(256), rng.randrange(256), payload)
        wire = encode_frame(frame)
        assert wire[1:-1] == cobs.encode(cobs.decode(wire[1:-1]))
        assert decode_frame(wire[1:-1]) == frame
