"""One link against another, over lines good and bad, in virtual time."""

import random

import pytest

from protocols.errors import EncodeError
from protocols.garbage import Garbage
from protocols.tdp import handshake, link
from protocols.tdp.framing import HALF, Frame, FrameKind, encode_frame
from protocols.tdp.handshake import ResetReason, Security, Terms
from protocols.tdp.link import BACKLOG_MAX, Link, LinkError, LinkEvent, Received, SessionLost, SessionOpened
from protocols.tdp.states import CARRIES_DATA, TABLES, LinkInput, LinkState, Role
from protocols.tdp.timing import ACK_WITHIN_S, ALIVE_AFTER_S, GIVE_UP_S, RETRY_S, SILENCE_S
from tests.protocols.tdp.lines import (
    BAD,
    DEVICE,
    HOST,
    Faults,
    Pair,
    device_with_session,
    host_with_session,
    made,
    offer,
    sent_by,
    state_of,
)


def opened(seed: int = 1, faults: Faults | None = None) -> Pair:
    pair = made(seed, faults)
    pair.run(3.0 if faults else 0.2)
    return pair


def data_of(events: list[LinkEvent]) -> bytes:
    return b"".join(event.data for event in events if isinstance(event, Received))


def test_opens_and_carries_bytes_both_ways() -> None:
    pair = opened()
    session = SessionOpened(7 * HALF + 41, Terms())
    assert pair.events == ([session], [session])
    assert [link.state for link in pair.links] == [LinkState.OPEN, LinkState.OPEN]
    for end, text in ((HOST, b"to the device" * 100), (DEVICE, b"to the host" * 100)):
        pair.links[end].send(text)
        pair.flush()
        pair.run(pair.now_s + 1)
        assert data_of(pair.events[1 - end]) == text
        assert pair.links[end].backlog == 0
        assert pair.links[end].repeated == 0


def test_a_quiet_link_stays_open_and_says_little() -> None:
    pair = opened()
    before = pair.line.writes
    pair.run(100.0)
    assert [link.state for link in pair.links] == [LinkState.OPEN, LinkState.OPEN]
    assert pair.line.writes - before <= 2 * (100 / ALIVE_AFTER_S + 1)
    assert [len(events) for events in pair.events] == [1, 1]


def test_terms_are_the_smaller_of_both() -> None:
    pair = made(host=Terms(window=1, payload_max=200), device=Terms(window=3, payload_max=16))
    pair.run(0.2)
    assert pair.events[HOST] == [SessionOpened(7 * HALF + 41, Terms(window=1, payload_max=16))]
    pair.links[DEVICE].send(bytes(range(100)))
    pair.flush()
    pair.run(1.0)
    assert data_of(pair.events[HOST]) == bytes(range(100))


@pytest.mark.parametrize("terms", [(0, 224), (5, 224), (4, 15), (4, 225)])
def test_terms_out_of_range_cannot_be_made(terms: tuple[int, int]) -> None:
    with pytest.raises(EncodeError, match="window must be"):
        Terms(*terms)


def test_security_is_not_negotiated_down() -> None:
    pair = made(host=Terms(security=Security.PLAIN))
    pair.run(0.6)
    assert set(pair.events[HOST]) == {link.SessionRefused(ResetReason.SECURITY, 1, 1)}
    assert pair.events[DEVICE] == []
    assert [link.state for link in pair.links] == [LinkState.OPENING, LinkState.LISTENING]


def test_an_answer_with_other_security_or_more_than_asked_is_not_taken() -> None:
    for terms in (Terms(security=Security.PLAIN), Terms(window=4)):
        host = Link(Role.HOST, 7, Terms(window=2))
        host.open(0.0)
        accept = Frame(FrameKind.ACCEPT, 7 * HALF + 3, payload=handshake.encode_answer(terms))
        assert host.receive(encode_frame(accept), 0.0) == []
        assert (host.state, host.strange) == (LinkState.OPENING, 1)


def test_a_host_of_a_later_version_is_told_ours() -> None:
    device = Link(Role.DEVICE, 40)
    device.open(0.0)
    offer(device, 7, 0.0, bytes([2, 3, 4, 224, 1, 99]))
    (answer,) = sent_by(device, 0.0)
    assert answer == Frame(FrameKind.RESET, 7 * HALF, payload=bytes([ResetReason.VERSION, 1, 1]))
    offer(device, 8, 0.0, bytes([1, 3, 4, 224, 1, 99]))
    (answer,) = sent_by(device, 0.0)
    assert isinstance(answer, Frame)
    assert answer.kind is FrameKind.ACCEPT


@pytest.mark.parametrize(
    "payload",
    [b"", bytes([2, 1, 4, 224, 1]), bytes([1, 1, 0, 224, 1]), bytes([1, 1, 4, 15, 1]), bytes([1, 1, 4, 224])],
)
def test_an_offer_that_breaks_the_page_is_dropped(payload: bytes) -> None:
    device = Link(Role.DEVICE, 40)
    device.open(0.0)
    assert offer(device, 7, 0.0, payload) == []
    assert device.strange == 1
    assert device.bytes_to_send(0.0) == b""


@pytest.mark.parametrize("payload", [b"", bytes([2, 4, 224, 1]), bytes([1, 4, 224, 9]), bytes([1, 5, 224, 1])])
def test_an_answer_that_breaks_the_page_is_dropped(payload: bytes) -> None:
    host = Link(Role.HOST, 7)
    host.open(0.0)
    host.receive(encode_frame(Frame(FrameKind.ACCEPT, 7 * HALF + 1, payload=payload)), 0.0)
    assert (host.state, host.strange) == (LinkState.OPENING, 1)


def test_offers_are_repeated_until_answered() -> None:
    host = Link(Role.HOST, 7)
    assert [host.next_deadline_s] == [None]
    host.open(5.0)
    assert host.next_deadline_s == 5.0
    expected = [Frame(FrameKind.OPEN, 7 * HALF, payload=handshake.encode_offer(Terms()))]
    assert sent_by(host, 5.0) == expected
    assert sent_by(host, 5.0) == []
    assert host.next_deadline_s == 5.0 + RETRY_S
    assert sent_by(host, 5.0 + RETRY_S) == expected
    host.open(6.0)
    assert state_of(host) is LinkState.OPENING


def test_a_repeated_offer_gets_the_same_answer() -> None:
    device = Link(Role.DEVICE, 0xFFFF)
    device.open(0.0)
    offer(device, 7, 0.0)
    first = sent_by(device, 0.0)
    offer(device, 7, 1.0)
    assert sent_by(device, 1.0) == first
    assert device.next_deadline_s == 1.0 + SILENCE_S
    device.receive(b"", 1.0 + SILENCE_S)
    assert state_of(device) is LinkState.LISTENING
    assert device.next_deadline_s is None


def test_an_old_offer_does_not_end_the_session_that_stands() -> None:
    device = device_with_session()
    assert offer(device, 7, 0.1) == []
    assert device.bytes_to_send(0.1) == b""
    assert offer(device, 6, 0.2) == []
    assert state_of(device) is LinkState.REOPENING
    device.send(b"still")
    assert [frame.kind for frame in sent_by(device, 0.2) if isinstance(frame, Frame)] == [
        FrameKind.ACCEPT,
        FrameKind.DATA,
    ]
    device.receive(encode_frame(Frame(FrameKind.ACK, 7 * HALF + 41, 0, 1)), 1.0)
    device.receive(b"", 0.2 + SILENCE_S)
    assert state_of(device) is LinkState.OPEN


def test_a_new_offer_replaces_the_session_when_confirmed() -> None:
    device = device_with_session()
    offer(device, 8, 0.1)
    offer(device, 9, 0.1)
    events = device.receive(encode_frame(Frame(FrameKind.DATA, 9 * HALF + 43, 0, 0, b"first")), 0.2)
    assert events == [
        SessionLost(7 * HALF + 41, "replaced"),
        SessionOpened(9 * HALF + 43, Terms()),
        Received(b"first"),
    ]
    assert state_of(device) is LinkState.OPEN


def test_reopening_outlives_the_session_that_falls_silent() -> None:
    device = device_with_session()
    offer(device, 8, SILENCE_S - 0.1)
    assert device.receive(b"", SILENCE_S) == [SessionLost(7 * HALF + 41, "silence")]
    assert state_of(device) is LinkState.ACCEPTING


def test_reset_of_what_was_accepted_withdraws_it() -> None:
    device = Link(Role.DEVICE, 40)
    device.open(0.0)
    offer(device, 7, 0.0)
    device.receive(encode_frame(Frame(FrameKind.RESET, 7 * HALF + 41, payload=b"\x02\x01\x01")), 0.1)
    assert state_of(device) is LinkState.LISTENING


def test_a_restarted_device_tells_the_host_at_once() -> None:
    pair = opened()
    fresh = Link(Role.DEVICE, 90)
    fresh.open(pair.now_s)
    pair.links[DEVICE] = fresh
    begin_s = pair.now_s
    pair.run(begin_s + 1.0)
    assert pair.events[HOST][1:] == [
        SessionLost(7 * HALF + 41, "reset"),
        SessionOpened(8 * HALF + 91, Terms()),
    ]


def test_a_restarted_host_is_taken_at_once() -> None:
    pair = opened()
    fresh = Link(Role.HOST, 50)
    fresh.open(pair.now_s)
    pair.links[HOST] = fresh
    pair.run(pair.now_s + 0.2)
    assert pair.events[DEVICE][1:] == [
        SessionLost(7 * HALF + 41, "replaced"),
        SessionOpened(50 * HALF + 42, Terms()),
    ]


def test_a_host_that_comes_back_with_the_same_number_waits_for_silence() -> None:
    pair = opened()
    fresh = Link(Role.HOST, 7)
    fresh.open(pair.now_s)
    pair.links[HOST] = fresh
    begin_s = pair.now_s
    pair.run(begin_s + SILENCE_S + RETRY_S + 0.1)
    assert pair.events[DEVICE][1:] == [SessionLost(7 * HALF + 41, "silence"), SessionOpened(7 * HALF + 42, Terms())]


@pytest.mark.parametrize("end", [HOST, DEVICE])
def test_closing_tells_the_other_end(end: int) -> None:
    pair = opened()
    pair.links[end].close()
    assert pair.links[end].state is LinkState.CLOSED
    pair.flush()
    pair.run(pair.now_s + 0.1)
    assert SessionLost(7 * HALF + 41, "closed") in pair.events[end]
    assert SessionLost(7 * HALF + 41, "reset") in pair.events[1 - end]
    assert pair.links[end].receive(b"anything\x00", pair.now_s) == []
    pair.links[end].close()
    assert pair.links[end].bytes_to_send(pair.now_s) == b""


@pytest.mark.parametrize("noticed", [False, True])
@pytest.mark.parametrize("away_s", [0.3, 1.0, 1.4, 1.6, 5.0, 60.0])
def test_ready_within_two_seconds_of_reattachment(away_s: float, noticed: bool) -> None:
    for part in range(10):
        pair = opened()
        pair.run(pair.now_s + part * ALIVE_AFTER_S / 10)
        pair.line.unplug()
        pair.links[DEVICE].send(b"while away")
        pair.flush()
        pair.run(pair.now_s + away_s)
        pair.line.plugged = True
        back_s = pair.now_s
        if noticed:
            pair.links[HOST].line_lost(back_s)
            pair.flush()
        while pair.links[DEVICE].session is None or pair.links[HOST].session != pair.links[DEVICE].session:
            pair.step(back_s + 2.0)
            assert pair.now_s < back_s + 2.0
        # Ready means that bytes pass: those sent before, if the session lived on, and new ones.
        for events in pair.events:
            events.clear()
        pair.links[DEVICE].send(b"new")
        pair.flush()
        while b"new" not in data_of(pair.events[HOST]):
            pair.step(back_s + 2.0)
            assert pair.now_s < back_s + 2.0


def test_line_lost_forgets_half_a_frame_and_the_session() -> None:
    host = host_with_session()
    host.receive(b"half a frame", 0.1)
    host.line_lost(0.2)
    assert host.receive(b"", 0.2) == [Garbage(b"half a frame", "truncated"), SessionLost(7 * HALF + 3, "line")]
    device = Link(Role.DEVICE, 40)
    device.open(0.0)
    offer(device, 7, 0.0)
    device.line_lost(0.1)
    assert state_of(device) is LinkState.LISTENING
    assert device.bytes_to_send(0.1) == b""


def test_one_deaf_end_is_noticed_by_both() -> None:
    pair = opened()
    host, device = pair.links
    now_s = pair.now_s
    while host.session is not None:
        now_s += 0.05
        host.receive(b"", now_s)  # nothing reaches the host
        device.receive(host.bytes_to_send(now_s), now_s)
        device.bytes_to_send(now_s)
    assert now_s - pair.now_s < SILENCE_S + 0.1
    device.receive(host.bytes_to_send(now_s), now_s)
    assert device.session is None


def test_a_frame_never_acknowledged_ends_the_session() -> None:
    host = host_with_session()
    host.send(b"unheard")
    now_s, copies = 0.0, 0
    lost: list[LinkEvent] = []
    while not lost:
        frames = sent_by(host, now_s)
        copies += sum(isinstance(frame, Frame) and frame.kind is FrameKind.DATA for frame in frames)
        now_s += 0.05
        lost = host.receive(encode_frame(Frame(FrameKind.ACK, 7 * HALF + 3)), now_s)
        assert now_s < 30
    assert lost == [SessionLost(7 * HALF + 3, "unanswered")]
    assert now_s == pytest.approx(GIVE_UP_S, abs=0.06)
    assert copies == GIVE_UP_S / RETRY_S


def test_only_so_much_may_wait_and_only_in_a_session() -> None:
    host = Link(Role.HOST, 7)
    with pytest.raises(LinkError, match=r"no session stands.*link closed") as caught:
        host.send(b"early")
    assert (caught.value.state, caught.value.backlog) == (LinkState.CLOSED, 0)
    host = host_with_session()
    host.send(bytes(BACKLOG_MAX))
    with pytest.raises(LinkError, match="does not take") as caught:
        host.send(b"x")
    assert caught.value.backlog == host.backlog == BACKLOG_MAX


@pytest.mark.parametrize(
    "frame",
    [
        Frame(FrameKind.OPEN, 7 * HALF),
        Frame(FrameKind.ACCEPT, 99 * HALF + 3, payload=handshake.encode_answer(Terms())),
        Frame(FrameKind.DATA, 99, 0, 0, b"of another session"),
        Frame(FrameKind.RESET, 99, payload=b"\x01\x01\x01"),
        Frame(FrameKind.RESET, 7 * HALF + 3),
    ],
)
def test_frames_that_are_not_of_the_session_change_nothing_at_the_host(frame: Frame) -> None:
    host = host_with_session()
    assert host.receive(encode_frame(frame), 0.1) == []
    assert (host.state, host.strange) == (LinkState.OPEN, 1)
    assert host.bytes_to_send(0.1) == b""
    accept = Frame(FrameKind.ACCEPT, 7 * HALF + 3, payload=handshake.encode_answer(Terms()))
    assert host.receive(encode_frame(accept), 0.1) == []
    assert host.strange == 1  # a copy of the answer that opened the session is nothing strange


def test_a_device_answers_each_batch_of_strange_frames_once() -> None:
    device = device_with_session()
    strange = encode_frame(Frame(FrameKind.DATA, 99, 0, 0, b"old")) * 5
    assert device.receive(strange, 0.1) == []
    assert sent_by(device, 0.1) == [Frame(FrameKind.RESET, 99, payload=bytes([ResetReason.UNKNOWN_SESSION, 1, 1]))]
    assert device.strange == 5
    device.receive(encode_frame(Frame(FrameKind.OPEN, 8 * HALF + 1)), 0.1)
    device.receive(encode_frame(Frame(FrameKind.ACCEPT, 8 * HALF + 1)), 0.1)
    assert device.strange == 7
    assert device.bytes_to_send(0.1) == b""


@pytest.mark.parametrize("seed", range(5))
def test_bytes_survive_a_bad_line(seed: int) -> None:
    pair = opened(seed, BAD)
    sent = (random.Random(seed).randbytes(6000), random.Random(seed + 1).randbytes(6000))
    for end in (HOST, DEVICE):
        pair.links[end].send(sent[end])
    pair.flush()
    pair.run(pair.now_s + 60)
    assert [link.backlog for link in pair.links] == [0, 0]
    assert (data_of(pair.events[DEVICE]), data_of(pair.events[HOST])) == sent
    assert any(link.repeated for link in pair.links)


def test_a_complaint_brings_all_that_is_under_way_again() -> None:
    host = host_with_session()
    host.send(b"a" * 224 * 5)
    first = sent_by(host, 0.1)
    assert [frame.sequence for frame in first if isinstance(frame, Frame)] == [0, 1, 2, 3]
    host.receive(encode_frame(Frame(FrameKind.NAK, 7 * HALF + 3, 0, 1)), 0.2)
    again = sent_by(host, 0.2)
    assert again[:3] == first[1:]
    assert [frame.sequence for frame in again if isinstance(frame, Frame)] == [1, 2, 3, 4]
    host.receive(encode_frame(Frame(FrameKind.NAK, 7 * HALF + 3, 0, 5)), 0.3)
    assert sent_by(host, 0.3) == []
    assert (host.backlog, host.repeated) == (0, 3)


def test_what_comes_too_early_is_dropped_and_complained_of_at_once_and_once() -> None:
    device = device_with_session()
    for number in (1, 3, 2):
        assert device.receive(encode_frame(Frame(FrameKind.DATA, 7 * HALF + 41, number, 0, b"%d" % number)), 0.1) == []
    assert sent_by(device, 0.1) == [Frame(FrameKind.NAK, 7 * HALF + 41, 0, 0)]
    device.receive(encode_frame(Frame(FrameKind.DATA, 7 * HALF + 41, 1, 0, b"1")), 0.2)
    assert sent_by(device, 0.2 + ACK_WITHIN_S) == [Frame(FrameKind.ACK, 7 * HALF + 41, 0, 0)]
    events = [
        event
        for number in (0, 1, 0)
        for event in device.receive(encode_frame(Frame(FrameKind.DATA, 7 * HALF + 41, number, 0, b"%d" % number)), 0.3)
    ]
    assert events == [Received(b"0"), Received(b"1")]
    assert sent_by(device, 0.3) == []
    assert sent_by(device, 0.3 + ACK_WITHIN_S) == [Frame(FrameKind.ACK, 7 * HALF + 41, 0, 2)]
    assert device.duplicates == 5


def test_an_acknowledgement_goes_with_data_if_there_is_any_in_time() -> None:
    device = device_with_session()
    device.receive(encode_frame(Frame(FrameKind.DATA, 7 * HALF + 41, 0, 0, b"?")), 0.1)
    assert device.next_deadline_s == 0.1 + ACK_WITHIN_S
    assert device.bytes_to_send(0.1) == b""
    device.send(b"!")
    assert sent_by(device, 0.105) == [Frame(FrameKind.DATA, 7 * HALF + 41, 0, 1, b"!")]
    assert device.bytes_to_send(0.1 + ACK_WITHIN_S) == b""


@pytest.mark.parametrize("baud", [9_600, 19_200, 38_400, 57_600, 115_200, 1_000_000])
def test_terms_for_the_line_s_speed_let_nothing_be_sent_twice(baud: int) -> None:
    pair = made(host=Terms().at(baud))
    pair.line.byte_s = 10 / baud
    pair.run(1.0)
    size = 224 * 30
    for one in pair.links:
        one.send(bytes(size))
    pair.flush()
    begin_s = pair.now_s
    while any(link.backlog for link in pair.links):
        pair.step(pair.now_s + 1)
    assert [link.repeated for link in pair.links] == [0, 0]
    assert pair.now_s - begin_s <= 1.8 * size * 10 / baud + 0.5


@pytest.mark.parametrize(
    ("baud", "window", "payload"),
    # A tenth of a second: 96, 192, 384, 576, 1152 bytes; a frame has 13 that are no payload.
    [(1200, 1, 16), (9_600, 1, 83), (19_200, 1, 179), (38_400, 1, 224), (57_600, 2, 224), (115_200, 4, 224)],
)
def test_terms_of_slow_lines(baud: int, window: int, payload: int) -> None:
    assert Terms().at(baud) == Terms(window, payload)
    assert Terms(1, 16).at(baud) == Terms(1, 16)


@pytest.mark.parametrize("role", list(Role))
def test_the_tables_leave_no_state_without_a_way_out(role: Role) -> None:
    table = TABLES[role]
    states = {state for state, _ in table} | set(table.values())
    assert states & CARRIES_DATA
    for state in states:
        assert state is LinkState.CLOSED or table[state, LinkInput.CLOSED] is LinkState.CLOSED
        assert state is LinkState.CLOSED or any(to is not state for (at, _), to in table.items() if at is state)
    reached, new = set(), {LinkState.CLOSED}
    while new:
        reached |= new
        new = {to for (at, _), to in table.items() if at in reached} - reached
    assert reached == states


def test_a_reset_of_another_session_does_not_withdraw_what_was_accepted() -> None:
    device = Link(Role.DEVICE, 40)
    device.open(0.0)
    offer(device, 7, 0.0)
    device.receive(encode_frame(Frame(FrameKind.RESET, 6 * HALF + 40, payload=b"\x02\x01\x01")), 0.1)
    assert (state_of(device), device.strange) == (LinkState.ACCEPTING, 1)
