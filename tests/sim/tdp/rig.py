"""A simulated TDP device with a host at the other end of its line, in virtual time."""

import random
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import partial
from typing import TypeVar

from protocols.tdp.codes import RefusalReason
from protocols.tdp.commands import ClearFault, DeviceCommand, EventAcknowledged, Shuffle
from protocols.tdp.endpoint import Endpoint, EndpointEvent, EndpointReady, MessageReceived
from protocols.tdp.events import CardDrawn, DeviceEvent, PacketDispensed
from protocols.tdp.exactly_once import EventDeduplicator, EventOrder
from protocols.tdp.messages import Done, Message, Refused, Status
from protocols.tdp.states import Role
from protocols.tdp.tls import TlsContext
from regulations.events.cards import Card
from sim.clock import Timer, VirtualClock
from sim.draws import PulledCard
from sim.tdp.control import TdpControl
from sim.tdp.hands import TdpHands, TdpKind, tdp_at
from sim.tdp.machine import Machine
from sim.tdp.settings import TdpMachineSettings
from sim.tdp.shuffler import Shuffler
from sim.wires.direct import DirectWire
from tests.kit.line_faults import Faulty, Lossy

M = TypeVar("M", bound=Message)


class Host:
    """A host as small as can be: it journals events, acknowledges them if it is told to, and sends commands."""

    def __init__(self, clock: VirtualClock, endpoint: Endpoint, *, acknowledges: bool) -> None:
        self.clock = clock
        self.endpoint = endpoint
        self.acknowledges = acknowledges
        self.gate = EventDeduplicator(None)
        self.journal: list[DeviceEvent] = []
        self.said: list[Message] = []
        self.happened: list[EndpointEvent] = []
        self.gaps: list[DeviceEvent] = []
        self.repeated = 0
        self.wire: DirectWire | None = None
        self._timer: Timer | None = None

    def hear(self, data: bytes) -> None:
        for event in self.endpoint.receive(data, self.clock.now_s()):
            self.happened.append(event)
            if isinstance(event, EndpointReady) and self.gate.acknowledgement is not None and self.acknowledges:
                self.endpoint.send(self.gate.acknowledgement)
            if isinstance(event, MessageReceived):
                self.said.append(event.message)
                if isinstance(event.message, DeviceEvent):
                    self.take(event.message)
        self.flush()

    def take(self, event: DeviceEvent) -> None:
        match self.gate.judge(event):
            case EventOrder.NEW:
                self.journal.append(event)
                acknowledgement = self.gate.made_durable(event)
            case EventOrder.REPEATED:
                self.repeated += 1
                acknowledgement = self.gate.acknowledgement or EventAcknowledged(0, 0)
            case _:
                self.gaps.append(event)
                return
        if self.acknowledges and self.endpoint.ready:
            self.endpoint.send(acknowledgement)

    def flush(self) -> None:
        data = self.endpoint.bytes_to_send(self.clock.now_s())
        if data and self.wire is not None:
            wire = self.wire
            self.clock.call_later(0.0, lambda: wire.from_host(data))
        if self._timer is not None:
            self._timer.cancel()
        deadline_s = self.endpoint.next_deadline_s
        self._timer = None if deadline_s is None else self.clock.call_at(deadline_s, lambda: self.hear(b""))


class Rig:
    """A device at a table, and its host.

    Args:
        bytes_lost: probability of each byte, in each direction.
    """

    def __init__(
        self,
        kind: TdpKind = "shoe",
        settings: TdpMachineSettings | None = None,
        *,
        decks: int = 1,
        seed: int = 7,
        on: bool = True,
        acknowledges: bool = True,
        context: TlsContext | None = None,
        bytes_lost: float = 0.0,
    ) -> None:
        settings = settings or TdpMachineSettings()
        self.clock = VirtualClock()
        self.rng = random.Random(seed)
        endpoint = Endpoint(Role.HOST, 7, settings.terms, context)
        self.host = Host(self.clock, endpoint, acknowledges=acknowledges)
        self.line: list[bytes] = []
        self.wire = DirectWire(self.hear)
        self.host.wire = self.wire
        lossy = partial(Lossy, rng=random.Random(seed + 1), p=bytes_lost)
        line = Faulty(self.wire, to_host=[lossy], to_device=[lossy]) if bytes_lost else self.wire
        self.hands: TdpHands = tdp_at(kind, line, self.clock, decks, self.rng, settings)
        self.control = TdpControl(self.hands, self.wire, seed)
        self._last_id = 0
        self.sent: DeviceCommand | None = None
        endpoint.open(0.0)
        self.host.flush()
        if on:
            self.hands.make_ready()
            self.rest()

    @property
    def device(self) -> Machine:
        return self.hands.device

    def hear(self, data: bytes) -> None:
        self.line.append(data)
        self.host.hear(data)

    # --- time -------------------------------------------------------------------------------------------------------

    def wait(self, condition: Callable[[], bool], limit_s: float = 60.0) -> None:
        assert self.clock.run_until(condition, limit_s)

    def rest(self) -> None:
        """Until the host is in session, nothing moves by itself, and all is told."""
        self.clock.advance(0.5)
        if self.device.is_powered and self.wire.is_plugged:
            self.wait(lambda: self.host.endpoint.ready and self.device.electronics.is_in_session)
            self.wait(lambda: not self.device.is_moving, 600.0)
        self.clock.advance(1.5)

    def load(self) -> None:
        """Put all cards in, in the order of the felt, and see them told."""
        self.hands.load()
        self.rest()

    def ready(self) -> None:
        """Put all cards in, and shuffle where that is asked for."""
        self.load()
        if isinstance(self.device, Shuffler):
            self.do(Shuffle)
            self.rest()

    # --- the host ---------------------------------------------------------------------------------------------------

    def order(self, command: DeviceCommand) -> Done | Refused:
        """Send a command; in a new session again, as long as it is not answered."""
        before = len(self.host.said)

        def answers() -> list[Done | Refused]:
            return [one for one in self.host.said[before:] if isinstance(one, Done | Refused) and one.id == command.id]

        self.wait(lambda: self.host.endpoint.ready)
        self.host.endpoint.send(command)
        self.host.flush()
        self.wait(lambda: bool(answers()))
        return answers()[0]

    def id(self) -> int:
        self._last_id += 1
        return self._last_id

    def do(self, command: type[DeviceCommand], *fields: object) -> None:
        answer = self.order(command(self.id(), *fields))
        assert isinstance(answer, Done), answer

    def refused(self, command: type[DeviceCommand], *fields: object) -> RefusalReason:
        answer = self.order(command(self.id(), *fields))
        assert isinstance(answer, Refused), answer
        return RefusalReason(answer.reason)

    def send(self, kind: type[DeviceCommand], *fields: object) -> None:
        """Send a command and do not wait for the answer."""
        self.sent = kind(self.id(), *fields)
        self.host.endpoint.send(self.sent)
        self.host.flush()

    def clear_all(self) -> None:
        """Take away by hand, and clear by command, whatever holds."""
        while self.device.faults:
            code = self.device.faults[0]
            if not self.device.can_clear(code):
                self.hands.remedy(code)
            status = self.device.status()
            self.do(ClearFault, status.fault_code, status.fault_module)
            self.rest()

    @property
    def events(self) -> list[DeviceEvent]:
        return self.host.journal

    def events_after(self, act: Callable[[], object]) -> list[DeviceEvent]:
        """The journaled events of an act, once all is at rest."""
        before = len(self.events)
        act()
        self.rest()
        return self.events[before:]

    def said(self, kind: type[M]) -> list[M]:
        return [one for one in self.host.said if isinstance(one, kind)]

    @property
    def status(self) -> Status:
        return self.said(Status)[-1]

    def draw_all(self, most: int = 1000) -> list[PulledCard]:
        """Draw as long as something comes, waiting for what the machine brings."""
        drawn: list[PulledCard] = []
        while len(drawn) < most:
            if not self.hands.can_draw:
                self.rest()
            pulled = self.hands.draw()
            if not pulled.cards and not pulled.cut_card:
                break
            drawn += pulled.cards
        self.rest()
        return drawn


def shape(events: Sequence[DeviceEvent]) -> list[tuple[object, ...]]:
    """Kind and fields of events, without boot, number and bytes."""
    return [(type(one).__name__, *[getattr(one, field.name) for field in fields(one)[3:]]) for one in events]


def told_cards(events: Sequence[DeviceEvent]) -> list[Card | None]:
    """The cards that events tell of, in order."""
    cards: list[Card | None] = []
    for event in events:
        if isinstance(event, CardDrawn):
            cards.append(event.card)
        elif isinstance(event, PacketDispensed):
            cards += event.cards
    return cards
