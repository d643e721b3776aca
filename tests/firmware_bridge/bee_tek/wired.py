"""A simulated Bee-Tek shoe behind a pty, and the table's bridge at the other end; a hand on the wire in between.

The pty, the port and its thread are real.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, cast

from firmware_bridge.bee_tek.bridge import BeeTekBridge
from firmware_bridge.report import Report
from protocols.bee_tek.messages import Mode
from regulations.events.cards import Card
from regulations.events.inputs import AnyInput, CardDrawn, Fault, FaultCleared
from regulations.events.line import Input
from sim.bee_tek.shoe import BeeTekSettings, BeeTekShoe
from sim.clock import VirtualClock
from sim.wires.pty import PtyWire
from tests.firmware_bridge.desk import SHOE
from tests.kit.waiting import Log, eventually

Hand = Callable[[bytes], bytes]
"""Harms a line on its way; ``b""``: it never arrives."""

LINE_S: Final = 0.1
"""Between two things that happen, when nothing else is said."""


def untouched(line: bytes) -> bytes:
    return line


def swallowed(_line: bytes) -> bytes:
    """Nothing."""
    return b""


class Wired:
    """Shoe, wire and bridge."""

    def __init__(self, folder: Path, cards: list[Card], settings: BeeTekSettings) -> None:
        self.clock: Final = VirtualClock()
        self.wire: Final = PtyWire(folder / "shoe")
        self.shoe: Final = BeeTekShoe(self.clock, self._on_the_way, settings)
        self.hand: Hand = untouched
        self.log: Final = Log()
        self.bridge: Final = BeeTekBridge(SHOE, str(self.wire.path), {}, (), self.log.add, clock=self.clock.now_s)
        self._told = 0
        self._arrived = 0
        self.bridge.start()
        self.wait_for_connection(1)
        self.shoe.load(cards, None)
        self.shoe.power_on()

    def _on_the_way(self, line: bytes) -> None:
        self.put(self.hand(line))

    def put(self, data: bytes) -> None:
        """Put bytes on the wire that the shoe did not send, or sent otherwise."""
        if self.wire.is_plugged:
            self._arrived += len(data)
        self.wire.send(data)

    def wait_for_connection(self, number: int) -> None:
        """Wait until the port has been opened so often."""
        eventually(lambda: self.bridge.health().connections == number, "the port is open")

    def settle(self, seconds: float = LINE_S) -> None:
        """Let time pass, until the bridge has heard all that the shoe said in it."""
        self.clock.advance(seconds)
        eventually(lambda: self.bridge.health().bytes_in == self._arrived, "the bridge has read what arrived")
        self.bridge.counters()  # takes the session's guard: what was read has been told

    def draw(self, hand: Hand = untouched) -> list[str]:
        """A card is pulled, and its lines meet a hand; what the table is told, in brief."""
        self.hand = hand
        self.shoe.draw()
        self.settle()
        self.hand = untouched
        return self.told()

    def told(self) -> list[str]:
        """The table's news since it was last asked: cards, ``--`` for one not read, faults by their code."""
        entries = self.log.entries()
        new, self._told = entries[self._told :], len(entries)
        events: list[AnyInput] = []
        for entry in new:
            if isinstance(entry, Report):
                events += entry.events
            else:
                assert isinstance(entry, Input)
                events.append(cast("AnyInput", entry))
        return [brief(event) for event in events if not isinstance(event, FaultCleared)]


def brief(event: AnyInput) -> str:
    """An event in a word or two."""
    if isinstance(event, CardDrawn):
        return event.card or "--"
    return f"fault {event.code}" if isinstance(event, Fault) else str(event.__struct_config__.tag)


@contextmanager
def wired(folder: Path, *cards: Card, mode: Mode = Mode.GAME, repeats: bool = False) -> Iterator[Wired]:
    """Shoe, wire and bridge, with these cards in the shoe; gone at the end."""
    rig = Wired(folder, list(cards), BeeTekSettings(mode=mode, repeats_characters=repeats))
    try:
        yield rig
    finally:
        rig.bridge.stop()
        rig.wire.close()
