"""A device reports events over a line that loses, changes, doubles, delays, stalls and is unplugged; both ends restart.

Two whole ``Endpoint``, plain, and the applications that section 12 of ``docs/protocols/tdp.md`` asks for, in virtual
time at 115200 baud. ``tests/property/test_tdp_lossy_link.py`` says what must hold at the end.
"""

import random
from dataclasses import dataclass, field
from typing import Final

from protocols.garbage import Garbage
from protocols.tdp.codes import BootReason, Capability, Condition, DeviceState, Face
from protocols.tdp.commands import DeviceCommand, Dispense, EventAcknowledged
from protocols.tdp.endpoint import Endpoint, EndpointEvent, EndpointLost, EndpointReady, MessageReceived
from protocols.tdp.events import CardDrawn, DeviceEvent, EventKey
from protocols.tdp.exactly_once import CommandMemory, EventDeduplicator, EventOrder, EventOutbox
from protocols.tdp.framing import HALF
from protocols.tdp.handshake import Security, Terms
from protocols.tdp.messages import Done, Heartbeat, Hello, Message, Status
from protocols.tdp.states import Role
from regulations.events.cards import DECK
from tests.protocols.tdp.lines import BAD, Ends, Line, Sound

HOST, DEVICE = 0, 1
FRAMES_PER_DETACH: Final = 1000
"""Frames that go on the line, in both directions together, between two detachments."""
FRAMES_PER_TROUBLE: Final = 700
"""Frames between two stalls or restarts."""
READY_S: Final = 2.0
"""From reattachment until both ends have heard each other in one session."""
BACKLOG_BYTES: Final = 1024
PLAIN: Final = Terms(security=Security.PLAIN)
STATUS: Final = Status(DeviceState.LOADED, Condition.LOCKED, 0, 416, 0, 0, 0)


@dataclass
class Tally:
    """The sum of a game; ``Tally.of`` compares what was reported with what was journalled."""

    events: int = 0
    lost: int = 0
    doubled: int = 0
    invented: int = 0
    detaches: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.events + other.events,
            self.lost + other.lost,
            self.doubled + other.doubled,
            self.invented + other.invented,
            self.detaches + other.detaches,
        )

    def __str__(self) -> str:
        return (
            f"events={self.events} lost={self.lost} doubled={self.doubled} invented={self.invented} "
            f"detaches={self.detaches}"
        )

    @property
    def is_exactly_once(self) -> bool:
        return not (self.lost or self.doubled or self.invented)

    @classmethod
    def of(cls, made: list[DeviceEvent], journal: list[DeviceEvent], detaches: int) -> "Tally":
        reported, kept = set(made), set(journal)
        return cls(len(journal), len(reported - kept), len(journal) - len(kept), len(kept - reported), detaches)


@dataclass
class Game:
    """Both ends, both applications, and what happens to them."""

    seed: int
    cards: int
    made: list[DeviceEvent] = field(default_factory=list)
    journal: list[DeviceEvent] = field(default_factory=list)
    done: list[DeviceCommand] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    ready_s: list[float] = field(default_factory=list)
    decoded: list[int] = field(default_factory=lambda: [0, 0])
    sessions_lost: int = 0
    repeated: int = 0
    detaches: int = 0
    stalls: int = 0
    restarts: list[int] = field(default_factory=lambda: [0, 0])

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.sound = (Sound(), Sound())
        self.line = Line(self.chance, BAD, sound=self.sound)
        self.pair: Ends[Endpoint] = Ends(self.line, [self.endpoint(Role.HOST), self.endpoint(Role.DEVICE)])
        self.outbox = EventOutbox(1)
        self.memory = CommandMemory()
        self.gate = EventDeduplicator(None)
        self.known: dict[EventKey, DeviceEvent] = {}
        self.knows_device = False
        self.owed: EventAcknowledged | None = None
        self.owes_heartbeat = False
        self.command = Dispense(1, 1)
        self.cards_made = 0
        self.waiting_max = 1
        self.detach_at = FRAMES_PER_DETACH
        self.trouble_at = FRAMES_PER_TROUBLE
        self.plug_s: float | None = None
        self.back_s: float | None = None
        self.heard = [0, 0]

    def endpoint(self, role: Role) -> Endpoint:
        return Endpoint(role, self.chance.randrange(HALF), PLAIN)

    @property
    def tally(self) -> Tally:
        return Tally.of(self.made, self.journal, self.detaches)

    def play(self) -> None:
        """Go on until every event is made, journalled, acknowledged and forgotten."""
        self.pair.open()
        while self.cards_made < self.cards or self.outbox.pending or self.plug_s is not None:
            self.produce()
            self.pair.step(self.pair.now_s + 0.5 if self.plug_s is None else self.plug_s)
            for end in (HOST, DEVICE):
                happened = list(self.pair.events[end])
                self.pair.events[end].clear()
                for event in happened:
                    self.take(end, event)
            self.acknowledge()
            self.fill()
            self.pair.flush()
            self.look()
            self.harm()
        for end in (HOST, DEVICE):
            self.decoded[end] += self.pair.links[end].link.decoder.frames

    # --- the device -------------------------------------------------------------------------------------------------

    def produce(self) -> None:
        """Draw cards: sometimes one by one, sometimes so many that the link is full."""
        if self.chance.random() < 0.02:
            self.waiting_max = self.chance.choice([1, 40, 120, 200])
        while self.cards_made < self.cards and len(self.outbox.pending) < self.waiting_max:
            key = self.outbox.next_key
            self.cards_made += 1
            count = self.cards_made % (1 << 16)
            event = CardDrawn(key.boot, key.number, count, self.chance.choice(DECK), Face.DOWN, 99)
            self.outbox.put(event)
            self.made.append(event)

    def fill(self) -> None:
        device = self.pair.links[DEVICE]
        while device.ready and device.backlog < BACKLOG_BYTES and (events := self.outbox.to_send(8)):
            for event in events:
                device.send(event)
        if device.ready and self.owes_heartbeat and not self.outbox.to_send(0) and device.backlog < BACKLOG_BYTES:
            self.owes_heartbeat = False
            next_key = self.outbox.next_key
            device.send(Heartbeat(0, next_key.boot, next_key.number - 1, len(self.outbox.pending)))

    def greet(self) -> None:
        boot = self.outbox.next_key.boot
        capabilities = Capability.DISPENSES | Capability.KEEPS_EVENTS
        hello = Hello(1, "Game", "Lossy", "1", 1, "1", bytes(32), 1, boot, BootReason.POWER_ON, capabilities)
        self.outbox.session_opened()
        self.owes_heartbeat = True
        for message in (hello, STATUS):
            self.pair.links[DEVICE].send(message)

    def at_device(self, message: Message) -> None:
        if isinstance(message, EventAcknowledged):
            self.outbox.acknowledged(message)
            return
        assert isinstance(message, Dispense)
        answer = self.memory.recall(message)
        if answer is None:
            self.done.append(message)
            answer = Done(message.id)
            self.memory.remember(message, answer)
        self.say(DEVICE, answer)

    # --- the host ---------------------------------------------------------------------------------------------------

    def at_host(self, message: Message) -> EventAcknowledged | None:
        match message:
            case Hello():
                assert self.gate.last is None or message.boot_count >= self.gate.last.boot
                self.knows_device = True
            case Heartbeat():
                last = self.gate.last
                assert last is None or last.boot < message.boot or last.number <= message.last_number
            case Done() if message.id == self.command.id:
                self.answers.append(message.id)
                self.command = Dispense(message.id + 1, 1 + message.id % 5)
                self.say(HOST, self.command)
            case DeviceEvent():
                return self.event(message)
            case _:
                pass
        return None

    def event(self, event: DeviceEvent) -> EventAcknowledged | None:
        assert self.knows_device, "an event before Hello"
        verdict = self.gate.judge(event)
        assert verdict is not EventOrder.GAP, f"{event} after {self.gate.last}, {self.gate.last_other}"
        if verdict is EventOrder.REPEATED:
            self.repeated += 1
            assert self.known[event.key] == event, "other bytes under a known number"
            return EventAcknowledged(event.boot, event.number)
        self.journal.append(event)
        self.known[event.key] = event
        return self.gate.made_durable(event)

    # --- both -------------------------------------------------------------------------------------------------------

    def take(self, end: int, event: EndpointEvent) -> None:
        match event:
            case EndpointReady() if end == DEVICE:
                self.greet()
            case EndpointReady():
                self.knows_device = False
                self.owed = None
                self.say(HOST, self.command)
            case EndpointLost():
                self.sessions_lost += 1
            case MessageReceived(message) if end == DEVICE:
                self.at_device(message)
            case MessageReceived(message):
                self.owed = self.at_host(message) or self.owed
            case Garbage():
                unreadable = self.pair.links[end].unreadable
                assert not unreadable, "the stream of a session is never harmed"

    def acknowledge(self) -> None:
        """One acknowledgement stands for all that came together."""
        owed, self.owed = self.owed, None
        if owed is not None:
            self.say(HOST, owed)

    def say(self, end: int, message: Message) -> None:
        if self.pair.links[end].ready:
            self.pair.links[end].send(message)

    # --- what happens to them ---------------------------------------------------------------------------------------

    def look(self) -> None:
        """Look for a link that is ready again: both ends have heard each other, in the same session."""
        links = [endpoint.link for endpoint in self.pair.links]
        heard = all(link.decoder.frames > before for link, before in zip(links, self.heard, strict=True))
        if self.back_s is not None and heard and links[HOST].session == links[DEVICE].session is not None:
            self.ready_s.append(self.pair.now_s - self.back_s)
            self.back_s = None

    def harm(self) -> None:
        now_s = self.pair.now_s
        if self.plug_s is not None:
            if now_s >= self.plug_s:
                self.plug_s = None
                self.line.plugged = True
                self.back_s = now_s
                self.heard = [endpoint.link.decoder.frames for endpoint in self.pair.links]
                if self.chance.random() < 0.5:
                    self.pair.links[HOST].line_lost(now_s)
                    self.sound[HOST].reset()
        elif self.line.frames >= self.detach_at:
            self.detach_at = self.line.frames + FRAMES_PER_DETACH
            self.line.unplug()
            self.back_s = None
            self.detaches += 1
            self.plug_s = now_s + self.chance.choice([0.1, 1.0, 3.0])
        elif self.line.frames >= self.trouble_at:
            self.trouble_at = self.line.frames + FRAMES_PER_TROUBLE
            self.chance.choice([self.stall, self.restart_host, self.restart_device])()

    def stall(self) -> None:
        self.stalls += 1
        self.back_s = None
        self.line.stall(self.pair.now_s + self.chance.choice([0.2, 1.0, 2.5]))

    def restart(self, end: int, role: Role) -> None:
        self.restarts[end] += 1
        self.decoded[end] += self.pair.links[end].link.decoder.frames
        self.pair.links[end] = self.endpoint(role)
        self.pair.links[end].open(self.pair.now_s)
        self.sound[end].reset()
        self.heard[end] = 0

    def restart_host(self) -> None:
        self.restart(HOST, Role.HOST)
        self.knows_device = False
        self.gate = EventDeduplicator(self.gate.last, self.gate.last_other)

    def restart_device(self) -> None:
        self.restart(DEVICE, Role.DEVICE)
        old = self.outbox
        self.outbox = EventOutbox(old.next_key.boot + 1, old.pending, old.last_other)
        self.made.append(self.outbox.power_restored(BootReason.WATCHDOG))
