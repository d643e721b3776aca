"""Steps of the model against two real links, each with a clock of its own, on a line that does what the steps say."""

from collections import defaultdict, deque
from collections.abc import Callable
from typing import Final

from protocols.tdp.framing import HALF, Frame, FrameDecoder, encode_frame
from protocols.tdp.handshake import Security, Terms
from protocols.tdp.link import Link, Received, SessionLost, SessionOpened
from protocols.tdp.states import Role
from protocols.tdp.timing import ACK_WITHIN_S, ALIVE_AFTER_S, RETRY_S

HOST, DEVICE = 0, 1
PLACES: Final = 5
"""Frames that the model's line has room for."""
ITEM: Final = 16
"""Bytes of a frame's payload: the least that ends agree on."""
SETTLES_S: Final = 1.9
"""Without faults everything arrives long before; a link that gives its session up needs longer."""
STEP_S: Final = 0.05

MakeLink = Callable[[Role, int, Terms], Link]


class Replay:
    """Two links, a line, and what is seen to be wrong.

    Attributes:
        wrong: what must never be, in words; each once.
    """

    def __init__(self, make: MakeLink, items: tuple[int, int] = (1, 3), window: int = 2) -> None:
        self._make: Final = make
        self._items: Final = items
        self._terms: Final = Terms(window, ITEM, Security.PLAIN)
        self._now_s = [0.0, 0.0]
        self._links: Final = [make(Role.HOST, 1, self._terms), make(Role.DEVICE, 0, self._terms)]
        self._line: Final[tuple[deque[Frame], deque[Frame]]] = (deque(), deque())
        self._held: Final[list[Frame | None]] = [None, None]
        self._sent: Final[defaultdict[tuple[int, int], bytes]] = defaultdict(bytes)
        self._came: Final[defaultdict[tuple[int, int], bytes]] = defaultdict(bytes)
        self._reading: Final[list[int | None]] = [None, None]
        self.wrong: Final[dict[str, None]] = {}
        self.differs: Final[list[str]] = []

    def play(self, steps: list[str]) -> "Replay":
        """Do what the steps say; then let the line be good, and see that everything arrives."""
        for step in steps:
            what, *rest = step.split()
            self._do(what, int(rest[0]) if rest else HOST, step)
            self._look()
        self._settle()
        return self

    def _do(self, what: str, end: int, step: str) -> None:
        line = self._line[end]
        acts: dict[str, Callable[[], object]] = {
            "open": self._open,
            "bring": lambda: self._bring(end, step),
            "lose": line.popleft,
            "hold": lambda: self._held.__setitem__(end, line[0]),
            "release": lambda: self._put(end, self._held[end]),
            "timer": lambda: self._wait(end, RETRY_S),
            "alive": lambda: self._wait(end, ALIVE_AFTER_S),
            "line-lost": lambda: self._lose_line(end),
            "restart": self._restart_device,
        }
        if not line and what in ("bring", "lose", "hold"):
            self.differs.append(f"{step}: the line is empty")
        else:
            acts[what]()

    def _open(self) -> None:
        for end in (DEVICE, HOST):
            self._links[end].open(0.0)
        self._flush(HOST)

    def _lose_line(self, end: int) -> None:
        self._links[end].line_lost(self._now_s[end])
        self._wait(end, 0.0)

    def _restart_device(self) -> None:
        given = self._links[DEVICE]._token  # noqa: SLF001  a device that starts counts on
        self._links[DEVICE] = self._make(Role.DEVICE, given + 1, self._terms)
        self._links[DEVICE].open(self._now_s[DEVICE])
        self._reading[DEVICE] = None

    def _bring(self, to: int, step: str) -> None:
        frame = self._line[to].popleft()
        words = f"{frame.kind.name} {frame.session // HALF} {frame.session % HALF} {frame.sequence} "
        if not step.endswith(words + str(frame.acknowledgement)):
            self.differs.append(f"{step}: {words}{frame.acknowledgement}")
        self._take(to, encode_frame(frame))
        self._flush(to)
        self._wait(to, ACK_WITHIN_S)

    def _take(self, to: int, data: bytes) -> None:
        for event in self._links[to].receive(data, self._now_s[to]):
            match event:
                case SessionOpened(session):
                    self._reading[to] = session
                    for number in range(self._items[to]):
                        item = bytes([to * 128 + number]) * ITEM
                        self._links[to].send(item)
                        self._sent[to, session] += item
                case SessionLost(session, reason):
                    if to == DEVICE and reason == "replaced" and self._links[HOST].session == session:
                        self.wrong["the device ended a session in which the host is"] = None
                case Received(data=came):
                    session = self._reading[to] or 0
                    self._came[to, session] += came
                    if not self._sent[1 - to, session].startswith(self._came[to, session]):
                        self.wrong["an end took what was not sent next in this session"] = None
                case _:
                    pass

    def _wait(self, end: int, wait_s: float) -> None:
        self._now_s[end] += wait_s
        self._take(end, b"")
        self._flush(end)

    def _flush(self, end: int) -> None:
        for item in FrameDecoder().feed(self._links[end].bytes_to_send(self._now_s[end])):
            assert isinstance(item, Frame)
            self._put(1 - end, item)

    def _put(self, to: int, frame: Frame | None) -> None:
        if frame is not None and len(self._line[to]) < PLACES:
            self._line[to].append(frame)

    def _look(self) -> None:
        session = self._links[HOST].session
        if session is None or self._links[DEVICE].session != session:
            return
        for end in (HOST, DEVICE):
            forgotten = len(self._sent[end, session]) - self._links[end].backlog
            if forgotten > len(self._came[1 - end, session]):
                self.wrong["an end forgot what the other has not"] = None

    def _settle(self) -> None:
        for _ in range(round(SETTLES_S / STEP_S)):
            for to in (HOST, DEVICE):
                while self._line[to]:
                    self._take(to, encode_frame(self._line[to].popleft()))
                    self._flush(to)
                self._wait(to, STEP_S)
            self._look()
        session = self._links[HOST].session
        same = session is not None and self._links[DEVICE].session == session
        arrived = same and all(
            len(self._came[1 - end, session or 0]) == ITEM * self._items[end] for end in (HOST, DEVICE)
        )
        if not arrived:
            self.wrong["it does not get on without faults"] = None
