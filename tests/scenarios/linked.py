"""A whole table on TDP equipment in this process: real drivers, bridges, controller and journal; simulated far ends."""

import queue
import random
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from msgspec import UNSET

from cardshoe.process.clock import wall_time
from cardshoe.table.controller import Controller, Item
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.table_journal import open_log
from drivers.port import Port
from drivers.usb_port import UsbPort
from firmware_bridge.interlock import DeviceAction, DeviceActionKind
from firmware_bridge.tdp.bridge import TdpBridge
from protocols.tdp import events as tdp
from protocols.tdp.events import DeviceEvent, EventKey
from protocols.tdp.timing import SILENCE_S
from regulations.events.cards import Card
from regulations.events.inputs import CardDrawn, Table
from regulations.events.line import DeviceReport
from regulations.events.outputs import Irregularity, Refused
from regulations.events.results import Result
from regulations.events.vocabulary import EquipmentKind, Game
from regulations.games.registry import GAMES
from sim.clock import RealClock
from sim.croupier.instructions import HouseInstructions
from sim.croupier.mistakes import Mistakes
from sim.croupier.pace import Pace
from sim.croupier.routine import CroupierTraits
from sim.croupier.tdp_croupier import TdpCroupier
from sim.felt import CardTable
from sim.players import Players
from sim.sim_thread import PumpedLine, SimulatorThread
from sim.tdp.hands import TdpHands, TdpKind, tdp_at
from sim.tdp.memory import DeviceMemory
from sim.tdp.settings import TdpMachineSettings
from sim.usb import usb_wire
from sim.wires.pty import PtyWire
from sim.wires.wire import Wire
from tests.kit.sealed import opened_inputs, verified
from tests.kit.usb_backend import SimulatedBackend
from tests.sim.croupier.cashier import Cashier
from tests.sim.croupier.profiles import materials, profile

Line = Literal["serial", "usb"]
LINES: Final[dict[TdpKind, Line]] = {"shoe": "serial", "shuffler_dealer": "usb", "shuffler": "serial"}
"""The line of each kind of machine; a terminal stands for RS-232 as well as for CDC-ACM."""
LINKED: Final[list[tuple[Game, TdpKind]]] = [(game, kind) for game, kind in materials() if kind != "box"]
SPEED: Final = 200.0
"""Motors and hands are so much faster than life."""
UNTROUBLED_S: Final = 20.0
"""Real seconds of one of the link's where no session is lost: it gives up after 30 s, not 1.5 s, in which a busy
machine runs one of its ends not. Nothing waits for its times unless the test fails."""
TROUBLED_S: Final = 2.0
"""The same where sessions are lost, and the link's own times must pass."""
CROUPIER_S: Final = 2.0
"""Real seconds of one of the croupier's, who looks again after 5 ms and gives up after 2 s or 10 s."""
COMMANDS: Final = {
    "shoe": (DeviceActionKind.LOCK, DeviceActionKind.LET_DRAW),
    "shuffler_dealer": (DeviceActionKind.LOCK, DeviceActionKind.DISPENSE, DeviceActionKind.ACCEPT_RETURN),
    "shuffler": (DeviceActionKind.DISPENSE, DeviceActionKind.SHUFFLE),
}
PLAIN: Final = {"security": "plain"}
FEW_DECKS: Final = 2


def at(game: Game, kind: EquipmentKind, options: dict[str, Any]) -> Table:
    """A table's profile; with few decks where a machine takes the cards in one by one."""
    fewest, most = GAMES[game].law.equipment[kind].decks
    few = max(fewest, min(FEW_DECKS, most or FEW_DECKS))
    return profile(game, kind, options, few if kind == "shuffler_dealer" else None)


class LinkClock(RealClock):
    """Real time for motors and hands; the link's seconds are longer, at both of its ends.

    Args:
        second_s: real seconds of one of the link's.
    """

    def __init__(self, speed: float, second_s: float) -> None:
        self._second_s: Final = second_s
        self._skipped_s = 0.0
        super().__init__(speed * second_s, self.link_s)

    def link_s(self) -> float:
        """The link's time."""
        return time.monotonic() / self._second_s + self._skipped_s

    def skip_silence(self) -> None:
        """Let the time pass after which an end takes the other for gone; for a table whose one device is off."""
        self._skipped_s += SILENCE_S

    def wait_s(self) -> float | None:
        wait_s = super().wait_s()
        return None if wait_s is None else wait_s * self._second_s


class CroupierClock:
    """The clock of the motors for a croupier, whose own waits are no longer than need be."""

    speed: Final = SPEED * CROUPIER_S

    def __init__(self, clock: RealClock) -> None:
        self.now_s: Final = clock.now_s
        self.call_at: Final = clock.call_at
        self.call_later: Final = clock.call_later


@dataclass
class Unit:
    """A device at the table, with its line."""

    name: str
    hands: TdpHands
    wire: Wire
    bridge: TdpBridge


def journaled(path: Path) -> list[DeviceReport]:
    """The devices' reports, as a journal has them."""
    return [event for event in opened_inputs(path) if isinstance(event, DeviceReport)]


def cards_of(event: DeviceEvent) -> Sequence[Card | None]:
    match event:
        case tdp.CardDrawn():
            return (event.card,)
        case tdp.PacketDispensed():
            return event.cards
        case _:
            return ()


def assert_told_once(told: Sequence[DeviceReport], memory: DeviceMemory) -> list[DeviceEvent]:
    """Each event of a device is there once, in order, up to what it still keeps for the host, which is returned."""
    raws: dict[EventKey, str] = {}
    for event in told:
        if event.boot is not UNSET and event.number is not UNSET:
            assert isinstance(event.raw, str)
            # A message that means several things has one key and stands there in one piece.
            key = EventKey(event.boot, event.number)
            assert raws.get(key, event.raw) == event.raw
            assert key not in raws or next(reversed(raws)) == key
            raws[key] = event.raw
    waiting = [event for event in memory.outbox.pending if event.key not in raws]
    keys = [*raws, *(event.key for event in waiting)]
    assert keys == sorted(keys)
    for boot in range(1, memory.boot + 1):
        numbers = [key.number for key in keys if key.boot == boot]
        assert numbers == list(range(1, len(numbers) + 1)), f"boot {boot}"
    assert keys[-1] == EventKey(memory.boot, memory.last_number)
    return waiting


class LinkedTable:
    """A table with TDP devices; ``play`` lets its croupier play until the table is closed.

    Args:
        link_second_s: real seconds of one of the link's.
    """

    def __init__(self, folder: Path, table: Table, seed: int, *, link_second_s: float = UNTROUBLED_S) -> None:
        self.folder: Final = folder
        self.profile: Final = table
        self.rng: Final = random.Random(seed)
        self.clock: Final = LinkClock(SPEED, link_second_s)
        self.felt: Final = CardTable(table.decks)
        self.units: Final[dict[str, Unit]] = {}
        self.inbox: Final[queue.SimpleQueue[Item]] = queue.SimpleQueue()
        self.cashier: Final = Cashier()
        self.codes: Final[Counter[str]] = Counter()
        self.refusals: Final[Counter[str]] = Counter()
        self.results = 0
        self.taken: Final[list[LoggedInput]] = []
        self.log: Final = open_log(folder / "journals", table, wall_time(), lambda _: None)
        self.controller: Final = Controller(self.log, self.inbox)
        self.station: SimulatorThread
        self._at_card: Final[dict[int, Callable[[], object]]] = {}
        self._cards = 0

    def add(
        self,
        kind: TdpKind,
        name: str = "",
        *,
        line: Line = "serial",
        commands: Sequence[DeviceActionKind] | None = None,
        settings: TdpMachineSettings | None = None,
        host: Mapping[str, object] = PLAIN,
    ) -> Unit:
        """A device of a kind, at a terminal or on a USB bus in this process."""
        name = name or kind
        wire, port, make_port = self._line(name, line)
        hands = tdp_at(kind, wire, self.clock, self.profile.decks, self._spawned(), settings, self.felt)
        allowed = COMMANDS[kind] if commands is None else commands
        bridge = TdpBridge(name, port, host, allowed, self.inbox.put, clock=self.clock.link_s, make_port=make_port)
        bridge.lift_budget()  # its devices live faster than real ones
        self.controller.attach(bridge)
        unit = self.units[name] = Unit(name, hands, wire, bridge)
        return unit

    def _line(self, name: str, line: Line) -> tuple[Wire, str, Callable[[], Port] | None]:
        if line == "serial":
            pty = PtyWire(self.folder / name)
            return pty, str(pty.path), None
        usb = usb_wire("bulk", f"SN-{name}", product=name)
        port = f"bulk:1209:0001:SN-{name}"
        backend = SimulatedBackend([usb.device])
        return usb, port, lambda: UsbPort(port, backend=backend)

    def _moved(self) -> list[PumpedLine]:
        return [unit.wire for unit in self.units.values()]

    def _plug_in(self, unit: Unit) -> None:
        """Do at the host what a device needs before it is there: nothing at a terminal or a bus in this process."""

    def _spawned(self) -> random.Random:
        return random.Random(self.rng.randrange(2**32))

    def play(
        self,
        orders: HouseInstructions,
        *,
        first: str,
        shuffler: str = "",
        spare: tuple[EquipmentKind, str] | None = None,
        mistakes: float = 0.0,
    ) -> TdpCroupier:
        """Plays with the device ``first``; the names are those of the devices."""
        croupier = TdpCroupier(
            self.units[first].hands,
            CroupierTraits(
                say=self.inbox.put,
                rng=self._spawned(),
                clock=CroupierClock(self.clock),
                game=self.profile.game,
                mistakes=Mistakes(self._spawned(), mistakes),
                players=Players(self._spawned(), seats=self.profile.seats, game=self.profile.game),
                pace=Pace(0),
                orders=orders,
            ),
            lambda what: self.controller.ask(DeviceAction(DeviceActionKind(what))),
            shuffler=self.units[shuffler].hands if shuffler else None,
            spare=(spare[0], self.units[spare[1]].hands) if spare is not None else None,
        )
        croupier.on_done = self.controller.stop
        self.station = SimulatorThread(self.clock, self._moved())
        self.controller.listen(self._listen)
        self._listen(self.log.last)
        with self.log.journal, self.station as station:
            self.controller.listen(lambda taken: station.post(lambda: croupier.apply(taken.outputs, taken.event)))
            for unit in self.units.values():
                station.call(unit.hands.make_ready)
                self._plug_in(unit)
                unit.bridge.start()
            station.post(lambda: croupier.apply(self.log.last.outputs))
            try:
                self.controller.run()
            finally:
                for unit in self.units.values():
                    unit.bridge.stop()
        return croupier

    def _listen(self, taken: LoggedInput) -> None:
        self.taken.append(taken)
        if isinstance(taken.event, CardDrawn):
            self._cards += 1
            act = self._at_card.pop(self._cards, None)
            if act is not None:
                self.station.post(act)
        for one in taken.outputs:
            if isinstance(one, Irregularity):
                self.codes[one.code] += 1
            elif isinstance(one, Refused):
                self.refusals[one.code] += 1
            self.results += isinstance(one, Result)
        self.cashier.notice(taken.event, taken.outputs)

    def at_card(self, number: int, act: Callable[[], object]) -> None:
        """Do something to a device as soon as the table has heard of so many cards."""
        self._at_card[number] = act

    # --- what must hold in the end ----------------------------------------------------------------------------------

    def assert_whole(self, croupier: TdpCroupier) -> None:
        """The game is over, no card is lost, the money is settled, and the journal has what the devices told, once."""
        assert croupier.stuck is None, self.tail()
        assert self.log.scribe.procedure.is_closed, self.tail()
        assert self.felt.is_complete(card for unit in self.units.values() for card in unit.hands.device.cards)
        assert self.cashier.faults == [], self.tail()
        assert self.cashier.carried == {}
        assert verified(self.log.journal.path).entries == len(self.taken)
        events = journaled(self.log.journal.path)
        for unit in self.units.values():
            told = [event for event in events if event.device == unit.name]
            waiting = assert_told_once(told, unit.hands.device.electronics.memory)
            # What came out and was read, in that order; what an eye misses is named by persons. A device that was lost
            # for good keeps what it could not tell.
            read = [one.card for one in told if isinstance(one, CardDrawn) and one.card is not None]
            read += [card for event in waiting for card in cards_of(event) if card is not None]
            assert read == [out.told for out in unit.hands.history if out.told is not None], self.tail()

    def tail(self, inputs: int = 12) -> str:
        """The end of the log, for a test that fails."""
        return "\n".join(line.decode() for taken in self.taken[-inputs:] for line in taken.lines)
