"""``cardshoe demo``: a whole table, with a simulated shoe and croupier; everything else is the real thing."""

import queue
import random
import tempfile
from pathlib import Path
from typing import Final

import click

from firmware_bridge.angel_eye.bridge import ShoeBridge
from regulations.events.inputs import Table
from sim.clock import RealClock
from sim.croupier.croupier import Croupier
from sim.croupier.orders import Orders
from sim.croupier.slips import Slips
from sim.hands import hands_at
from sim.players import Players
from sim.station import Station
from sim.wires.pty import PtyWire
from table.clock import wall_time
from table.controller import Controller, Item
from table.exits import Exit, Stop
from table.printing import JsonPrinter, Printer, TextPrinter
from table.scribe import Taken
from table.signals import signals_stop
from table.statistics import Statistics
from table.table_journal import OpenLog, open_log
from table.verify import verify

DECKS: Final = 8
SEATS: Final = 7
SPEED: Final = 60.0
"""A calm croupier needs 40 minutes for a shoe; at this speed it takes some 40 seconds."""
MISTAKES: Final = 0.01
SEEDS: Final = 2**32


@click.command("demo")
@click.option("--rounds", type=click.IntRange(min=1), help="Play N rounds; without it, one shoe game.")
@click.option(
    "--speed",
    type=click.FloatRange(min=0.1, max=1000),
    default=SPEED,
    show_default=True,
    help="How many times faster than a calm croupier.",
)
@click.option(
    "--mistakes",
    type=click.FloatRange(min=0, max=1),
    default=MISTAKES,
    show_default=True,
    help="Mistakes of the croupier per act where one is possible.",
)
@click.option("--seed", type=click.IntRange(min=0), help="Play the same cards, wagers and mistakes again.")
@click.option(
    "--journals",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("demo-journals"),
    show_default=True,
    help="The folder of the journal.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the table log as JSON Lines.")
def demo_command(  # one argument per option, as click has it
    *, rounds: int | None, speed: float, mistakes: float, seed: int | None, journals: Path, as_json: bool
) -> None:
    """Play baccarat with a simulated shoe on a pseudo-terminal, a simulated croupier and players.

    Driver, bridge, regulation, controller and journal are the real ones. Ctrl-C ends it cleanly.
    """
    if seed is None:
        seed = random.randrange(SEEDS)  # noqa: S311  # chosen to be printed, not to be kept secret
    printer: Printer = JsonPrinter() if as_json else TextPrinter()
    printer.say(f"seed {seed}, speed {speed:g}, mistakes {mistakes:g}")
    orders = Orders(games=1) if rounds is None else Orders(games=None, rounds=rounds)
    table = Table(
        table_id="demo",
        game="baccarat",
        decks=DECKS,
        seats=SEATS,
        equipment="shoe",
        # What an Angel Eye shoe does with an overdrawn card.
        options={"overdrawn_card": "next_round"},
    )
    log = open_log(journals, table, wall_time(), lambda _: None, resume=False)
    statistics = Statistics()
    with tempfile.TemporaryDirectory(prefix="cardshoe-") as folder, log.journal:
        rng = random.Random(seed)  # noqa: S311  # a simulation must play the same again
        stuck = _play(log, Path(folder) / "shoe", rng, speed, mistakes, orders, [printer, statistics])
    printer.say("")
    for line in statistics.lines():
        printer.say(line)
    found = verify(log.journal.path)
    printer.say(f"journal              {log.journal.path} ({found.entries} entries, verified)")
    if stuck is not None:
        raise Stop(f"the croupier is stuck: {stuck}", f"Run again with --seed {seed} and report it.", Exit.FAILURE)


def _play(  # everything that a table is made of
    log: OpenLog,
    pty: Path,
    rng: random.Random,
    speed: float,
    mistakes: float,
    orders: Orders,
    listeners: list[Printer | Statistics],
) -> str | None:
    """Plays until the croupier closes the table or Ctrl-C; returns why he could not go on, if so."""
    clock = RealClock(speed)
    wire = PtyWire(pty)
    hands = hands_at(wire, clock, DECKS)
    inbox: queue.SimpleQueue[Item] = queue.SimpleQueue()
    controller = Controller(log, inbox)
    # Of their own, so that how fast the machine is today changes neither wagers nor mistakes.
    players = Players(_spawned(rng), seats=SEATS)
    slips = Slips(_spawned(rng), mistakes)
    croupier = Croupier(hands, inbox.put, rng, clock=clock, mistakes=slips, players=players, orders=orders)
    croupier.on_done = controller.stop
    # It lives in real time: how long a telegram's copies take through the operating system no clock makes shorter.
    bridge = ShoeBridge("shoe", str(pty), {}, (), inbox.put)
    controller.attach(bridge)
    for listener in listeners:
        controller.listen(listener)
    with Station(clock, [wire]) as station:
        controller.listen(lambda taken: station.post(lambda: croupier.heard(taken.outputs)))
        bridge.start()
        try:
            station.call(hands.shoe.power_on)
            _opening(log, listeners, station, croupier)
            with signals_stop(controller.stop):
                controller.run()
        finally:
            bridge.stop()
    return croupier.stuck


def _spawned(rng: random.Random) -> random.Random:
    return random.Random(rng.randrange(SEEDS))  # noqa: S311  # a simulation must play the same again


def _opening(log: OpenLog, listeners: list[Printer | Statistics], station: Station, croupier: Croupier) -> None:
    opening: Taken = log.last
    for listener in listeners:
        listener(opening)
    station.post(lambda: croupier.heard(opening.outputs))
