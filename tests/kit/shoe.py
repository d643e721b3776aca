"""A simulated shoe in this process, on a thread of its own: the far end of a table's line."""

import random
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self, TypeVar

from sim.angel_eye.settings import ShoeSettings
from sim.angel_eye.shoe import Draw
from sim.clock import RealClock
from sim.hands import AngelEyeActions, hands_at
from sim.sim_thread import SimulatorThread
from sim.wires.pty import PtyWire
from sim.wires.tcp import TcpWire
from sim.wires.wire import Sink
from sim.wires.wrapped import WrappedWire
from tests.kit.command import PATIENCE_S

T = TypeVar("T")
FAST: Final = 1000.0
"""A telegram with its copies takes 0.15 ms."""


class Tapped(WrappedWire):
    """A cable on which one can see what goes over it; else it is the wire that it is made of."""

    def __init__(self, wire: PtyWire | TcpWire) -> None:
        super().__init__(wire)
        self.last_frame = b""
        self.from_host = b""

    def listen(self, sink: Sink) -> None:
        def hear(data: bytes) -> None:
            self.from_host += data
            sink(data)

        super().listen(hear)

    def send(self, data: bytes) -> None:
        self.last_frame = data
        super().send(data)


class Shoe:
    """Shoe, cards and cable. Everything is done on the station's thread."""

    def __init__(
        self, wire: PtyWire | TcpWire, *, decks: int = 8, settings: ShoeSettings | None = None, speed: float = FAST
    ) -> None:
        self.wire: Final = wire
        self.clock: Final = RealClock(speed)
        self._tapped: Final = Tapped(wire)
        self.hands: Final[AngelEyeActions] = hands_at(self._tapped, self.clock, decks, settings)
        self.station: Final = SimulatorThread(self.clock, [self._tapped])

    def __enter__(self) -> Self:
        self.station.start()
        self.do(self.hands.shoe.power_on)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.station.stop()

    def do(self, act: Callable[[], T]) -> T:
        """Does something where it lives."""
        return self.station.call(act)

    @property
    def port(self) -> str:
        """The name of its port for a configuration."""
        if isinstance(self.wire, PtyWire):
            return str(self.wire.path)
        return "socket://{}:{}".format(*self.wire.address)

    def load(self, rng: random.Random, behind: int = 14) -> None:
        """Shuffles all cards and loads them."""

        def act() -> None:
            self.hands.shuffle(rng)
            self.hands.cut(rng)
            self.hands.place_cut_card(behind)
            self.hands.load()

        self.do(act)

    def draw(self) -> Draw:
        """Pulls a card."""
        return self.do(self.hands.draw)

    def out(self) -> list[str]:
        """The cards that have left it since it was loaded, in their order."""
        return self.do(lambda: [out.card for out in self.hands.out])

    def unplug(self) -> None:
        """Pulls the cable."""
        self.do(self.wire.unplug)

    def replug(self) -> None:
        """Puts it in again."""
        self.do(self.wire.replug)

    def from_host(self) -> bytes:
        """Every byte that the host has sent."""
        return self.do(lambda: self._tapped.from_host)

    def last_frame(self) -> str:
        """Its last message, in hexadecimal digits, once it has nothing more to say."""
        quiet = threading.Event()
        self.do(lambda: self.clock.call_at(self.hands.shoe.quiet_at_s, quiet.set))
        assert quiet.wait(PATIENCE_S)
        return self._tapped.last_frame.hex()
