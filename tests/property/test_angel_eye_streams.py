"""Any bytes in any pieces: the contract in the docstring of protocols.angel_eye.decoder."""

from collections.abc import Callable
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from protocols.angel_eye.codec import (
    decode_command,
    decode_reply,
    decode_telegram,
    encode_command,
)
from protocols.angel_eye.decoder import CommandDecoder, HostItem, TelegramDecoder
from protocols.angel_eye.framing import COMMAND_LENGTH, LONGEST_UNKNOWN
from protocols.angel_eye.messages import Ack, Command, Nak, Rejected, ShoeMessage
from protocols.errors import FrameError
from protocols.garbage import Garbage
from tests.protocols.angel_eye.streams import messages_of, without_seams
from tests.vectors.angel_eye import golden

FRAMES = [bytes.fromhex(vector.frame) for vector in golden.TELEGRAMS + golden.READ_ONLY]
REPLIES = [bytes.fromhex(vector.frame) for vector in golden.REPLIES]
COMMANDS = [bytes.fromhex(vector.frame) for vector in golden.COMMANDS]
# Bytes that mean something somewhere are drawn far more often than they occur in 256.
MEANINGFUL = st.sampled_from([*b"\x02\x03\x05\x06\x15", *b"19SPCDdRGEeLMOK0F", 0x81, 0xB8])
JUNK = st.lists(st.one_of(MEANINGFUL, st.integers(0, 255)), max_size=30).map(bytes)
QUIET_JUNK = st.binary(max_size=20).map(lambda junk: bytes(value for value in junk if value not in b"\x02\x05\x06\x15"))
CUTS = st.lists(st.integers(0, 400), max_size=40)


@st.composite
def damaged(draw: st.DrawFn, frames: list[bytes]) -> bytes:
    frame = draw(st.sampled_from(frames))
    at = draw(st.integers(0, len(frame) - 1))
    return frame[:at] + draw(JUNK) + frame[at + draw(st.integers(0, 2)) :]


def streams(frames: list[bytes]) -> st.SearchStrategy[bytes]:
    return st.lists(st.one_of(st.sampled_from(frames), damaged(frames), JUNK), max_size=12).map(b"".join)


def pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    return [data[start:end] for start, end in pairwise(edges)]


def attempt(
    decode: Callable[[bytes], ShoeMessage | Command | Ack | Nak],
    data: bytes,
) -> ShoeMessage | Command | Ack | Nak | FrameError:
    try:
        return decode(data)
    except FrameError as error:
        return error


def raw_of(item: HostItem | Command | Rejected) -> bytes:
    if isinstance(item, Command):
        return encode_command(item)
    return item.raw


@given(data=streams(FRAMES + REPLIES), cuts=CUTS)
def test_telegrams_do_not_depend_on_the_pieces_and_every_byte_comes_out(data: bytes, cuts: list[int]) -> None:
    whole = TelegramDecoder()
    expected = whole.feed(data)
    assert b"".join(raw_of(item) for item in expected) + whole.pending == data
    parts = TelegramDecoder()
    items: list[HostItem] = []
    for piece in pieces(data, cuts):
        items += parts.feed(piece)
        assert len(parts.pending) <= LONGEST_UNKNOWN + 1
    assert without_seams(items) == without_seams(expected)
    assert parts.pending == whole.pending
    assert (parts.bytes_fed, parts.frames, parts.replies, parts.damaged, parts.garbage_bytes) == (
        whole.bytes_fed,
        whole.frames,
        whole.replies,
        whole.damaged,
        whole.garbage_bytes,
    )


@given(data=streams(COMMANDS), cuts=CUTS)
def test_commands_do_not_depend_on_the_pieces_and_every_byte_comes_out(data: bytes, cuts: list[int]) -> None:
    whole = CommandDecoder()
    expected = whole.feed(data)
    assert b"".join(raw_of(item) for item in expected) + whole.pending == data
    parts = CommandDecoder()
    items: list[Command | Rejected | Garbage] = []
    for piece in pieces(data, cuts):
        items += parts.feed(piece)
        assert len(parts.pending) < COMMAND_LENGTH
    assert without_seams(items) == expected
    assert (parts.pending, parts.commands, parts.rejected, parts.garbage_bytes) == (
        whole.pending,
        whole.commands,
        whole.rejected,
        whole.garbage_bytes,
    )


@given(parts=st.lists(st.tuples(JUNK, st.sampled_from(FRAMES)), max_size=12), cuts=CUTS)
def test_whole_telegram_after_any_junk_is_found(parts: list[tuple[bytes, bytes]], cuts: list[int]) -> None:
    decoder = TelegramDecoder()
    stream = b"".join(junk + frame for junk, frame in parts)
    items = [item for piece in pieces(stream, cuts) for item in decoder.feed(piece)]
    found = iter(item.raw for item in messages_of(items) if not isinstance(item, Ack | Nak))
    # In this order, though junk may hold telegrams of its own.
    assert all(any(frame == raw for raw in found) for _, frame in parts)


@given(parts=st.lists(st.tuples(QUIET_JUNK, st.sampled_from(FRAMES + REPLIES)), max_size=12), cuts=CUTS)
def test_nothing_is_invented_from_junk_without_start_bytes(parts: list[tuple[bytes, bytes]], cuts: list[int]) -> None:
    decoder = TelegramDecoder()
    stream = b"".join(junk + frame for junk, frame in parts)
    items = [item for piece in pieces(stream, cuts) for item in decoder.feed(piece)]
    assert [raw_of(item) for item in messages_of(items)] == [frame for _, frame in parts]


@given(data=st.one_of(st.binary(max_size=40), streams(FRAMES + REPLIES + COMMANDS)))
def test_decoding_raises_frame_error_or_gives_back_its_bytes(data: bytes) -> None:
    for decode in (decode_telegram, decode_command, decode_reply):
        outcome = attempt(decode, data)
        if isinstance(outcome, FrameError):
            assert outcome.raw == data
            assert 0 <= outcome.offset <= len(data)
        else:
            assert raw_of(outcome) == data
