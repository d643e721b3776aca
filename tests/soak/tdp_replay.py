"""A table's end and a device's end of TDP, and an attacker on the wire between them; in virtual time.

Two whole ``Endpoint`` and the applications that section 12 of ``docs/protocols/tdp.md`` asks for. It is virtual because
a host waits 2 s after a session that was attacked (``AFTER_FAILURE_S``): in real time 10⁶ frames would take days.
"""

import random
import ssl
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from drivers.tdp_settings import TdpSettings
from protocols.tdp.codes import BootReason, Capability, Condition, DeviceState, Face
from protocols.tdp.commands import DeviceCommand, Dispense, EventAcknowledged
from protocols.tdp.endpoint import Endpoint, EndpointEvent, EndpointLost, EndpointReady, MessageReceived, TlsRejected
from protocols.tdp.events import CardDrawn, DeviceEvent
from protocols.tdp.exactly_once import CommandMemory, EventDeduplicator, EventOrder, EventOutbox
from protocols.tdp.framing import HALF
from protocols.tdp.handshake import Security, Terms
from protocols.tdp.link import LinkEvent, Received, SessionOpened
from protocols.tdp.messages import Done, Heartbeat, Hello, Message, Status
from protocols.tdp.states import Role
from regulations.events.cards import DECK
from sim.tdp.certified import certified
from tests.kit import certificates
from tests.soak.tdp_attacker import DEVICE, HOST, STRAYS_P, Alteration, Attacker, Recording

ROLES: Final = (Role.HOST, Role.DEVICE)
STATUS: Final = Status(DeviceState.LOADED, Condition.LOCKED, 0, 416, 0, 0, 0)
STRAYS_ALONE: Final = "strays alone"
REFUSED: Final = "refused by TLS"
ENDED: Final = "ended by the link"
NOT_TAKEN: Final = "not taken by the link"
WENT_ON: Final = "went on"
SILENT: Final = "silent until the line was let go"
ROUNDS: Final = 9
"""Cards that are dealt in a session that nobody ends: more frames than there are places to alter."""
GRACE: Final = 3
"""Cards dealt after an alteration, before a session that says nothing any more is ended by the host."""
STEPS_MAX: Final = 400
PATIENCE_S: Final = 45.0
"""Seconds in which a session ends whose stream was altered: ``GIVE_UP_S``, then ``STALLED_S``."""


@dataclass(frozen=True, slots=True)
class Trust:
    """How both ends are secured; without contexts plainly, for the control."""

    host: ssl.SSLContext | None = None
    device: ssl.SSLContext | None = None
    device_name: str | None = None

    @classmethod
    def of_site(cls, site: Path, device: str = certificates.DEVICE) -> "Trust":
        """As the driver and the simulator make it from a site's files (``tests/kit/certificates.py``)."""
        settings = TdpSettings.from_mapping(certificates.host_settings(site))
        shown = certified(site / f"{device}.pem", site / f"{device}.key", site / "site.pem")
        return cls(settings.context(), shown, device)

    @property
    def terms(self) -> Terms:
        """As both ends are set."""
        return Terms(security=Security.PLAIN if self.host is None else Security.TLS13)


@dataclass
class Count:
    """The counts of an attack."""

    frames: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    doubled: int = 0
    invented: int = 0
    sessions: int = 0
    events: int = 0

    def __iadd__(self, other: "Count") -> Self:
        self.frames += other.frames
        self.outcomes += other.outcomes
        self.accepted += other.accepted
        self.lost += other.lost
        self.doubled += other.doubled
        self.invented += other.invented
        self.sessions += other.sessions
        self.events += other.events
        return self

    def __str__(self) -> str:
        return (
            f"frames={self.frames.total()} accepted={self.accepted.total()} altered={self.altered} "
            f"sessions={self.sessions} events={self.events} "
            f"lost={self.lost} doubled={self.doubled} invented={self.invented}"
        )

    @property
    def altered(self) -> int:
        """Sessions whose stream was altered, and that came to nothing by it."""
        outcomes = self.outcomes.items()
        return sum(number for (what, outcome), number in outcomes if what != STRAYS_ALONE and outcome != NOT_TAKEN)

    @property
    def is_sound(self) -> bool:
        """True if nothing was accepted, lost, doubled or invented."""
        return not (self.accepted.total() or self.lost or self.doubled or self.invented)


class Watched(Endpoint):
    """An end that keeps what its link took: only that shows whether an alteration came through to TLS."""

    heard_of: int | None = None
    heard = b""

    def _on_link_event(self, event: LinkEvent, now_s: float) -> None:
        if isinstance(event, SessionOpened):
            self.heard_of, self.heard = event.session, b""
        elif isinstance(event, Received):
            self.heard += event.data
        super()._on_link_event(event, now_s)


class Siege:
    """Both ends and their applications; ``play`` lets the attacker loose on one session after the other."""

    def __init__(self, seed: int, trust: Trust, other: Recording | None = None, strays: float = STRAYS_P) -> None:
        self.chance: Final = random.Random(seed)
        self.count: Final = Count()
        self.attacker: Attacker | None = Attacker(self.chance, other, strays)
        self.count.frames = self.attacker.frames
        names = (trust.device_name, None)
        contexts = (trust.host, trust.device)
        self.ends: Final = [
            Watched(role, self.chance.randrange(HALF), trust.terms, context, name)
            for role, context, name in zip(ROLES, contexts, names, strict=True)
        ]
        self.now_s = 0.0
        self.ready: list[int | None] = [None, None]
        """The session that each end's application knows."""
        self.said: dict[tuple[int, int], list[Message]] = {}
        """The messages of each end's application, by end and session."""
        self.got: Counter[tuple[int, int]] = Counter()
        self.sent: dict[int, tuple[list[bytes], list[bytes]]] = {}
        """Payloads of the streams that were sent, by session and the end that they are for."""
        self.parted: dict[tuple[int, int], int] = {}
        """By end and session whose link took what was not sent there: messages that the other end had said by then."""
        self.outbox: Final = EventOutbox(1)
        self.memory: Final = CommandMemory()
        self.gate: Final = EventDeduplicator(None)
        self.made: list[DeviceEvent] = []
        self.journal: list[DeviceEvent] = []
        self.given: list[DeviceCommand] = []
        self.done: list[DeviceCommand] = []
        self.failed: set[int] = set()
        """Sessions in which TLS refused something."""
        self.judged = 0
        """The session that was judged last."""
        self.secured: set[int] = set()
        for end in self.ends:
            end.open(self.now_s)

    def play(self, frames: int) -> Count:
        """Attack until so many frames were sent; then see that a session without an attacker brings what is missing."""
        while self.count.frames.total() < frames:
            self.bout()
        self.attacker = None
        self.fresh()
        made, kept = set(self.made), set(self.journal)
        done, given = set(self.done), set(self.given)
        self.count.events = len(self.journal)
        self.count.lost = len(made - kept)
        self.count.doubled = len(self.journal) - len(kept) + len(self.done) - len(done)
        self.count.invented = len(kept - made) + len(done - given)
        return self.count

    def record(self) -> Recording:
        """Play one session that nobody changes; return what was on the line."""
        attacker = Attacker(self.chance, None, 0.0)
        attacker.alters = False
        self.attacker = attacker
        self.until_ready()
        for _ in range(ROUNDS):
            self.deal()
        return attacker.now

    # --- sessions ---------------------------------------------------------------------------------------------------

    def bout(self) -> None:
        """One session from its opening to its end, however that comes."""
        attacker = self.attacker
        assert attacker is not None
        for _ in range(STEPS_MAX):
            self.pump()
            if attacker.now.session != self.judged and (attacker.has_altered or self.is_ready(attacker.now.session)):
                break
            self.wait()
        else:
            raise AssertionError(f"no session after {self.judged}: {[end.link.state for end in self.ends]}")
        # A lost session may be followed by the next at once: what is judged is this one.
        session, alteration = attacker.now.session, attacker.alteration
        left, was_done = ROUNDS, False
        while self.stands(session):
            if alteration.is_done and not was_done:
                left, was_done = GRACE, True
            if not left:
                break
            left -= 1
            if self.is_ready(session):
                self.deal()
        until_s = self.now_s + PATIENCE_S
        while alteration.is_done and self.stands(session) and self.now_s < until_s:
            self.wait()  # an end may wait for the rest of a record, or of the handshake, that does not come
            self.pump()
        self.judge(session, alteration)
        if self.stands(session):
            self.end()

    def stands(self, session: int) -> bool:
        """True if a session goes on at both ends, as far as their links know."""
        return [end.link.session for end in self.ends] == [session, session]

    def is_ready(self, session: int | None) -> bool:
        """True if both ends' applications are in a session."""
        return session is not None and self.ready == [session, session]

    def judge(self, session: int, alteration: Alteration) -> None:
        """Note what came of a session."""
        what = alteration.what if alteration.is_done else STRAYS_ALONE
        self.judged = session
        parted = [(end, self.parted[end, session]) for end in (HOST, DEVICE) if (end, session) in self.parted]
        if any(self.got[end, session] > said for end, said in parted):
            self.count.accepted[f"{what}: the session went on"] += 1
            return
        if session in self.failed:
            outcome = REFUSED
        elif not self.stands(session):
            outcome = ENDED
        elif not alteration.is_done:
            outcome = WENT_ON
        else:
            outcome = SILENT if parted else NOT_TAKEN
        self.count.outcomes[what, outcome] += 1

    def end(self) -> None:
        """The host lets go of the line, as after a device that says nothing; both begin anew."""
        for end in (HOST, DEVICE):
            self.ends[end].line_lost(self.now_s)
            self.take(end, self.ends[end].receive(b"", self.now_s))

    def fresh(self) -> None:
        """A session without an attacker: it stands, and everything that is kept comes."""
        self.end()
        self.until_ready()
        for _ in range(2):
            self.deal()
        for _ in range(STEPS_MAX):
            if not self.outbox.pending:
                return
            self.wait()
            self.pump()

    def until_ready(self) -> None:
        """Let time pass until both ends are in one session."""
        for _ in range(STEPS_MAX):
            self.pump()
            if self.is_ready(self.ends[HOST].link.session):
                return
            self.wait()
        raise AssertionError(f"no session stands after an attack: {[end.link.state for end in self.ends]}")

    def deal(self) -> None:
        """The host has a card dealt, the device tells of it, and of itself."""
        command = Dispense(len(self.given) + 1, 1 + len(self.given) % 5)
        self.given.append(command)
        self.say(HOST, command)
        key = self.outbox.next_key
        self.say(DEVICE, Heartbeat(0, key.boot, key.number - 1, len(self.outbox.pending)))
        self.pump()
        if any(end.backlog for end in self.ends):
            self.wait()  # something was kept back, and is sent again
            self.pump()

    # --- bytes and time ---------------------------------------------------------------------------------------------

    def pump(self) -> None:
        """Move bytes until neither end has any."""
        moved = True
        while moved:
            moved = False
            for end in (HOST, DEVICE):
                data = self.ends[end].bytes_to_send(self.now_s)
                if data:
                    moved = True
                    self.deliver(1 - end, data)

    def deliver(self, to: int, data: bytes) -> None:
        """Give bytes to the attacker, and what comes of them to the ends, as one batch for each."""
        pieces = [(to, data)]
        if self.attacker is not None:
            pieces = self.attacker.pass_on(to, data)
            self.sent[self.attacker.now.session] = self.attacker.now.stream
        for end in (HOST, DEVICE):
            batch = b"".join(piece for target, piece in pieces if target == end)
            if batch:
                events = self.ends[end].receive(batch, self.now_s)
                self.compare(end)
                self.take(end, events)

    def compare(self, end: int) -> None:
        """Note when what a link took is not the beginning of what was sent any more."""
        session = self.ends[end].heard_of
        if session is None or session not in self.sent or (end, session) in self.parted:
            return
        if not b"".join(self.sent[session][end]).startswith(self.ends[end].heard):
            self.parted[end, session] = len(self.said.get((1 - end, session), []))

    def wait(self) -> None:
        """Go to the next deadline."""
        times = [end.next_deadline_s for end in self.ends]
        self.now_s = max(self.now_s, min((time for time in times if time is not None), default=self.now_s))
        for end in (HOST, DEVICE):
            self.take(end, self.ends[end].receive(b"", self.now_s))

    # --- applications -----------------------------------------------------------------------------------------------

    def take(self, end: int, events: list[EndpointEvent]) -> None:
        """Act as an end's application does on what came."""
        for event in events:
            match event:
                case EndpointReady():
                    self.begin(end, event.session)
                case EndpointLost():
                    self.ready[end] = None
                case TlsRejected() if self.attacker is not None:
                    self.failed.add(self.attacker.now.session)
                case MessageReceived(message):
                    self.hear(end, message)
                case _:
                    pass

    def begin(self, end: int, session: int) -> None:
        """Note that an end holds a session for secured; at the device, the host must have held it for that before."""
        self.ready[end] = session
        if end == HOST:
            self.count.sessions += 1
            self.secured.add(session)
            return
        if session not in self.secured:
            self.count.accepted["a session with nobody"] += 1
        self.outbox.session_opened()
        boot = self.outbox.next_key.boot
        self.say(DEVICE, Hello(1, "Siege", "Wire", "1", 1, "1", bytes(32), 1, boot, BootReason.POWER_ON, Capability(0)))
        self.say(DEVICE, STATUS)
        self.tell()

    def hear(self, end: int, message: Message) -> None:
        """Compare a message with the one that stands at this place of what the other end said."""
        session = self.ready[end]
        key = (end, -1 if session is None else session)
        said = self.said.get((1 - end, key[1]), [])
        place = self.got[key]
        self.got[key] += 1
        if place >= len(said) or said[place] != message:
            self.count.accepted[f"{type(message).__name__} at the {ROLES[end].value}"] += 1
        if end == DEVICE:
            self.at_device(message)
        elif isinstance(message, DeviceEvent):
            self.at_host(message)

    def at_device(self, message: Message) -> None:
        """Do a command once; forget what is durable at the host."""
        if isinstance(message, EventAcknowledged):
            self.outbox.acknowledged(message)
        elif isinstance(message, DeviceCommand):
            answer = self.memory.recall(message)
            if answer is None:
                answer = Done(message.id)
                self.done.append(message)
                self.memory.remember(message, answer)
                self.draw()
            self.say(DEVICE, answer)
            self.tell()

    def draw(self) -> None:
        """A card leaves the device."""
        if self.outbox.has_room_for_cards:
            key = self.outbox.next_key
            card = self.chance.choice(DECK)
            event = CardDrawn(key.boot, key.number, len(self.made) % (1 << 16), card, Face.DOWN, 99)
            self.outbox.put(event)
            self.made.append(event)

    def tell(self) -> None:
        """Say the events that the host does not know."""
        if self.ready[DEVICE] is not None:
            for event in self.outbox.to_send(16):
                self.say(DEVICE, event)

    def at_host(self, event: DeviceEvent) -> None:
        """Journal an event that is new, and acknowledge it; again if it is repeated."""
        match self.gate.judge(event):
            case EventOrder.NEW:
                self.journal.append(event)
                self.say(HOST, self.gate.made_durable(event))
            case EventOrder.REPEATED:
                self.say(HOST, EventAcknowledged(event.boot, event.number))
            case _:
                self.count.accepted["a gap"] += 1

    def say(self, end: int, message: Message) -> None:
        """Send a message, if there is a session, and note it."""
        session = self.ready[end]
        if session is not None and self.ends[end].ready and self.ends[end].link.session == session:
            self.ends[end].send(message)
            self.said.setdefault((end, session), []).append(message)
