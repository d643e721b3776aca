"""Whatever comes over the line: only the documented errors, bounded memory, the same result for all pieces."""

from hypothesis import given
from hypothesis import strategies as st

from protocols.errors import FrameError
from protocols.garbage import Garbage
from protocols.tdp.codec import MESSAGE_MAX, decode_message, encode_message
from protocols.tdp.framing import ENCODED_MAX, SEQUENCES, SESSIONS, Frame, FrameDecoder, FrameKind, encode_frame
from protocols.tdp.link import Link
from protocols.tdp.messages import Message
from protocols.tdp.reader import MessageReader
from protocols.tdp.rows import ROWS
from protocols.tdp.states import LinkState, Role
from tests.vectors.tdp import golden

WIRES = [bytes.fromhex(vector.wire) for vector in golden.FRAMES]
BODIES = [bytes.fromhex(vector.wire)[2:] for vector in golden.MESSAGES]

FRAME = st.builds(
    Frame,
    st.sampled_from(FrameKind),
    st.one_of(st.just(0x0729), st.just(0x0700), st.integers(0, SESSIONS - 1)),
    st.one_of(st.integers(0, 5), st.integers(0, SEQUENCES - 1)),
    st.one_of(st.integers(0, 5), st.integers(0, SEQUENCES - 1)),
    st.binary(max_size=40),
)
PIECE = st.one_of(st.binary(max_size=300), st.sampled_from(WIRES), FRAME.map(encode_frame), st.just(b"\x00"))


def joined(items: list[Frame | Garbage]) -> list[object]:
    """The same items with adjacent garbage joined: where overlong noise is cut is all that may depend on the pieces."""
    result: list[object] = []
    for item in items:
        last = result[-1] if result else None
        if isinstance(item, Garbage) and isinstance(last, bytes):
            result[-1] = last + item.raw
        else:
            result.append(item.raw if isinstance(item, Garbage) else item)
    return result


def read(raw: bytes) -> Message | FrameError:
    """The message, or the only error that there may be."""
    try:
        return decode_message(raw)
    except FrameError as error:
        return error


@given(pieces=st.lists(PIECE, max_size=20))
def test_every_byte_fed_comes_out_once_and_pieces_do_not_matter(pieces: list[bytes]) -> None:
    decoder = FrameDecoder()
    items: list[Frame | Garbage] = []
    for piece in pieces:
        items += decoder.feed(piece)
        assert len(decoder.pending) <= ENCODED_MAX
    items += decoder.reset()
    whole = FrameDecoder()
    assert joined(items) == joined([*whole.feed(b"".join(pieces)), *whole.reset()])
    assert decoder.bytes_fed == sum(map(len, pieces))
    assert decoder.garbage_bytes == sum(len(item.raw) for item in items if isinstance(item, Garbage))
    assert decoder.frames == sum(isinstance(item, Frame) for item in items)


@given(frame=FRAME)
def test_any_frame_is_read_back(frame: Frame) -> None:
    wire = encode_frame(frame)
    assert wire.count(b"\x00") == 2
    assert FrameDecoder().feed(wire) == [frame]


@given(role=st.sampled_from(Role), pieces=st.lists(PIECE, max_size=30), step_s=st.sampled_from([0.0, 0.1, 0.7]))
def test_a_link_takes_anything(role: Role, pieces: list[bytes], step_s: float) -> None:
    link = Link(role, 7)
    link.open(0.0)
    now_s = 0.0
    for piece in pieces:
        link.receive(piece, now_s)
        assert len(link.bytes_to_send(now_s)) <= 6 * (ENCODED_MAX + 2)
        due_s = link.next_deadline_s
        assert due_s is None or due_s > now_s
        assert (link.session is not None) == (link.state in {LinkState.OPEN, LinkState.REOPENING})
        now_s += step_s


@given(raw=st.one_of(st.binary(max_size=200), st.sampled_from(BODIES)), data=st.data())
def test_a_message_that_is_read_is_written_the_same(raw: bytes, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(0, 3))):
        if raw:
            at = data.draw(st.integers(0, len(raw) - 1))
            raw = raw[:at] + bytes([data.draw(st.integers(0, 255))]) + raw[at + 1 :]
    result = read(raw)
    if isinstance(result, FrameError):
        assert result.raw == raw
        assert 0 <= result.offset <= len(raw)
    else:
        assert encode_message(result)[2:] == raw


@given(kind=st.sampled_from(sorted(row.kind for row in ROWS)), body=st.binary(max_size=60))
def test_any_body_is_a_message_or_a_frame_error(kind: int, body: bytes) -> None:
    result = read(bytes([kind]) + body)
    assert not isinstance(result, FrameError) or result.reason in {"length", "payload"}


@given(pieces=st.lists(st.one_of(st.binary(max_size=40), st.sampled_from([b"\x00\x05" + BODIES[3]])), max_size=30))
def test_a_reader_takes_anything(pieces: list[bytes]) -> None:
    reader = MessageReader()
    items: list[Message | Garbage] = []
    for piece in pieces:
        items += reader.feed(piece)
        assert len(reader.pending) <= MESSAGE_MAX + 1
    whole = MessageReader().feed(b"".join(pieces))
    assert [item for item in items if not isinstance(item, Garbage)] == [
        item for item in whole if not isinstance(item, Garbage)
    ]
    assert reader.messages + reader.unreadable <= len(items)
