"""A simulated Angel Eye shoe behind a pty, and the table's bridge at the other end; a hand on the wire in between.

The pty, the port and its thread are real.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, cast

from firmware_bridge.angel_eye.bridge import ShoeBridge
from firmware_bridge.interlock import DeviceActionKind
from firmware_bridge.report import Report
from regulations.events.cards import DECK, Card
from regulations.events.inputs import AnyInput
from regulations.events.line import Input
from sim.angel_eye.settings import ShoeSettings
from sim.angel_eye.shoe import AngelEyeShoe
from sim.clock import VirtualClock
from sim.wires.pty import PtyWire
from tests.firmware_bridge.desk import SHOE, brief
from tests.kit.waiting import Log, eventually

Hand = Callable[[bytes], bytes]
"""Harms a frame on its way; ``b""``: it never arrives."""

TELEGRAM_S: Final = 0.2
"""A telegram, its three copies, and a little more."""


def untouched(frame: bytes) -> bytes:
    return frame


def swallowed(_frame: bytes) -> bytes:
    """Nothing."""
    return b""


class Wired:
    """Shoe, wire and bridge."""

    def __init__(self, folder: Path, cards: list[Card]) -> None:
        self.clock: Final = VirtualClock()
        self.wire: Final = PtyWire(folder / "shoe")
        self.shoe: Final = AngelEyeShoe(self.clock, self._on_the_way, ShoeSettings(initial_burn="none"))
        self.wire.listen(self.shoe.receive)
        self.hand: Hand = untouched
        self.log: Final = Log()
        self.bridge: Final = ShoeBridge(
            SHOE, str(self.wire.path), {}, tuple(DeviceActionKind), self.log.add, clock=self.clock.now_s
        )
        self._told = 0
        self._arrived = 0
        self.bridge.stack_loaded()
        self.bridge.start()
        eventually(lambda: self.bridge.health().connections == 1, "the port is open")
        self.shoe.load([*cards, *DECK], None)
        self.shoe.power_on()
        self.settle()

    def _on_the_way(self, frame: bytes) -> None:
        self.put(self.hand(frame))

    def put(self, data: bytes) -> None:
        """Put bytes on the wire that the shoe did not send, or sent otherwise."""
        if self.wire.is_plugged:
            self._arrived += len(data)
        self.wire.send(data)

    def settle(self) -> None:
        """Until the shoe has said everything, and the bridge has heard all of it."""
        self.clock.advance(max(self.shoe.quiet_at_s - self.clock.now_s(), 0.0) + TELEGRAM_S)
        eventually(lambda: self.bridge.health().bytes_in == self._arrived, "the bridge has read what arrived")
        self.bridge.counters()  # takes the session's guard: what was read has been told

    def draw(self, hand: Hand = untouched) -> list[str]:
        """A card is pulled, and its telegram meets a hand; the table's events, in brief."""
        return self.meets(hand, self.shoe.draw)

    def meets(self, hand: Hand, act: Callable[[], object]) -> list[str]:
        """Something is done at the shoe, and what it says of it meets a hand; the table's events, in brief."""
        self.hand = hand
        act()
        self.settle()
        self.hand = untouched
        return self.told()

    def told(self) -> list[str]:
        """The table's news since it was last asked, in brief."""
        return brief(self.events())

    def events(self) -> list[AnyInput]:
        """The same as events."""
        entries = self.log.entries()
        new, self._told = entries[self._told :], len(entries)
        events: list[AnyInput] = []
        for entry in new:
            if isinstance(entry, Report):
                events += entry.events
            else:
                assert isinstance(entry, Input)
                events.append(cast("AnyInput", entry))
        return events


@contextmanager
def wired(folder: Path, *cards: Card) -> Iterator[Wired]:
    """Shoe, wire and bridge, with these cards first; gone at the end."""
    rig = Wired(folder, list(cards))
    try:
        yield rig
    finally:
        rig.bridge.stop()
        rig.wire.close()
