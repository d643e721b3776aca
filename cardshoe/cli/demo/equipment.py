"""A simulated croupier and equipment at a real table."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from cardshoe.cli.running.equipment import EquipmentReport
from cardshoe.cli.sim.kinds import Simulated
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.controller import Controller, Item
from cardshoe.table.setup.config import DeviceSection
from firmware_bridge.bridge import Bridge
from firmware_bridge.interlock import DeviceAction, DeviceActionKind
from regulations.events.inputs import Table
from regulations.law.stakes import are_recorded
from sim.clock import RealClock
from sim.croupier.instructions import HouseInstructions
from sim.croupier.mistakes import Mistakes
from sim.croupier.plain import PlainCroupier
from sim.croupier.routine import CroupierTraits, Routine
from sim.croupier_actions import CroupierActions
from sim.plain.hands import plain_hands_at
from sim.players import Players, Strategy
from sim.shuffling import Shuffling
from sim.sim_thread import PumpedLine, SimulatorThread
from sim.simulated import BadOrder, DeviceOrder, ProcessOrder, RunningDevice
from sim.wires.pty import PtyWire

SEEDS: Final = 2**32


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """A game to play, with its equipment.

    Attributes:
        mistakes: per act where one is possible, 0 to 1.
        firmware: program of the device's process; ``None``: simulated.
    """

    table: Table
    simulated: Simulated | None
    reads: bool
    strategy: Strategy
    mistakes: float
    orders: HouseInstructions
    pty: Path
    serial_number: str = "SIM-0001"
    firmware: Path | None = None
    shuffle: Shuffling = field(default_factory=Shuffling)

    @property
    def is_linked(self) -> bool:
        return self.simulated is not None and self.simulated.kind.is_machine


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipped:
    croupier: Routine
    hands: CroupierActions[Any]
    wire: PtyWire | None = None
    also: Sequence[PumpedLine] = ()
    bridge: Bridge[Any] | None = None
    device: DeviceSection | None = None
    mishaps: Mapping[str, Callable[[], object]] = field(default_factory=dict)

    def report(self) -> EquipmentReport:
        """Links of the device, and checks of the machine."""
        devices = [] if self.device is None else [self.device]
        return EquipmentReport(devices, [] if self.bridge is None else [self.bridge], None)

    @contextmanager
    def listened_to(self, station: SimulatorThread) -> Iterator[None]:
        if self.bridge is None:
            yield
            return
        self.bridge.start()
        try:
            station.call(self.hands.make_ready)
            yield
        finally:
            self.bridge.stop()


def equipped(
    show: Show, clock: RealClock, controller: Controller, say: Callable[[Item], None], rng: random.Random
) -> Equipped:
    # Of their own, so that how fast the machine is today changes neither wagers nor mistakes.
    players = Players(
        spawned(rng),
        seats=show.table.seats,
        game=show.table.game,
        strategy=show.strategy,
        stakes_known=are_recorded(show.table.options),
    )
    person = CroupierTraits(
        say=say,
        rng=rng,
        clock=clock,
        mistakes=Mistakes(spawned(rng), show.mistakes),
        players=players,
        orders=show.orders,
        game=show.table.game,
    )
    if show.simulated is None:
        made = _plain(show, person)
    else:
        made = _simulated(show, show.simulated, clock, controller, person, say)
    made.hands.shuffle_by(show.shuffle)
    return made


def spawned(rng: random.Random) -> random.Random:
    return random.Random(rng.randrange(SEEDS))  # noqa: S311  # a simulation must play the same again


def _simulated(  # everything that a table with this device is made of
    show: Show,
    simulated: Simulated,
    clock: RealClock,
    controller: Controller,
    person: CroupierTraits,
    say: Callable[[Item], None],
) -> Equipped:
    family, kind = simulated
    # Only a machine has chance of its own: other equipment leaves the croupier's as it is.
    seed = person.rng.randrange(SEEDS) if kind.is_machine else 0
    wire: PtyWire | None = None
    also: Sequence[PumpedLine] = ()
    mishaps: Mapping[str, Callable[[], object]] = {}
    if show.firmware is not None and kind.run is not None:
        running = _run(kind.run, ProcessOrder(show.firmware, show.table.decks, seed, show.serial_number))
        hands, port, settings = running.hands, running.port, running.settings
        also = [running.line]
    else:
        wire = PtyWire(show.pty)
        values = {option.key: option.start for option in kind.options}
        made = kind.make(DeviceOrder(wire, clock, show.table.decks, seed, show.serial_number, values))
        hands, port, settings = made.hands, str(show.pty), made.settings
        mishaps = made.mishaps
    croupier = kind.croupier(hands, person, lambda what: controller.ask(DeviceAction(DeviceActionKind(what))))
    # It lives in real time: how long a telegram's copies take through the operating system no clock makes shorter.
    commands = [DeviceActionKind(one) for one in kind.commands]
    bridge = family.part("make")(show.table.equipment, port, settings, commands, say)
    bridge.lift_budget()  # its device may live faster than any real one
    controller.attach(bridge)
    device = DeviceSection(name=show.table.equipment, family=family.name, port=port)
    return Equipped(croupier=croupier, hands=hands, wire=wire, also=also, bridge=bridge, device=device, mishaps=mishaps)


def _run(run: Callable[[ProcessOrder], RunningDevice], order: ProcessOrder) -> RunningDevice:
    try:
        return run(order)
    except BadOrder as error:
        raise Stop(f"--firmware: {error.problem}", error.remedy, Exit.FAILURE) from error


def _plain(show: Show, person: CroupierTraits) -> Equipped:
    equipment = show.table.equipment
    hands = plain_hands_at(equipment, show.table.decks, spawned(person.rng), reads=show.reads)
    croupier = PlainCroupier(hands, person, equipment=equipment)
    return Equipped(croupier=croupier, hands=hands)
