"""A device reports 10⁵ events over a line that loses, changes, doubles and delays, is unplugged, and both ends restart.

At the end the journal holds each event once, in order: 0 lost, 0 doubled, 0 invented; each command was done once; and
after each reattachment the link was ready within 2 s. All in virtual time, bytes at 115200 baud.

``CARDSHOE_TDP_EVENTS=1000000`` makes a longer run.
"""

import os
import random
from dataclasses import dataclass, field
from typing import Final

import pytest

from protocols.garbage import Garbage
from protocols.tdp.codec import encode_message
from protocols.tdp.codes import BootReason, Face
from protocols.tdp.commands import DeviceCommand, Dispense, EventAcknowledged
from protocols.tdp.events import CardDrawn, DeviceEvent, EventKey, PowerRestored
from protocols.tdp.exactly_once import CommandMemory, EventGate, EventOutbox, Verdict
from protocols.tdp.link import Link, LinkEvent, Received, SessionLost, SessionOpened
from protocols.tdp.messages import Done, Message
from protocols.tdp.reader import MessageReader
from protocols.tdp.states import Role
from regulations.cards import DECK
from tests.protocols.tdp.lines import BAD, Line, Pair

pytestmark = pytest.mark.no_cover  # runs the same lines a million times; tests/protocols/tdp covers them

EVENTS: Final = int(os.environ.get("CARDSHOE_TDP_EVENTS", "100000"))
SEEDS: Final = 4
HOST, DEVICE = 0, 1
UNSENT_MAX: Final = 200
"""Events that the device lets wait: it draws no card while more do."""
READY_S: Final = 2.0
"""From reattachment until both ends have heard each other in one session."""
WRITES_PER_HARM: Final = 150
"""Between two detachments or restarts."""


@dataclass
class Game:
    """Both applications, as small as can be."""

    seed: int
    events: int
    made: list[DeviceEvent] = field(default_factory=list)
    journal: list[DeviceEvent] = field(default_factory=list)
    done: list[DeviceCommand] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    ready_s: list[float] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("lost", "repeated", "unplugged"), 0))

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.line = Line(self.chance, BAD)
        self.pair = Pair(self.line, [Link(Role.HOST, self.token()), Link(Role.DEVICE, self.token())])
        self.outbox = EventOutbox(1)
        self.memory = CommandMemory()
        self.gate = EventGate(None)
        self.readers = [MessageReader(), MessageReader()]
        self.command = Dispense(1, 1)
        self.harm_at = WRITES_PER_HARM
        self.plug_s: float | None = None
        self.back_s: float | None = None
        self.heard = [0, 0]

    def token(self) -> int:
        return self.chance.randrange(1 << 16)

    def play(self) -> None:
        self.pair.open()
        while len(self.journal) < self.events or self.outbox.pending or self.plug_s is not None:
            self.produce()
            self.pair.step(self.pair.now_s + 0.5 if self.plug_s is None else self.plug_s)
            for end in (HOST, DEVICE):
                happened = list(self.pair.events[end])
                self.pair.events[end].clear()
                for event in happened:
                    self.take(end, event)
            self.fill()
            self.pair.flush()
            self.look()
            self.harm()

    def look(self) -> None:
        """Whether the link is ready again: both ends have heard each other, in the same session."""
        links = self.pair.links
        heard = all(link.decoder.frames > before for link, before in zip(links, self.heard, strict=True))
        if self.back_s is not None and heard and links[HOST].session == links[DEVICE].session is not None:
            self.ready_s.append(self.pair.now_s - self.back_s)
            self.back_s = None

    def produce(self) -> None:
        while len(self.made) < self.events and len(self.outbox.pending) < UNSENT_MAX:
            key = self.outbox.next_key
            card = self.chance.choice(DECK)
            self.keep(CardDrawn(key.boot, key.number, key.number % 416, card, Face.DOWN, 99))

    def keep(self, event: DeviceEvent) -> None:
        self.outbox.put(event)
        self.made.append(event)

    def fill(self) -> None:
        link = self.pair.links[DEVICE]
        if link.session is not None and link.backlog < 2000:
            for event in self.outbox.to_send(40):
                link.send(encode_message(event))

    def take(self, end: int, event: LinkEvent) -> None:
        if isinstance(event, SessionOpened):
            self.readers[end] = MessageReader()
            if end == DEVICE:
                self.outbox.session_opened()
            else:
                self.say(HOST, self.command)
                if self.gate.acknowledgement is not None:
                    self.say(HOST, self.gate.acknowledgement)
        elif isinstance(event, SessionLost):
            self.counts["lost"] += 1
        elif isinstance(event, Received):
            answer: EventAcknowledged | None = None
            for message in self.readers[end].feed(event.data):
                assert not isinstance(message, Garbage), "the stream of a session is never harmed"
                if end == DEVICE:
                    self.at_device(message)
                else:
                    answer = self.at_host(message) or answer
            if answer is not None:
                self.say(HOST, answer)

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

    def at_host(self, message: Message) -> EventAcknowledged | None:
        if isinstance(message, Done):
            if message.id == self.command.id:
                self.answers.append(message.id)
                self.command = Dispense(message.id + 1, 1 + message.id % 5)
                self.say(HOST, self.command)
            return None
        assert isinstance(message, DeviceEvent)
        verdict = self.gate.judge(message)
        assert verdict is not Verdict.GAP
        if verdict is Verdict.REPEATED:
            self.counts["repeated"] += 1
            return self.gate.acknowledgement
        self.journal.append(message)
        return self.gate.made_durable(message)

    def say(self, end: int, message: Message) -> None:
        link = self.pair.links[end]
        if link.session is not None:
            link.send(encode_message(message))

    def harm(self) -> None:
        now_s = self.pair.now_s
        if self.plug_s is not None:
            if now_s >= self.plug_s:
                self.plug_s = None
                self.line.plugged = True
                self.back_s = now_s
                self.heard = [link.decoder.frames for link in self.pair.links]
                if self.chance.random() < 0.5:
                    self.pair.links[HOST].line_lost(now_s)
            return
        if self.line.writes < self.harm_at:
            return
        self.harm_at = self.line.writes + WRITES_PER_HARM
        kind = self.chance.choice(["unplug", "unplug", "host restarts", "device restarts"])
        if kind == "unplug":
            self.line.unplug()
            self.back_s = None
            self.counts["unplugged"] += 1
            self.plug_s = now_s + self.chance.choice([0.1, 1.0, 3.0])
        elif kind == "host restarts":
            self.pair.links[HOST] = Link(Role.HOST, self.token())
            self.pair.links[HOST].open(now_s)
            self.gate = EventGate(self.journal[-1].key if self.journal else None)
        else:
            self.restart_device(now_s)

    def restart_device(self, now_s: float) -> None:
        last: EventKey = self.outbox.next_key
        self.pair.links[DEVICE] = Link(Role.DEVICE, self.token())
        self.pair.links[DEVICE].open(now_s)
        self.outbox = EventOutbox(last.boot + 1, self.outbox.pending)
        self.keep(PowerRestored(last.boot + 1, 1, last.boot, last.number - 1, BootReason.WATCHDOG))


@pytest.mark.parametrize("part", range(SEEDS))
def test_nothing_is_lost_doubled_or_invented(seed: int, part: int) -> None:
    game = Game(seed + part, EVENTS // SEEDS)
    game.play()
    links = game.pair.links
    print(  # noqa: T201  shown with -s, or when the test fails
        f"{len(game.journal)} events, {game.line.writes} writes, {game.line.harmed} harmed, {game.counts}, "
        f"{len(game.answers)} commands, {game.pair.now_s:.0f} s of virtual time, "
        f"ready after {max(game.ready_s, default=0):.2f} s at most, {links[HOST].decoder.damaged} damaged at the host",
    )
    assert game.journal == game.made
    assert len({event.key for event in game.journal}) == len(game.journal) >= EVENTS // SEEDS
    assert [command.id for command in game.done][: len(game.answers)] == game.answers
    assert len({command.id for command in game.done}) == len(game.done)
    assert len(game.done) - len(game.answers) in {0, 1}
    assert game.counts["unplugged"] >= 2
    assert game.counts["repeated"] > 0
    assert game.line.harmed > 100
    assert max(game.ready_s) <= READY_S
