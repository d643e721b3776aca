"""A device and a host at the ends of a sound line, for the tests of the application."""

import random
from pathlib import Path

from tests.second_device.host import HostApplication, HostLink
from tests.second_device.messages import Message, MessageReader, Type, Value, decode, encode
from tests.second_device.outbox import Outbox
from tests.second_device.session import State
from tests.second_device.station import Station

IDLE, LOADED, SHUFFLING, DISPENSING, RETURNING, FAULT = range(6)
LOCKED, COVER, IN_FAULT, FULL, CUT_SEEN = (1 << bit for bit in range(5))


class Room:
    """A device and a host at the ends of a sound line, in virtual time."""

    def __init__(self, seed: int, path: Path | None = None, serial: str = "SECOND-1") -> None:
        self.now_s = 0.0
        self.outbox = Outbox(path, keeps_events=path is not None)
        self.station = Station(self.outbox, random.Random(seed))
        self.host = HostLink(100)
        self.application = HostApplication(serial)
        self.acknowledgements: list[Message] = []
        self.acknowledges = True
        self._session = 0
        self._id = 0
        self.station.power_on(0.0)

    def connect(self) -> None:
        self.host.open(self.now_s)
        self.run(1.2)
        assert self.station.link.state is State.OPEN

    def run(self, for_s: float) -> None:
        """Let time go by, in steps of a hundredth."""
        for _ in range(round(for_s * 100)):
            self.now_s += 0.01
            self.station.tick(self.now_s)
            self.host.tick(self.now_s)
            self.exchange()

    def exchange(self) -> None:
        while (up := self.station.take_line()) or (down := self.host.take_line()):
            if up:
                self.host.receive(up, self.now_s)
            else:
                self.station.receive(down, self.now_s)
            if self.host.sessions != self._session:
                self._session = self.host.sessions
                self.application.session_began()
            answers = self.application.feed(self.host.take_arrived())
            self.acknowledgements += [decode(body) for body in MessageReader().feed(answers)]
            if answers and self.acknowledges and self.host.session is not None:
                self.host.write(answers, self.now_s)

    def say(self, message: bytes, for_s: float = 0.05) -> list[Message]:
        """Send a message; the reports and events that follow."""
        before = len(self.application.journal), len(self.application.reports)
        self.host.write(message, self.now_s)
        self.run(for_s)
        return self.application.reports[before[1] :] + self.application.journal[before[0] :]

    def command(self, kind: Type, for_s: float = 0.05, **fields: Value) -> int:
        """Send a command with the next id; 0 if done, else the reason of the refusal."""
        self._id += 1
        return self.answer(encode(kind, id=self._id, **fields), for_s)

    def answer(self, message: bytes, for_s: float = 0.05) -> int:
        (answer,) = (each for each in self.say(message, for_s) if each.type in {Type.DONE, Type.REFUSED})
        assert answer.number("id") == int.from_bytes(message[3:7])
        return 0 if answer.type is Type.DONE else answer.number("reason")

    @property
    def status(self) -> Message:
        return self.application.of(Type.STATUS)[-1]

    def lose_session(self) -> None:
        self.station.line_lost(self.now_s)
        self.host.line_lost(self.now_s)


def last(room: Room) -> Message:
    return room.application.journal[-1]
