"""A line between a host and a device in virtual time: it loses, changes, doubles, delays, overtakes, and is unplugged.

It models bytes and their time, at 115200 baud unless told otherwise.
"""

import heapq
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Protocol, TypeVar

from protocols.garbage import Garbage
from protocols.tdp import handshake
from protocols.tdp.framing import HALF, Frame, FrameDecoder, FrameKind, encode_frame
from protocols.tdp.handshake import Terms
from protocols.tdp.link import Link, LinkEvent, SessionOpened
from protocols.tdp.states import LinkState, Role
from protocols.tdp.tls import Plaintext, Secured, TlsStream

HOST, DEVICE = 0, 1

BYTE_S: Final = 10 / 115_200
"""One start bit, eight bits, one stop bit."""
LATENCY_S: Final = 0.002


@dataclass(frozen=True, slots=True)
class Faults:
    """How bad the line is: chances per byte, per write, and what a delay is."""

    byte_changed: float = 0.0
    byte_lost: float = 0.0
    byte_added: float = 0.0
    write_lost: float = 0.0
    write_doubled: float = 0.0
    write_delayed: float = 0.0
    delay_s: float = 0.05


NONE: Final = Faults()
BAD: Final = Faults(
    byte_changed=1e-3,
    byte_lost=2e-4,
    byte_added=2e-4,
    write_lost=1e-2,
    write_doubled=1e-2,
    write_delayed=1e-2,
)


class Sound:
    """Traffic of one direction that arrives sound, found without our decoder: runs between zeros that were sent so.

    Attributes:
        harms: bytes that were changed, lost or added in them.
    """

    def __init__(self) -> None:
        self.frames = 0
        self.harms = 0
        self.arrived = 0
        self._sent: set[bytes] = set()
        self._pending = b""

    def sent(self, data: bytes, harms: int) -> None:
        runs = [run for run in data.split(b"\0") if run]
        self._sent.update(runs)
        self.frames += len(runs)
        self.harms += harms

    def came(self, data: bytes) -> None:
        *runs, self._pending = (self._pending + data).split(b"\0")
        self.arrived += sum(run in self._sent for run in runs)

    def reset(self) -> None:
        """The reader begins anew: what waits for its end is nothing any more."""
        self._pending = b""


@dataclass
class Line:
    """Both directions. ``plugged`` is False while nothing passes."""

    chance: random.Random
    faults: Faults = NONE
    plugged: bool = True
    byte_s: float = BYTE_S
    writes: int = 0
    frames: int = 0
    harmed: int = 0
    sound: tuple[Sound, Sound] | None = None
    """By the end they go to, where a test wants to know."""
    _heap: list[tuple[float, int, int, bytes]] = field(default_factory=list)
    _free_s: list[float] = field(default_factory=lambda: [0.0, 0.0])
    _count: int = 0
    _harms: int = 0

    @property
    def next_s(self) -> float | None:
        return self._heap[0][0] if self._heap else None

    def write(self, to: int, data: bytes, now_s: float) -> None:
        """Put bytes on the line towards end 0 or 1."""
        if not data:
            return
        self.writes += 1
        self.frames += data.count(b"\0") // 2
        begin_s = max(now_s, self._free_s[to])
        self._free_s[to] = begin_s + len(data) * self.byte_s
        if not self.plugged:
            return
        faults, chance = self.faults, self.chance
        if chance.random() < faults.write_lost:
            self.harmed += 1
            return
        arrives_s = self._free_s[to] + LATENCY_S
        if chance.random() < faults.write_delayed:
            arrives_s += chance.random() * faults.delay_s
        copies = 2 if chance.random() < faults.write_doubled else 1
        for copy in range(copies):
            harmed = self._harm(data)
            if self.sound is not None:
                self.sound[to].sent(data, self._harms)
            cut = chance.randrange(len(harmed) + 1)
            for piece in (harmed[:cut], harmed[cut:]):
                if piece:
                    self._count += 1
                    when_s = arrives_s + copy * chance.random() * faults.delay_s
                    heapq.heappush(self._heap, (when_s, self._count, to, piece))

    def read(self, now_s: float) -> list[tuple[int, bytes]]:
        """Return all that has arrived by now: which end, which bytes."""
        arrived = []
        while self._heap and self._heap[0][0] <= now_s:
            _, _, to, data = heapq.heappop(self._heap)
            arrived.append((to, data))
            if self.sound is not None:
                self.sound[to].came(data)
        return arrived

    def unplug(self) -> None:
        """Lose everything on the way, and with it what kept it there."""
        self.plugged = False
        self._heap.clear()
        self._free_s = [0.0, 0.0]

    def stall(self, until_s: float) -> None:
        """Let nothing begin to pass before ``until_s``; what is written meanwhile waits."""
        self._free_s = [max(free_s, until_s) for free_s in self._free_s]

    def _harm(self, data: bytes) -> bytes:
        faults, chance = self.faults, self.chance
        self._harms = 0
        harmed, end = bytearray(), 0
        for at in self._places(len(data), faults.byte_changed + faults.byte_lost + faults.byte_added):
            harmed += data[end:at]
            end = at + 1
            kind = chance.random() * (faults.byte_changed + faults.byte_lost + faults.byte_added)
            if kind < faults.byte_changed:
                harmed.append(data[at] ^ chance.randrange(1, 256))
            elif kind >= faults.byte_changed + faults.byte_lost:
                harmed += bytes([chance.randrange(256), data[at]])
            self._harms += 1
        if not self._harms:
            return data
        self.harmed += 1
        return bytes(harmed + data[end:])

    def _places(self, size: int, harm: float) -> Iterator[int]:
        if harm:
            at = -1
            while (at := at + 1 + int(math.log(1.0 - self.chance.random()) / math.log1p(-harm))) < size:
                yield at


class End(Protocol):
    """A link, or an endpoint over one."""

    @property
    def next_deadline_s(self) -> float | None: ...
    def open(self, now_s: float) -> None: ...
    def receive(self, data: bytes, now_s: float) -> Sequence[Any]: ...
    def bytes_to_send(self, now_s: float) -> bytes: ...


L = TypeVar("L", bound=End)


@dataclass
class Ends(Generic[L]):
    """Two ends of a line, and what each reported."""

    line: Line
    links: list[L]
    now_s: float = 0.0
    events: tuple[list[Any], list[Any]] = field(default_factory=lambda: ([], []))

    def open(self) -> None:
        for link in self.links:
            link.open(self.now_s)
        self.flush()

    def flush(self) -> None:
        for end, link in enumerate(self.links):
            self.line.write(1 - end, link.bytes_to_send(self.now_s), self.now_s)

    def next_s(self) -> float | None:
        times = [link.next_deadline_s for link in self.links] + [self.line.next_s]
        return min((time for time in times if time is not None), default=None)

    def step(self, until_s: float) -> None:
        """Go to the next thing that happens, or to ``until_s`` if that is earlier."""
        next_s = self.next_s()
        self.now_s = max(self.now_s, until_s if next_s is None else min(next_s, until_s))
        arrived = self.line.read(self.now_s)
        for end, data in arrived:
            self.events[end].extend(self.links[end].receive(data, self.now_s))
        for end, link in enumerate(self.links):
            due_s = link.next_deadline_s
            if due_s is not None and due_s <= self.now_s:
                self.events[end].extend(link.receive(b"", self.now_s))
        self.flush()
        # What sending found out belongs to this step as well.
        for end, link in enumerate(self.links):
            self.events[end].extend(link.receive(b"", self.now_s))

    def run(self, until_s: float) -> None:
        """Let time pass."""
        while self.now_s < until_s:
            self.step(until_s)


@dataclass
class Pair(Ends[Link]):
    """Two links on a line."""

    events: tuple[list[LinkEvent], list[LinkEvent]] = field(default_factory=lambda: ([], []))


def made(seed: int = 1, faults: Faults | None = None, host: Terms | None = None, device: Terms | None = None) -> Pair:
    line = Line(random.Random(seed), faults or Faults())
    pair = Pair(line, [Link(Role.HOST, 7, host), Link(Role.DEVICE, 40, device)])
    pair.open()
    return pair


def state_of(link: Link) -> LinkState:
    """Where it stands; for a type checker that believes that it still stands where it stood."""
    return link.state


def sent_by(link: Link, now_s: float) -> list[Frame | Garbage]:
    return FrameDecoder().feed(link.bytes_to_send(now_s))


def device_with_session() -> Link:
    device = Link(Role.DEVICE, 40)
    device.open(0.0)
    offer(device, 7, 0.0)
    device.receive(encode_frame(Frame(FrameKind.ACK, 7 * HALF + 41)), 0.0)
    assert state_of(device) is LinkState.OPEN
    device.bytes_to_send(0.0)
    return device


def offer(device: Link, number: int, now_s: float, payload: bytes | None = None) -> list[LinkEvent]:
    payload = handshake.encode_offer(Terms()) if payload is None else payload
    return device.receive(encode_frame(Frame(FrameKind.OPEN, number * HALF, payload=payload)), now_s)


def host_with_session() -> Link:
    host = Link(Role.HOST, 7)
    host.open(0.0)
    host.bytes_to_send(0.0)
    accept = Frame(FrameKind.ACCEPT, 7 * HALF + 3, payload=handshake.encode_answer(Terms()))
    assert host.receive(encode_frame(accept), 0.0) == [SessionOpened(7 * HALF + 3, Terms())]
    assert sent_by(host, 0.0) == [Frame(FrameKind.ACK, 7 * HALF + 3)]
    return host


def exchange(ends: list[TlsStream]) -> tuple[list[Secured | Plaintext], list[Secured | Plaintext]]:
    """Pass bytes directly until neither end has any."""
    events: tuple[list[Secured | Plaintext], list[Secured | Plaintext]] = ([], [])
    moved = True
    while moved:
        moved = False
        for end in (HOST, DEVICE):
            data = ends[end].bytes_to_send()
            if data:
                moved = True
                events[1 - end].extend(ends[1 - end].receive(data))
    return events
