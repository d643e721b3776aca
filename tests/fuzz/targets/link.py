"""One end of a TDP link against anything, and two ends over a line that does anything; time is part of the input."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from protocols.tdp.framing import (
    ENCODED_MAX,
    HALF,
    PAYLOAD_MAX,
    SEQUENCES,
    SESSIONS,
    Frame,
    FrameDecoder,
    FrameKind,
    encode_frame,
)
from protocols.tdp.handshake import Security, Terms
from protocols.tdp.link import BACKLOG_MAX, Link, LinkError, LinkEvent, Received, SessionLost, SessionOpened
from protocols.tdp.states import CARRIES_DATA, LinkState, Role
from tests.fuzz.target import Supply, Target, must
from tests.vectors.tdp import golden

TICK_S: Final = 0.01
"""One step of the fuzzed time: 255 of them are more than every time of the link."""
FRAMES_AT_ONCE: Final = 6
"""A full window, a complaint and what opens or ends a session."""
STEPS_MAX: Final = 200
"""Steps of one input: more would make it slow and find nothing else."""
_KINDS: Final = tuple(FrameKind)
_OFFER: Final = golden.FRAMES[0].frame.payload
_ANSWER: Final = golden.FRAMES[1].frame.payload
_PLAIN: Final = Terms(security=Security.PLAIN)


class Watched:
    """A link whose every answer is looked at."""

    def __init__(self, role: Role, token: int, terms: Terms | None = None) -> None:
        self.link: Final = Link(role, token, terms)
        self.now_s = 0.0
        self.said = 0
        """The session in the last frame that it sent."""
        self.session: int | None = None
        """The session that its events say it has."""
        self.link.open(0.0)

    def receive(self, data: bytes) -> list[LinkEvent]:
        """Give it bytes, and look at what it makes of them."""
        events = self.link.receive(data, self.now_s)
        for event in events:
            if isinstance(event, SessionOpened):
                assert self.session is None, "a session opens in a session"
                self.session = event.session
            elif isinstance(event, SessionLost):
                assert self.session == event.session, "a session is lost that never was"
                self.session = None
            elif isinstance(event, Received):
                assert self.session is not None, "bytes come out of no session"
                assert event.data
        return events

    def sends(self) -> bytes:
        """Return what it sends now: whole frames, not too many, and then it is at rest until a later time."""
        out = self.link.bytes_to_send(self.now_s)
        frames = FrameDecoder().feed(out)
        assert len(frames) <= FRAMES_AT_ONCE, f"{len(frames)} frames at once"
        for frame in frames:
            assert isinstance(frame, Frame), "it sends what is no frame"
            self.said = frame.session
        link = self.link
        due_s = link.next_deadline_s
        assert due_s is None or due_s > self.now_s, "it wants to be called at once, for ever"
        assert (link.session is not None) == (link.state in CARRIES_DATA)
        assert link.backlog <= BACKLOG_MAX
        assert len(link.decoder.pending) <= ENCODED_MAX
        return out

    def send(self, data: bytes) -> None:
        """Append to its stream; it refuses without a session, and in a jam."""
        try:
            self.link.send(data)
        except LinkError as error:
            jammed = error.backlog + len(data) > BACKLOG_MAX
            must(self.link.session is None or jammed, f"{error} without a reason")


def check_host(data: bytes) -> None:
    """The host's end against anything."""
    _check_end(Role.HOST, data)


def check_device(data: bytes) -> None:
    """The device's end against anything."""
    _check_end(Role.DEVICE, data)


def _check_end(role: Role, data: bytes) -> None:
    supply = Supply(data)
    end = Watched(role, supply.number(2))
    end.sends()
    for _ in range(STEPS_MAX):
        if not supply.is_left:
            break
        _step(end, supply)
        end.receive(b"")
        end.sends()
    end.link.close()
    end.receive(b"")
    assert end.link.state is LinkState.CLOSED
    assert end.link.next_deadline_s is None or end.sends() is not None


def _step(end: Watched, supply: Supply) -> None:
    match supply.number() % 8:
        case 0:
            end.receive(supply.piece())
        case 1 | 2:
            end.receive(encode_frame(_frame(end, supply)))
        case 3:
            end.now_s += supply.number() * TICK_S
        case 4:
            end.now_s = max(end.now_s, end.link.next_deadline_s or 0.0)
        case 5:
            end.send(supply.piece() * (1 + supply.number()))
        case 6:
            end.link.line_lost(end.now_s)
        case _:
            end.link.close()
            end.receive(b"")
            end.sends()
            end.link.open(end.now_s)


def _frame(end: Watched, supply: Supply) -> Frame:
    kind = _KINDS[supply.number() % len(_KINDS)]
    how = supply.number()
    session = (end.link.session or end.said, end.said, end.said + 1 + supply.number(), supply.number(2))[how % 4]
    if kind is FrameKind.OPEN and not how & 32:
        session -= session % HALF
    payload = supply.piece()[:PAYLOAD_MAX]
    if not how & 4:
        payload = {FrameKind.OPEN: _OFFER, FrameKind.ACCEPT: _ANSWER, FrameKind.RESET: b"\x01\x01\x01"}.get(
            kind, payload
        )
    sequence = supply.number() if how & 8 else supply.number() % 8
    acknowledgement = supply.number() if how & 16 else supply.number() % 8
    return Frame(kind, session % SESSIONS, sequence % SEQUENCES, acknowledgement, payload)


@dataclass
class _Line:
    """Both ends, what is on the way to each, and what each session carried."""

    ends: list[Watched]
    way: list[list[bytes]] = field(default_factory=lambda: [[], []])
    sent: list[defaultdict[int, bytes]] = field(default_factory=lambda: [defaultdict(bytes), defaultdict(bytes)])
    came: list[defaultdict[int, bytes]] = field(default_factory=lambda: [defaultdict(bytes), defaultdict(bytes)])

    def flush(self) -> None:
        for number, end in enumerate(self.ends):
            out = end.sends()
            if out:
                self.way[1 - number].append(out)

    def deliver(self, to: int, data: bytes) -> None:
        end = self.ends[to]
        before = end.session
        for event in end.receive(data):
            if isinstance(event, SessionOpened):
                before = event.session
            elif isinstance(event, Received) and before is not None:
                self.came[to][before] += event.data
                assert self.sent[1 - to][before].startswith(self.came[to][before]), "the stream is not what was sent"


def check_pair(data: bytes) -> None:
    """Two ends over a line that loses, holds, doubles, changes and swaps whatever the fuzzer says."""
    supply = Supply(data)
    line = _Line([Watched(Role.HOST, supply.number(2), _PLAIN), Watched(Role.DEVICE, supply.number(2), _PLAIN)])
    line.flush()
    for _ in range(STEPS_MAX):
        if not supply.is_left:
            break
        what = supply.number()
        _line_step(line, what >> 7, what & 0x7F, supply)
        line.flush()


def _line_step(line: _Line, to: int, what: int, supply: Supply) -> None:
    way = line.way[to]
    match what % 8:
        case 0 | 1 if way:
            line.deliver(to, way.pop(0))
        case 2 if way:
            del way[supply.number() % len(way)]
        case 3 if way:
            way.append(way[supply.number() % len(way)])
        case 4 if way:
            data = bytearray(way.pop(0))
            data[supply.number(2) % len(data)] ^= supply.number()
            line.deliver(to, bytes(data))
        case 5:
            end = line.ends[to]
            data = bytearray(supply.piece())
            if end.link.session is not None:
                line.sent[to][end.link.session] += data
            end.send(bytes(data))
        case 6:
            for end in line.ends:
                end.now_s += supply.number() * TICK_S
            line.deliver(0, b"")
            line.deliver(1, b"")
        case 7:
            end = line.ends[to]
            end.link.line_lost(end.now_s)
            line.deliver(to, b"")
        case _:
            line.deliver(to, b"")


def _end_seeds() -> Iterable[bytes]:
    accept, offer, confirm = b"\x01\x01\x02\x28\x00\x00\x00", b"\x01\x00\x01\x00\x00\x00", b"\x01\x03\x00\x00\x00\x00"
    data = b"\x01\x02\x00\x03abc\x00\x01"
    wires = b"".join(b"\x00" + bytes([len(raw)]) + raw for raw in (bytes.fromhex(one.wire) for one in golden.FRAMES))
    return [
        b"\x00\x07" + opening + data + b"\x05\x04card\x02" + rest
        for opening in (accept, offer + confirm, offer)
        for rest in (b"\x04\x04\x04", b"\x03\xff", b"\x06\x04", b"\x07", wires, b"\x01\x05\x00\x00\x00")
    ]


def _pair_seeds() -> Iterable[bytes]:
    opening = b"\x00\x07\x01\x00" + b"\x80\x00\x80\x00"
    talk = b"\x05\x04card\x85\x03ack" + b"\x80\x00\x80\x00"
    late = b"\x06\x05\x06\x28\x80\x00\x03\x00\x83\x00\x80\x00\x02\x00\x06\x96"
    return [opening + talk * 4, opening + talk + late + talk, opening + late * 3, opening + b"\x07" + talk]


TARGETS: Final = {
    "tdp-link-host": Target(check_host, _end_seeds, short_runs=150, max_bytes=1024),
    "tdp-link-device": Target(check_device, _end_seeds, short_runs=150, max_bytes=1024),
    "tdp-link-pair": Target(check_pair, _pair_seeds, short_runs=250, max_bytes=1024),
}
