"""Points of the page where two readers might differ: each rule of the link by itself."""

import pytest

from protocols.tdp import handshake
from protocols.tdp.framing import HALF, Frame, FrameKind, encode_frame
from protocols.tdp.handshake import ResetReason, Terms
from protocols.tdp.link import Link
from protocols.tdp.states import LinkState, Role
from protocols.tdp.timing import ALIVE_AFTER_S, SILENCE_S
from tests.protocols.tdp.lines import device_with_session, offer, sent_by, state_of


def test_an_offer_of_more_than_is_possible_is_cut_down() -> None:
    device = Link(Role.DEVICE, 40)
    device.open(0.0)
    offer(device, 7, 0.0, bytes([1, 9, 200, 255, 1]))
    assert sent_by(device, 0.0) == [
        Frame(FrameKind.ACCEPT, 7 * HALF + 41, payload=handshake.encode_answer(Terms(4, 224))),
    ]


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (bytes([1, 1, 4, 224, 7]), ResetReason.SECURITY),
        (bytes([1, 1, 4, 224, 0]), ResetReason.SECURITY),
        (bytes([2, 2, 4, 224, 7]), ResetReason.VERSION),
    ],
)
def test_a_security_it_does_not_have_is_refused_and_the_version_comes_first(payload: bytes, reason: int) -> None:
    device = Link(Role.DEVICE, 40)
    device.open(0.0)
    offer(device, 7, 0.0, payload)
    assert sent_by(device, 0.0) == [Frame(FrameKind.RESET, 7 * HALF, payload=bytes([reason, 1, 1]))]
    assert state_of(device) is LinkState.LISTENING


def test_no_session_number_has_a_device_s_half_of_nought() -> None:
    device = Link(Role.DEVICE, HALF - 2)
    device.open(0.0)
    numbers = []
    for number in (7, 8, 9):
        offer(device, number, 0.0)
        numbers += [frame.session % HALF for frame in sent_by(device, 0.0) if isinstance(frame, Frame)]
    assert numbers == [HALF - 1, 1, 2]
    host = Link(Role.HOST, 7)
    host.open(0.0)
    accept = Frame(FrameKind.ACCEPT, 7 * HALF, payload=handshake.encode_answer(Terms()))
    assert host.receive(encode_frame(accept), 0.0) == []
    assert (host.state, host.strange) == (LinkState.OPENING, 1)
    # A host that opens 7·0 would take a RESET that names it for the answer to its OPEN.
    stranger = Link(Role.DEVICE, 40)
    stranger.open(0.0)
    stranger.receive(encode_frame(Frame(FrameKind.DATA, 7 * HALF, payload=b"?")), 0.0)
    assert stranger.bytes_to_send(0.0) == b""


@pytest.mark.parametrize(
    "broken",
    [
        Frame(FrameKind.DATA, 7 * HALF + 41),
        Frame(FrameKind.DATA, 7 * HALF + 41, payload=bytes(101)),
        Frame(FrameKind.ACK, 7 * HALF + 41, payload=b"?"),
        Frame(FrameKind.NAK, 7 * HALF + 41, payload=b"?"),
    ],
    ids=[
        "data without payload",
        "data with more than agreed",
        "acknowledgement with payload",
        "complaint with payload",
    ],
)
def test_a_frame_that_breaks_a_rule_is_dropped_and_ends_nothing(broken: Frame) -> None:
    device = Link(Role.DEVICE, 40, Terms(payload_max=100))
    device.open(0.0)
    offer(device, 7, 0.0)
    sent_by(device, 0.0)
    assert device.receive(encode_frame(broken), 0.0) == []
    assert (state_of(device), device.strange) == (LinkState.ACCEPTING, 1), "it confirms no session either"
    device.receive(encode_frame(Frame(FrameKind.ACK, 7 * HALF + 41)), 0.0)
    device.bytes_to_send(0.4)
    assert device.receive(encode_frame(broken), 0.5) == []
    assert (state_of(device), device.strange) == (LinkState.OPEN, 2)
    assert device.bytes_to_send(0.5) == b""
    assert device.receive(b"", 1.5) != [], "it was not heard by that: what it cannot make right is no sign of life"


def test_closing_tells_a_host_that_was_only_accepted() -> None:
    device = device_with_session()
    offer(device, 8, 0.1)
    (accept,) = sent_by(device, 0.1)
    assert isinstance(accept, Frame)
    device.close()
    closed = bytes([ResetReason.CLOSED, 1, 1])
    assert [(frame.session, frame.payload) for frame in sent_by(device, 0.1) if isinstance(frame, Frame)] == [
        (device_with_session().session, closed),
        (accept.session, closed),
    ]


def test_a_repeated_offer_keeps_what_was_accepted_alive() -> None:
    device = Link(Role.DEVICE, 40)
    device.open(0.0)
    for now_s in (0.0, 1.0, 2.0):
        offer(device, 7, now_s)
        (accept,) = sent_by(device, now_s)
        assert isinstance(accept, Frame)
        assert accept.session == 7 * HALF + 41
    assert device.next_deadline_s == 2.0 + SILENCE_S


def test_a_line_lost_forgets_what_was_accepted() -> None:
    device = device_with_session()
    offer(device, 8, 0.1)
    assert state_of(device) is LinkState.REOPENING
    device.line_lost(0.2)
    assert state_of(device) is LinkState.LISTENING


def test_damage_is_complained_of_in_a_session_and_only_there() -> None:
    device = Link(Role.DEVICE, 40)
    device.open(0.0)
    device.receive(b"\x00noise\x00", 0.0)
    assert device.bytes_to_send(0.0) == b""
    device = device_with_session()
    device.receive(b"\x00noise\x00more\x00", 0.1)
    assert sent_by(device, 0.1) == [Frame(FrameKind.NAK, 7 * HALF + 41, 0, 0)]
    device.receive(b"\x00noise\x00", 0.2)
    assert device.bytes_to_send(0.2) == b""
    assert device.next_deadline_s == 0.1 + ALIVE_AFTER_S
