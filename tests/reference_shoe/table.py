"""A host with its journal, written from the page alone, at a shoe on given time."""

from collections.abc import Callable, Iterable
from typing import Final

from tests.reference_shoe.given_time import GivenTime
from tests.second_device.host import HostApplication, HostLink
from tests.second_device.messages import Type, Value, encode

SERIAL: Final = "REF-0001"
STEP_MS: Final = 5

Wire = Callable[[bytes], Iterable[bytes]]
"""The reads of the other end's port that bytes arrive in."""


def whole(data: bytes) -> list[bytes]:
    """What a good wire makes of bytes."""
    return [data] if data else []


class Table:
    """A host that outlives the shoe, with its journal."""

    def __init__(self, to_shoe: Wire = whole, from_shoe: Wire = whole) -> None:
        self.link = HostLink(1)
        self.application = HostApplication(SERIAL)
        self.now_ms = 0
        self._to_shoe = to_shoe
        self._from_shoe = from_shoe
        self._sessions = 0
        self._id = 0
        self.link.open(0.0)

    def restart(self) -> None:
        """The shoe has restarted, and the line was lost with it."""
        self.link.line_lost(self.now_ms / 1000)

    def live(self, process: GivenTime, ms: int) -> None:
        """Let both be for so long."""
        for _ in range(0, ms, STEP_MS):
            self.now_ms += STEP_MS
            self.link.tick(self.now_ms / 1000)
            sent = process.ask(f"at {self.now_ms}").sent
            for data in self._to_shoe(self.link.take_line()):
                sent += process.ask(f"rx {data.hex()}").sent
            for data in self._from_shoe(b"".join(sent)):
                self.link.receive(data, self.now_ms / 1000)
                self._read()

    def send(self, kind: Type, **fields: Value) -> int:
        """Give a command in the session that stands, without waiting; return its id."""
        self._id += 1
        self.link.write(encode(kind, id=self._id, **fields), self.now_ms / 1000)
        return self._id

    def command(self, process: GivenTime, kind: Type, **fields: Value) -> None:
        sent = self.send(kind, **fields)
        self.live(process, 50)
        assert self.application.of(Type.DONE)[-1].number("id") == sent

    def _read(self) -> None:
        if self.link.sessions != self._sessions:
            self._sessions = self.link.sessions
            self.application.session_began()
        answers = self.application.feed(self.link.take_arrived())
        if answers and self.link.session is not None:
            self.link.write(answers, self.now_ms / 1000)
