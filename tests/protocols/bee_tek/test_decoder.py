"""Lines and frames in a stream: any pieces, noise, resynchronisation, a bounded buffer."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.bee_tek.codec import decode_frame
from protocols.bee_tek.decoder import LONGEST_LINE, LineDecoder
from protocols.bee_tek.messages import BeeTekMessage, CardDrawn, CardNotRead, Mode
from protocols.garbage import Garbage
from tests.vectors.bee_tek import golden

FOUR = b"[Game]<Card:4S>"
FIVE = b"[Manual Burn Cards]<Card:5H>"
FOUR_DRAWN = CardDrawn("4S", Mode.GAME)
FIVE_DRAWN = CardDrawn("5H", Mode.DIAGNOSTIC)
LINES = [vector.frame + b"\r\n" for vector in golden.FRAMES + golden.READ_ONLY]
MEANINGFUL = st.sampled_from([*b"[]<>:\r\n 4SGame10", 0xFF, 0x00])
JUNK = st.lists(st.one_of(MEANINGFUL, st.integers(0, 255)), max_size=30).map(bytes)
LONG = st.integers(LONGEST_LINE - 2, LONGEST_LINE * 3).map(lambda size: b"[" * size)
CUTS = st.lists(st.integers(0, 600), max_size=40)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    line = draw(st.sampled_from(LINES))
    at = draw(st.integers(0, len(line) - 1))
    return line[:at] + draw(JUNK) + line[at + draw(st.integers(0, 2)) :]


STREAMS = st.lists(st.one_of(st.sampled_from(LINES), damaged(), JUNK, LONG), max_size=12).map(b"".join)


def pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    return [data[start:end] for start, end in pairwise(edges)]


def without_seams(items: list[BeeTekMessage | Garbage]) -> list[object]:
    """The same with the pieces of a line that is too long joined: where it is cut is all that depends on the pieces."""
    joined: list[object] = []
    for item in items:
        last = joined[-1] if joined else None
        if isinstance(item, Garbage) and item.reason == "length" and isinstance(last, Garbage):
            joined[-1] = Garbage(last.raw + item.raw, "length") if last.reason == "length" else last
            if last.reason == "length":
                continue
        joined.append(item)
    return joined


@given(data=STREAMS, cuts=CUTS)
def test_messages_do_not_depend_on_the_pieces_and_every_byte_comes_out(data: bytes, cuts: list[int]) -> None:
    whole, cut = LineDecoder(), LineDecoder()
    expected = whole.feed(data)
    items = [item for piece in pieces(data, cuts) for item in cut.feed(piece)]
    assert without_seams(items) == without_seams(expected)
    for decoder, given_out in ((whole, expected), (cut, items)):
        told = sum(len(item.raw) for item in given_out)
        assert told + decoder.filling + len(decoder.pending) == decoder.bytes_fed == len(data)
        assert len(decoder.pending) <= LONGEST_LINE
        assert decoder.garbage_bytes == sum(len(item.raw) for item in given_out if isinstance(item, Garbage))
        assert decoder.frames == sum(not isinstance(item, Garbage) for item in given_out)


@given(data=STREAMS)
def test_what_comes_out_as_a_message_is_a_frame(data: bytes) -> None:
    for item in LineDecoder().feed(data):
        if not isinstance(item, Garbage):
            assert decode_frame(item.raw) == item


@given(junk=STREAMS)
def test_after_any_noise_the_next_line_is_heard(junk: bytes) -> None:
    decoder = LineDecoder()
    decoder.feed(junk + b"\r\n")
    assert decoder.feed(FOUR + b"\r\n") == [FOUR_DRAWN]


@pytest.mark.parametrize("vector", golden.FRAMES + golden.READ_ONLY, ids=lambda vector: vector.frame.decode())
def test_a_line_byte_by_byte_and_between_spaces(vector: golden.Said) -> None:
    decoder = LineDecoder()
    line = b"  " + vector.frame + b" \r\n"
    assert [item for value in line for item in decoder.feed(bytes([value]))] == [vector.message]
    assert decoder.garbage_bytes == 0


@pytest.mark.parametrize(
    ("data", "items"),
    [
        (FOUR, []),
        (FOUR + b"\r", [FOUR_DRAWN]),
        (FOUR + b"\n", [FOUR_DRAWN]),
        (b"\r\n\r\n   \r\n", []),
        (FOUR + b"\r\n" + FOUR + b"\r\n", [FOUR_DRAWN, FOUR_DRAWN]),
        (FOUR + FIVE + b"\r\n", [FOUR_DRAWN, FIVE_DRAWN]),
        (FOUR + b"4S" + FIVE + b"\r\n", [FOUR_DRAWN, FIVE_DRAWN]),
        (b"\xff\x00" + FOUR + b"\r\n", [Garbage(b"\xff\x00", "noise"), FOUR_DRAWN]),
        (FOUR + b"x\r\n", [FOUR_DRAWN, Garbage(b"x", "noise")]),
        (FOUR + b"\r\n4S\r\n", [FOUR_DRAWN, Garbage(b"4S", "noise")]),
        (FOUR + b"4H\r\n", [Garbage(FOUR + b"4H", "payload")]),
        (FIVE + b"5H\r\n", [FIVE_DRAWN, Garbage(b"5H", "noise")]),
        (b"[Game]<Game>4S\r\n", [CardNotRead(), Garbage(b"4S", "noise")]),
        (b"[Game]<Card:1S>4S\r\n", [Garbage(b"[Game]<Card:1S>", "payload"), Garbage(b"4S", "noise")]),
        (b"[Game]<Ca" + FOUR + b"\r\n", [Garbage(b"[Game]<Ca", "truncated"), FOUR_DRAWN]),
        (b"{Game]<Card:4S>\r\n", [Garbage(b"{Game]", "truncated"), Garbage(b"<Card:4S>", "type")]),
        (b"x" * 129 + b"\r\n" + FOUR + b"\n", [Garbage(b"x" * 129, "length"), FOUR_DRAWN]),
        (b"x" * 128 + b"\r\n", [Garbage(b"x" * 128, "noise")]),
    ],
)
def test_a_stream(data: bytes, items: list[BeeTekMessage | Garbage]) -> None:
    assert LineDecoder().feed(data) == items


def test_a_line_that_never_ends_is_let_go_and_the_next_is_heard() -> None:
    decoder = LineDecoder()
    assert decoder.feed(b"x" * LONGEST_LINE) == []
    assert decoder.feed(b"x") == [Garbage(b"x" * 129, "length")]
    assert decoder.feed(FOUR) == [Garbage(FOUR, "length")]
    assert decoder.pending == b""
    assert decoder.feed(b"\r\n" + FOUR + b"\r\n") == [FOUR_DRAWN]
    assert decoder.damaged == 2


def test_a_whole_frame_is_a_message_once_the_line_is_silent() -> None:
    decoder = LineDecoder()
    assert decoder.feed(FOUR + b"4S") == []
    assert decoder.silence() == [FOUR_DRAWN]
    assert (decoder.pending, decoder.silence()) == (b"", [])
    assert decoder.feed(b"\r\n" + FIVE) == []
    assert decoder.silence() == [FIVE_DRAWN]


def test_half_a_frame_waits_through_a_silence() -> None:
    decoder = LineDecoder()
    decoder.feed(FOUR + FIVE[:9])
    assert decoder.silence() == [FOUR_DRAWN]
    assert decoder.feed(FIVE[9:]) == []
    assert decoder.silence() == [FIVE_DRAWN]


def test_frames_without_a_line_end_are_all_heard_however_many_come_at_once() -> None:
    decoder = LineDecoder()
    items = decoder.feed((FOUR + FIVE) * 20)
    assert items + decoder.silence() == [FOUR_DRAWN, FIVE_DRAWN] * 20
    assert decoder.garbage_bytes == 0


def test_a_silence_ends_a_line_that_was_too_long() -> None:
    decoder = LineDecoder()
    decoder.feed(b"x" * 200)
    assert decoder.silence() == []
    assert decoder.feed(FOUR) == []
    assert decoder.silence() == [FOUR_DRAWN]


def test_halves_of_two_lines_never_join() -> None:
    decoder = LineDecoder()
    decoder.feed(FOUR[:9])
    assert decoder.reset() == [Garbage(FOUR[:9], "truncated")]
    assert decoder.feed(FOUR[9:] + b"\r\n") == [Garbage(FOUR[9:], "truncated")]
    assert decoder.reset() == []


def test_a_reset_ends_a_line_that_was_too_long() -> None:
    decoder = LineDecoder()
    decoder.feed(b"x" * 200)
    decoder.reset()
    assert decoder.feed(FOUR + b"\r\n") == [FOUR_DRAWN]
