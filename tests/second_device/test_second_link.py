"""The second device's link against sections 4 to 6 of the page, in virtual time."""

import heapq
import random
from collections.abc import Callable

import pytest

from tests.second_device.framing import Frame, FrameReader, Kind, encode
from tests.second_device.host import HostLink
from tests.second_device.link import DeviceLink
from tests.second_device.session import Arrived, Lost, Security, Stands, State
from tests.second_device.stream import MODULUS, Incoming, Outgoing

HOST, DEVICE = 7, 41
SESSION = HOST << 8 | DEVICE
NEXT_SESSION = (HOST + 1) << 8 | (DEVICE + 1)
OFFER = b"\x01\x01\x04\xe0\x00"


def sent(link: DeviceLink) -> list[Frame]:
    return [frame for frame in FrameReader().feed(link.take_line()) if isinstance(frame, Frame)]


def give(link: DeviceLink, now_s: float, *frames: Frame) -> list[Frame]:
    """Give the link a batch, and read what it sends."""
    link.receive(b"".join(encode(frame) for frame in frames), now_s)
    return sent(link)


def opening(host: int = HOST, payload: bytes = OFFER) -> Frame:
    return Frame(Kind.OPEN, host << 8, payload=payload)


def listening() -> DeviceLink:
    link = DeviceLink(Security.PLAIN, DEVICE)
    link.open()
    return link


def standing(now_s: float = 0.0) -> DeviceLink:
    link = listening()
    give(link, now_s, opening())
    give(link, now_s, Frame(Kind.ACK, SESSION))
    assert link.take_happened() == [Stands(SESSION)]
    return link


def in_state(state: State) -> DeviceLink:
    link = DeviceLink(Security.PLAIN, DEVICE)
    if state is not State.CLOSED:
        link.open()
    if state in {State.ACCEPTING, State.OPEN, State.REOPENING}:
        give(link, 0.0, opening())
    if state in {State.OPEN, State.REOPENING}:
        give(link, 0.0, Frame(Kind.ACK, SESSION))
    if state is State.REOPENING:
        give(link, 0.0, opening(HOST + 1))
    assert link.state is state
    return link


def offer(link: DeviceLink) -> None:
    give(link, 0.1, opening(HOST + 5))


def confirm(link: DeviceLink) -> None:
    """A frame of the session accepted last, in whatever state that makes sense; else of none that is known."""
    number = NEXT_SESSION if link.state is State.REOPENING else SESSION
    give(link, 0.1, Frame(Kind.ACK, number))


def expire(link: DeviceLink) -> None:
    """1.5 s in which the session that stands, if any, is heard."""
    for tenths in range(1, 16):
        if link.state in {State.OPEN, State.REOPENING}:
            give(link, tenths / 10, Frame(Kind.ACK, SESSION))
        link.tick(tenths / 10)


def refuse(link: DeviceLink) -> None:
    """A ``RESET`` for the session accepted last."""
    number = NEXT_SESSION if link.state is State.REOPENING else SESSION
    give(link, 0.1, Frame(Kind.RESET, number, payload=b"\x02\x01\x01"))


def reset(link: DeviceLink) -> None:
    """A ``RESET`` for the session that stands."""
    give(link, 0.1, Frame(Kind.RESET, SESSION, payload=b"\x05\x01\x01"))


C, L, A, O, R = State.CLOSED, State.LISTENING, State.ACCEPTING, State.OPEN, State.REOPENING  # noqa: E741  as columns

STATES = {
    "OPENED": (DeviceLink.open, (L, L, A, O, R)),
    "OFFER": (offer, (C, A, A, R, R)),
    "CONFIRMATION": (confirm, (C, L, O, O, O)),
    "EXPIRY": (expire, (C, L, L, O, O)),
    "LOSS, EXPIRY: line": (DeviceLink.line_lost, (C, L, L, L, L)),
    "CLOSED": (DeviceLink.close, (C, C, C, C, C)),
    "EXPIRY: RESET for the accepted": (refuse, (C, L, L, L, O)),  # in OPEN it names the one that stands
    "LOSS: RESET for the standing": (reset, (C, L, L, L, A)),  # in ACCEPTING it names the one accepted
}


@pytest.mark.parametrize("before", list(State))
@pytest.mark.parametrize("name", STATES)
def test_state_table(name: str, before: State) -> None:
    act: Callable[[DeviceLink], None]
    act, after = STATES[name]
    link = in_state(before)
    act(link)
    assert link.state is after[list(State).index(before)]


def test_silence_loses_the_session_and_says_so() -> None:
    link = standing()
    link.tick(1.4)
    sent(link)
    link.tick(1.5)
    assert link.state is State.LISTENING
    assert link.take_happened() == [Lost("silence")]
    assert [(frame.kind, frame.session, frame.payload[0]) for frame in sent(link)] == [(Kind.RESET, SESSION, 5)]


def test_silence_of_the_old_session_while_reopening() -> None:
    link = standing()
    give(link, 1.0, opening(HOST + 1))
    link.tick(1.5)
    assert link.state is State.ACCEPTING
    give(link, 1.6, Frame(Kind.ACK, NEXT_SESSION))
    assert link.take_happened() == [Lost("silence"), Stands(NEXT_SESSION)]


def test_replacing_ends_the_old_session_only_when_confirmed() -> None:
    link = standing()
    assert [frame.session for frame in give(link, 0.1, opening(HOST + 1))] == [NEXT_SESSION]
    assert link.take_happened() == []
    give(link, 0.2, Frame(Kind.DATA, SESSION, payload=b"old"))
    assert link.take_happened() == [Arrived(b"old")]
    give(link, 0.3, Frame(Kind.DATA, NEXT_SESSION, payload=b"new"))
    assert link.take_happened() == [Lost("replaced"), Stands(NEXT_SESSION), Arrived(b"new")]
    (answer,) = give(link, 0.4, Frame(Kind.DATA, SESSION, 1, payload=b"late"))
    assert (answer.kind, answer.session, answer.payload) == (Kind.RESET, SESSION, b"\x01\x01\x01")


def test_same_host_number_same_answer_another_another() -> None:
    link = listening()
    (first,) = give(link, 0.0, opening())
    assert first == Frame(Kind.ACCEPT, SESSION, payload=b"\x01\x04\xe0\x00")
    assert give(link, 0.25, opening()) == [first]
    (other,) = give(link, 0.5, opening(HOST + 1))
    assert other.session == NEXT_SESSION
    (answer,) = give(link, 0.6, Frame(Kind.ACK, SESSION))
    assert answer.kind is Kind.RESET
    assert link.state is State.ACCEPTING


def test_an_answer_sent_again_keeps_the_candidate() -> None:
    link = listening()
    for now_s in (0.0, 1.0, 2.0):
        (accept,) = give(link, now_s, opening())
        assert accept.session == SESSION
    assert link.due_s == 3.5
    link.tick(3.5)
    assert link.state is State.LISTENING


def test_a_frame_of_a_session_being_opened_gets_no_reset() -> None:
    """A host that opens it would take that for the answer to its ``OPEN``."""
    link = listening()
    assert give(link, 0.0, Frame(Kind.DATA, HOST << 8, payload=b"?")) == []
    assert link.dropped == 1


def test_copy_of_the_standing_offer_is_ignored_and_does_not_keep_it_alive() -> None:
    link = standing()
    for tenths in range(1, 15):
        assert give(link, tenths / 10, opening()) == []
    link.tick(1.5)
    assert link.state is State.LISTENING


def test_after_the_highest_device_number_comes_one() -> None:
    link = DeviceLink(Security.PLAIN, 0xFF)
    link.open()
    assert [give(link, 0.0, opening(host))[0].device for host in (1, 2, 3)] == [0xFF, 1, 2]


@pytest.mark.parametrize(
    ("payload", "answer"),
    [
        ("01 01 04 E0 00", (Kind.ACCEPT, "01 04 E0 00")),
        ("01 01 02 40 00", (Kind.ACCEPT, "01 02 40 00")),
        ("00 09 04 E0 00", (Kind.ACCEPT, "01 04 E0 00")),
        ("01 01 04 E0 00 AA BB", (Kind.ACCEPT, "01 04 E0 00")),
        ("02 03 04 E0 00", (Kind.RESET, "03 01 01")),
        ("01 01 04 E0 01", (Kind.RESET, "04 01 01")),
        ("01 01 04 E0", None),
        ("02 01 04 E0 00", None),
        ("01 01 00 E0 00", None),
        ("01 01 04 0F 00", None),
    ],
)
def test_answer_to_an_offer(payload: str, answer: tuple[Kind, str] | None) -> None:
    link = listening()
    frames = give(link, 0.0, opening(payload=bytes.fromhex(payload)))
    assert [(frame.kind, frame.payload) for frame in frames] == (
        [] if answer is None else [(answer[0], bytes.fromhex(answer[1]))]
    )
    if answer is not None and answer[0] is Kind.RESET:
        assert frames[0].session == HOST << 8
    assert link.dropped == (1 if answer is None else 0)


def test_one_reset_for_each_batch_and_none_for_a_reset() -> None:
    link = listening()
    strangers = [Frame(Kind.ACK, number) for number in (0x0901, 0x0902, 0x0903)]
    assert [frame.session for frame in give(link, 0.0, *strangers)] == [0x0901]
    assert len(give(link, 0.1, strangers[1])) == 1
    assert give(link, 0.2, Frame(Kind.RESET, 0x0901, payload=b"\x01\x01\x01")) == []
    assert give(link, 0.3, Frame(Kind.ACCEPT, 0x0901, payload=OFFER)) == []


def test_frames_that_break_a_rule_are_dropped() -> None:
    link = standing()
    assert give(link, 0.1, Frame(Kind.DATA, SESSION)) == []
    assert give(link, 0.1, Frame(Kind.ACK, SESSION, payload=b"x")) == []
    assert link.dropped == 2
    assert link.state is State.OPEN


def test_keep_alive_after_nothing_was_sent() -> None:
    link = standing()
    assert link.due_s == pytest.approx(0.4)
    link.tick(0.39)
    assert sent(link) == []
    link.tick(0.4)
    assert sent(link) == [Frame(Kind.ACK, SESSION)]
    assert link.due_s == pytest.approx(0.8)


def test_repeated_every_quarter_of_a_second_and_given_up_after_three() -> None:
    link = standing()
    link.write(b"card", 0.0)
    card = Frame(Kind.DATA, SESSION, payload=b"card")
    assert sent(link) == [card]
    times: list[float] = []
    now_s, frames = 0.0, list[Frame]()
    for hundredths in range(1, 400):
        now_s = hundredths / 100
        if hundredths % 50 == 10:
            link.receive(encode(Frame(Kind.ACK, SESSION)), now_s)
        link.tick(now_s)
        frames = sent(link)
        times += [now_s for frame in frames if frame == card]
        if link.state is State.LISTENING:
            break
    assert times == pytest.approx([step / 4 for step in range(1, 12)])
    assert now_s == pytest.approx(3.0)
    assert link.take_happened() == [Lost("unheeded")]
    assert [(frame.kind, frame.payload[0]) for frame in frames] == [(Kind.RESET, 5)]


def four_under_way() -> DeviceLink:
    link = standing()
    link.write(b"abcde" * 224, 0.0)
    assert [frame.sequence for frame in sent(link)] == [0, 1, 2, 3]
    return link


def test_window() -> None:
    link = four_under_way()
    assert [frame.sequence for frame in give(link, 0.1, Frame(Kind.ACK, SESSION, acknowledgement=2))] == [4]


def test_acknowledgement_of_what_was_not_sent_is_ignored() -> None:
    link = four_under_way()
    assert give(link, 0.1, Frame(Kind.ACK, SESSION, acknowledgement=5)) == []
    assert give(link, 0.1, Frame(Kind.ACK, SESSION, acknowledgement=0xFF)) == []
    assert [frame.sequence for frame in give(link, 0.1, Frame(Kind.ACK, SESSION, acknowledgement=4))] == [4]


def test_a_complaint_brings_all_again_and_new_ones_behind() -> None:
    link = four_under_way()
    answer = give(link, 0.1, Frame(Kind.NAK, SESSION, acknowledgement=1))
    assert [frame.sequence for frame in answer] == [1, 2, 3, 4]
    assert give(link, 0.2, Frame(Kind.NAK, SESSION, acknowledgement=5)) == []


def test_only_what_is_under_way_comes_again_after_the_time() -> None:
    link = four_under_way()
    give(link, 0.2, Frame(Kind.ACK, SESSION, acknowledgement=2))
    link.tick(0.44)
    assert sent(link) == []
    link.tick(0.45)
    assert [frame.sequence for frame in sent(link)] == [2, 3, 4]


def test_receiver_takes_what_it_expects_and_complains_of_a_gap_once() -> None:
    link = standing()
    assert give(link, 0.1, Frame(Kind.DATA, SESSION, 1, payload=b"b")) == [Frame(Kind.NAK, SESSION)]
    assert give(link, 0.1, Frame(Kind.DATA, SESSION, 2, payload=b"c")) == []
    link.tick(0.11)
    assert sent(link) == [Frame(Kind.ACK, SESSION)]
    assert give(link, 0.2, Frame(Kind.DATA, SESSION, 0, payload=b"a")) == []
    assert give(link, 0.2, Frame(Kind.DATA, SESSION, 3, payload=b"d")) == [Frame(Kind.NAK, SESSION, acknowledgement=1)]
    assert link.take_happened() == [Arrived(b"a")]


def test_no_complaint_within_the_time_of_the_last_but_then() -> None:
    link = standing()
    early = Frame(Kind.DATA, SESSION, 1, payload=b"b")
    assert [frame.kind for frame in give(link, 0.10, early)] == [Kind.NAK]
    assert give(link, 0.34, early) == []
    assert [frame.kind for frame in give(link, 0.35, early)] == [Kind.NAK]


def test_damage_is_complained_of_while_a_session_stands() -> None:
    link = listening()
    link.receive(b"\0\x05ab\0", 0.0)
    assert sent(link) == []
    link = standing()
    link.receive(b"\0\x05ab\0\0\x05ab\0", 0.1)
    assert sent(link) == [Frame(Kind.NAK, SESSION)]


def test_what_came_is_answered_by_whatever_is_sent_within_ten_milliseconds() -> None:
    link = four_under_way()
    first, second = (Frame(Kind.DATA, SESSION, number, 2, b"a") for number in (0, 1))
    answer = give(link, 0.1, first, second)
    assert [(frame.kind, frame.sequence, frame.acknowledgement) for frame in answer] == [(Kind.DATA, 4, 2)]
    link.tick(0.11)
    assert sent(link) == []
    give(link, 0.2, second)
    assert link.due_s == pytest.approx(0.21)
    link.tick(0.211)
    assert sent(link) == [Frame(Kind.ACK, SESSION, acknowledgement=2)], "what is known is answered too"


def test_closed_link_hears_nothing() -> None:
    link = DeviceLink(Security.PLAIN, DEVICE)
    assert give(link, 0.0, opening(), Frame(Kind.ACK, SESSION)) == []


def test_closing_tells_the_host() -> None:
    link = in_state(State.REOPENING)
    link.close()
    assert [(frame.kind, frame.session, frame.payload[0]) for frame in sent(link)] == [
        (Kind.RESET, NEXT_SESSION, 2),
        (Kind.RESET, SESSION, 2),
    ]


def test_line_lost_in_the_middle_of_a_frame() -> None:
    link = standing()
    half = encode(Frame(Kind.ACK, SESSION))[:8]
    link.receive(half, 0.1)
    link.line_lost()
    assert link.skipped == {"truncated": 7}
    assert link.take_happened() == [Lost("line")]
    assert give(link, 0.2, Frame(Kind.RESET, SESSION, payload=b"\x01")) == []


def test_numbers_go_round() -> None:
    outgoing, incoming = Outgoing(4, 16), Incoming(4)
    arrived = 0
    for step in range(MODULUS // 4 + 3):
        outgoing.write(bytes(4 * 16))
        for number, payload in outgoing.new(step / 100):
            arrived += len(incoming.data(number, payload, step / 100))
        outgoing.acknowledged(incoming.expected, step / 100)
        assert not outgoing.under_way
    assert incoming.expected == 12
    assert arrived == 16 * (MODULUS + 12)


class Wire:
    """Two links and a line between that loses, damages, doubles, delays and overtakes."""

    def __init__(self, rng: random.Random, loss: float) -> None:
        self.now_s = 0.0
        self.device = listening()
        self.host = HostLink(HOST)
        self.received = bytearray()
        self._rng = rng
        self._loss = loss
        self._under_way: list[tuple[float, int, str, bytes]] = []
        self._count = 0

    def run(self, until: Callable[[], bool], limit_s: float) -> None:
        while not until():
            assert self.now_s < limit_s, "did not come to an end"
            self._put("device", self.host.take_line())
            self._put("host", self.device.take_line())
            times = [self.host.due_s, self.device.due_s, self._under_way[0][0] if self._under_way else None]
            self.now_s = max(self.now_s, min(time for time in times if time is not None))
            while self._under_way and self._under_way[0][0] <= self.now_s:
                _, _, end, data = heapq.heappop(self._under_way)
                (self.host if end == "host" else self.device).receive(data, self.now_s)
            self.host.tick(self.now_s)
            self.device.tick(self.now_s)
            for happened in self.device.take_happened():
                assert not isinstance(happened, Lost), happened
                if isinstance(happened, Arrived):
                    self.received += happened.data

    def _put(self, end: str, data: bytes) -> None:
        for piece in (encode(frame) for frame in FrameReader().feed(data) if isinstance(frame, Frame)):
            fate = self._rng.random()
            if fate < self._loss:
                continue
            copy = bytearray(piece)
            if fate < self._loss * 1.5:
                copy[self._rng.randrange(len(copy))] ^= 1 << self._rng.randrange(8)
            for _ in range(2 if fate > 0.95 else 1):
                self._count += 1
                arrives_s = self.now_s + self._rng.uniform(0.002, 0.03)
                heapq.heappush(self._under_way, (arrives_s, self._count, end, bytes(copy)))


@pytest.mark.parametrize("loss", [0.0, 0.05, 0.1])
def test_stream_arrives_whole_over_a_bad_line(seed: int, loss: float) -> None:
    rng = random.Random(seed)
    wire = Wire(rng, loss)
    wire.host.open(0.0)
    wire.run(lambda: wire.device.state is State.OPEN, 10.0)
    down, up = rng.randbytes(20_000), rng.randbytes(20_000)
    wire.host.write(down, wire.now_s)
    wire.device.write(up, wire.now_s)
    wire.run(lambda: len(wire.received) == len(down) and len(wire.host.arrived) == len(up), 300.0)
    assert bytes(wire.received) == down
    assert bytes(wire.host.arrived) == up
    assert wire.host.sessions == 1
