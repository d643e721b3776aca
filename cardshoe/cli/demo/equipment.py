"""A simulated croupier and equipment, at a table whose controller, bridge and driver are the real ones."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol

from cardshoe.cli.demo.profile import ANGEL_EYE, MACHINES, Source
from cardshoe.table.controller import Controller, Item
from firmware_bridge.angel_eye.bridge import ShoeBridge
from firmware_bridge.interlock import Act, ActKind
from firmware_bridge.tdp.bridge import TdpBridge
from regulations.events.inputs import Table
from regulations.law.stakes import are_told
from sim.clock import RealClock
from sim.croupier.croupier import Croupier
from sim.croupier.linked import LinkedCroupier
from sim.croupier.orders import Orders
from sim.croupier.plain import PlainCroupier
from sim.croupier.routine import Routine
from sim.croupier.slips import Slips
from sim.hands import Hands, hands_at
from sim.plain.hands import PlainHands, plain_hands_at
from sim.players import Players, Strategy
from sim.station import Station
from sim.tdp.hands import MODELS, TdpHands, tdp_at
from sim.tdp.identity import Identity
from sim.tdp.settings import TdpSettings
from sim.wires.pty import PtyWire

SEEDS: Final = 2**32


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """A game to be played, with its equipment.

    Attributes:
        table: the profile.
        source: what is dealt from.
        linked: whether that has electronics that speak TDP.
        reads: whether plain equipment reads the cards that leave it face down.
        strategy: how the players decide.
        mistakes: of the croupier, per act where one is possible, 0 to 1.
        orders: of the house, for the croupier.
        pty: the name of the pseudo-terminal of equipment that has a line.
        identity: what equipment with electronics says of itself; ``None``: what its kind says.
    """

    table: Table
    source: Source
    linked: bool
    reads: bool
    strategy: Strategy
    mistakes: float
    orders: Orders
    pty: Path
    identity: Identity | None = None


class Listening(Protocol):
    """Of a bridge: that it begins and ends."""

    def start(self) -> None:
        """Begins to listen."""

    def stop(self) -> None:
        """Lets go of the port."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipped:
    """A croupier with equipment.

    Attributes:
        croupier: at work on the thread of the station that runs the clock.
        hands: what the croupier can do to cards and equipment.
        wire: the line of the equipment, for the station; ``None``: there is none.
        bridge: listens to that line.
    """

    croupier: Routine
    hands: Hands | TdpHands | PlainHands
    wire: PtyWire | None = None
    bridge: Listening | None = None

    @contextmanager
    def listened_to(self, station: Station) -> Iterator[None]:
        """While the block runs the table listens to the equipment, which is switched on.

        Args:
            station: runs the clock and the line.
        """
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
    """Puts a croupier, players and equipment at a table.

    Args:
        show: what is played.
        clock: the time they live in; several tables may have one.
        controller: of the table.
        say: puts what they say into the table's inbox.
        rng: theirs.
    """
    # Of their own, so that how fast the machine is today changes neither wagers nor mistakes.
    players = Players(
        spawned(rng),
        seats=show.table.seats,
        game=show.table.game,
        strategy=show.strategy,
        stakes_told=are_told(show.table.options),
    )
    slips = Slips(spawned(rng), show.mistakes)
    if show.linked:
        return _machine(show, clock, controller, say, rng, players, slips)
    if show.source == ANGEL_EYE:
        return _angel_eye(show, clock, controller, say, rng, players, slips)
    return _plain(show, clock, say, rng, players, slips)


def spawned(rng: random.Random) -> random.Random:
    """Chance of its own, that is the same again where the other is."""
    return random.Random(rng.randrange(SEEDS))  # noqa: S311  # a simulation must play the same again


def _angel_eye(  # everything that a table with this shoe is made of
    show: Show,
    clock: RealClock,
    controller: Controller,
    say: Callable[[Item], None],
    rng: random.Random,
    players: Players,
    slips: Slips,
) -> Equipped:
    wire = PtyWire(show.pty)
    hands = hands_at(wire, clock, show.table.decks)
    croupier = Croupier(hands, say, rng, clock=clock, mistakes=slips, players=players, orders=show.orders)
    # It lives in real time: how long a telegram's copies take through the operating system no clock makes shorter.
    bridge = ShoeBridge("shoe", str(show.pty), {}, (), say)
    bridge.lift_budget()  # its shoe may live faster than any real one
    controller.attach(bridge)
    return Equipped(croupier=croupier, hands=hands, wire=wire, bridge=bridge)


def _machine(  # as above, for a device that speaks TDP
    show: Show,
    clock: RealClock,
    controller: Controller,
    say: Callable[[Item], None],
    rng: random.Random,
    players: Players,
    slips: Slips,
) -> Equipped:
    wire = PtyWire(show.pty)
    kind = next(one for one in MACHINES if one == show.table.equipment)
    identity = None if show.identity is None else replace(show.identity, model=MODELS[kind])
    settings = TdpSettings(identity=identity)
    hands = tdp_at(kind, wire, clock, show.table.decks, spawned(rng), settings)
    croupier = LinkedCroupier(
        hands,
        say,
        lambda what: controller.ask(Act(ActKind(what))),
        rng,
        clock=clock,
        game=show.table.game,
        mistakes=slips,
        players=players,
        orders=show.orders,
    )
    bridge = TdpBridge(kind, str(show.pty), {"security": "plain"}, MACHINES[kind], say)
    bridge.lift_budget()  # as above
    controller.attach(bridge)
    return Equipped(croupier=croupier, hands=hands, wire=wire, bridge=bridge)


def _plain(  # as above, and there is no line
    show: Show,
    clock: RealClock,
    say: Callable[[Item], None],
    rng: random.Random,
    players: Players,
    slips: Slips,
) -> Equipped:
    equipment = show.table.equipment
    hands = plain_hands_at(equipment, show.table.decks, spawned(rng), reads=show.reads)
    croupier = PlainCroupier(
        hands,
        say,
        rng,
        clock=clock,
        game=show.table.game,
        equipment=equipment,
        mistakes=slips,
        players=players,
        orders=show.orders,
    )
    return Equipped(croupier=croupier, hands=hands)
