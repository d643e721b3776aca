"""``cardshoe demo``: a whole table with simulated equipment, croupier and players; all else is the real thing."""

import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, Protocol, get_args

import click

from firmware_bridge.angel_eye.bridge import ShoeBridge
from firmware_bridge.interlock import Act, ActKind
from firmware_bridge.tdp.bridge import TdpBridge
from regulations.events.inputs import Authorisation, Table
from regulations.events.vocabulary import EquipmentKind
from regulations.game import Game
from regulations.games import GAMES
from regulations.stakes import UNTRACKED, are_told
from sim.clock import RealClock
from sim.croupier.croupier import Croupier
from sim.croupier.linked import LinkedCroupier
from sim.croupier.orders import Orders
from sim.croupier.plain import PlainCroupier
from sim.croupier.routine import Routine
from sim.croupier.slips import Slips
from sim.hands import hands_at
from sim.plain.hands import plain_hands_at
from sim.players import Players, Strategy
from sim.station import Station
from sim.tdp.hands import TdpKind, tdp_at
from sim.wires.pty import PtyWire
from table.cli.completing import games
from table.cli.demo_persons import everybody
from table.clock import wall_time
from table.controller import Controller, Item
from table.display.child import DisplayChild
from table.display.settings import DisplaySettings
from table.exits import Exit, Stop
from table.inbox import Inbox
from table.live.place import TablePlace
from table.live.server import LiveServer
from table.log.scribe import Taken
from table.log.sealing_keys import find_keys, read_keys
from table.log.table_journal import OpenLog, open_log
from table.log.verify import verify
from table.persons.desk import Persons
from table.persons.registry import Registry
from table.setup.currency import MOP
from table.setup.display_section import DisplaySection, faults_of_display
from table.setup.games import game_by_name
from table.signals import signals_stop
from table.terminal.outlet import Screen
from table.terminal.printing import JsonPrinter, Look, TextPrinter, has_colours
from table.terminal.statistics import Statistics
from table.terminal.wording import hung

DECKS_MAX: Final = 8
SEATS: Final = 7
ROUNDS: Final = 20
"""Rounds that are played where no shoe game ends by its cut card, if none are asked for."""
SPEED_OF_HANDS: Final = 4.0
"""So that a person can follow the cards."""
SPEED: Final = 60.0
"""A calm croupier needs 40 minutes for a shoe; at this speed it takes some 40 seconds."""
MISTAKES: Final = 0.01
SEEDS: Final = 2**32
ANGEL_EYE: Final = "angel_eye"
LISTEN: Final = "127.0.0.1:0"
"""Any port that is free: several demonstrations may run."""
Source = Literal["angel_eye"] | EquipmentKind
"""What is dealt from: the simulated Angel Eye shoe, or plain equipment of a kind."""
MACHINES: Final[Mapping[TdpKind, Sequence[ActKind]]] = {
    "shoe": (ActKind.LOCK, ActKind.LET_DRAW),
    "shuffler_dealer": (ActKind.LOCK, ActKind.DISPENSE, ActKind.ACCEPT_RETURN),
    "shuffler": (ActKind.DISPENSE, ActKind.SHUFFLE),
}
"""Equipment that is simulated with its electronics, and what the table may tell it."""
REFERENCE: Final = "demonstration"
"""Stands for an authorisation of the DICJ; the cards of a demonstration are nobody's money."""


@click.command("demo")
@click.argument("game", default="baccarat", shell_complete=games)
@click.option(
    "--equipment",
    type=click.Choice([ANGEL_EYE, *get_args(EquipmentKind)]),
    help="What is dealt from: a simulated Angel Eye shoe (baccarat), or plain equipment, whose cards a person enters.",
)
@click.option(
    "--linked",
    is_flag=True,
    help="The equipment (shoe, shuffler_dealer, shuffler) speaks TDP, and tells the table of its cards itself.",
)
@click.option("--reads", is_flag=True, help="Plain equipment reads the cards that leave it face down.")
@click.option("--untracked", is_flag=True, help="The table is not told the stakes: it says what one unit is paid.")
@click.option(
    "--strategy",
    type=click.Choice(list(get_args(Strategy))),
    default="basic",
    show_default=True,
    help="How the players decide: anything that is allowed, or what is sensible.",
)
@click.option(
    "--hands",
    is_flag=True,
    help="You are the croupier, on the page: simulated hands see to the cards, and leave all else to you.",
)
@click.option("--rounds", type=click.IntRange(min=1), help="Play N rounds; without it, one shoe game (or 20 rounds).")
@click.option(
    "--speed",
    type=click.FloatRange(min=0.1, max=1000),
    help=f"How many times faster than a calm croupier; {SPEED:g}, with --hands {SPEED_OF_HANDS:g}.",
)
@click.option(
    "--mistakes",
    type=click.FloatRange(min=0, max=1),
    help=f"Mistakes of the croupier per act where one is possible; {MISTAKES:g}.",
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
@click.option("--plain", is_flag=True, help="The terminal alone: serve no pages.")
@click.option(
    "--listen", default=LISTEN, show_default=True, help="Where the pages are, HOST:PORT of this machine; port 0: any."
)
def demo_command(  # noqa: PLR0913  # one argument per option, as click has it
    *,
    game: str,
    equipment: Source | None,
    linked: bool,
    reads: bool,
    untracked: bool,
    strategy: Strategy,
    hands: bool,
    rounds: int | None,
    speed: float | None,
    mistakes: float | None,
    seed: int | None,
    journals: Path,
    as_json: bool,
    plain: bool,
    listen: str,
) -> None:
    """Play GAME (baccarat) with simulated equipment, croupier and players.

    Baccarat is dealt from a simulated Angel Eye shoe on a pseudo-terminal, through the real driver and bridge. Any
    other equipment is plain: the croupier enters what comes out of it; with --linked it speaks TDP, on a
    pseudo-terminal through the real driver and bridge as well. Regulation, controller and journal are the real ones.
    The croupier's page and the players' board are served meanwhile, where one person of each role may sign in with the
    PIN that is printed. Ctrl-C ends it cleanly.
    """
    if hands and (plain or rounds is not None or mistakes is not None):
        raise Stop(
            "--hands is played on the page, by you",
            "Leave out --plain, --rounds and --mistakes: close the table on the page, or by Ctrl-C.",
            Exit.USAGE,
        )
    speed = speed or (SPEED_OF_HANDS if hands else SPEED)
    mistakes = 0.0 if hands else MISTAKES if mistakes is None else mistakes
    if seed is None:
        seed = random.randrange(SEEDS)  # noqa: S311  # chosen to be printed, not to be kept secret
    with Screen(JsonPrinter() if as_json else TextPrinter(look=Look(has_colours(sys.stdout)))) as printer:
        table, source = _table(game, equipment, linked=linked, untracked=untracked)
        printer.say(f"seed {seed}, speed {speed:g}, mistakes {mistakes:g}")
        log = open_log(journals, table, wall_time(), lambda _: None, resume=False)
        statistics = Statistics()
        with tempfile.TemporaryDirectory(prefix="cardshoe-") as folder, log.journal:
            show = _Show(
                log=log,
                table=table,
                source=source,
                linked=linked,
                # Nobody sees the cards that simulated hands have laid face down.
                reads=reads or hands,
                strategy=strategy,
                speed=speed,
                mistakes=mistakes,
                orders=Orders(games=None, hands_only=True) if hands else _orders(table, rounds),
                pty=Path(folder) / "shoe",
                journals=journals,
            )
            rng = random.Random(seed)  # noqa: S311  # a simulation must play the same again
            if plain:
                stuck = _play(show, rng, [printer, statistics], None)
            else:
                with _shown(_pages(journals, table, listen), printer):
                    registry, pins = everybody(Path(folder))
                    printer.say("PINs: " + ", ".join(f"{person} {pin}" for person, pin in pins.items()))
                    stuck = _play(show, rng, [printer, statistics], registry)
        printer.say("")
        found = verify(log.journal.path, keys=read_keys(find_keys(None, journals)))
        where = hung("journal", f"{log.journal.path} ({found.entries} entries, verified)")
        for line in (*statistics.lines(), *where):
            printer.say(line)
    if stuck is not None:
        raise Stop(f"the croupier is stuck: {stuck}", f"Run again with --seed {seed} and report it.", Exit.FAILURE)


# --- the table -------------------------------------------------------------------------------------------------------


def _table(name: str, asked: Source | None, *, linked: bool, untracked: bool) -> tuple[Table, Source]:
    """The profile of the table that is shown, and what it deals from.

    Raises:
        Stop: this edition does not enforce the game, or its regulation does not deal from this equipment, or the
            equipment has no electronics that speak TDP.
    """
    game = game_by_name(name)
    law = game.law
    known: list[Source] = [ANGEL_EYE] if law.game == "baccarat" else []
    known += law.equipment
    if linked:
        known = [one for one in known if one in MACHINES]
    source = known[0] if asked is None else asked
    equipment: EquipmentKind = "shoe" if source == ANGEL_EYE else source
    if source not in known:
        how = " that speaks TDP" if linked else ""
        raise Stop(
            f"{law.game} is not dealt from {source!r}{how}", f"It is dealt from: {', '.join(known)}.", Exit.USAGE
        )
    # What an Angel Eye shoe does with an overdrawn card.
    options = {"overdrawn_card": "next_round"} if source == ANGEL_EYE else {}
    if untracked:
        options["stakes"] = UNTRACKED
    table = Table(
        table_id="demo",
        game=law.game,
        decks=_decks(game, equipment),
        seats=max(SEATS, law.seats),
        equipment=equipment,
        options=options,
        authorisations=[_authorisation(equipment)] if equipment in law.authorised_equipment else [],
    )
    return table, source


def _decks(game: Game, equipment: EquipmentKind) -> int:
    fewest, most = game.law.equipment[equipment].decks
    return max(fewest, DECKS_MAX if most is None else min(most, DECKS_MAX))


def _authorisation(equipment: EquipmentKind) -> Authorisation:
    return Authorisation(
        option="equipment", value=equipment, reference=REFERENCE, requested="2005-09-01", effective="2005-10-03"
    )


def _orders(table: Table, rounds: int | None) -> Orders:
    """One shoe game, if none of its rounds needs a stack of its own and a cut card ends it; else some rounds."""
    law = GAMES[table.game].law
    ends = law.has_cut_card(table.equipment, table.decks) and not law.serves_one_round(table.equipment, table.decks)
    if rounds is None and ends:
        return Orders(games=1)
    return Orders(games=None, rounds=ROUNDS if rounds is None else rounds)


def _pages(journals: Path, table: Table, listen: str) -> DisplayChild:
    """The table's pages, with the banner of a table that plays for no money.

    Raises:
        Stop: they cannot be served there.
    """
    section = DisplaySection(listen=listen, languages=["zh-Hant", "en"], simulated=True)
    if (fault := next(faults_of_display(section), None)) is not None:
        raise Stop(f"--listen: {fault.reason}", "Give another address, or --plain for no pages.", Exit.USAGE)
    return DisplayChild(
        DisplaySettings(folder=str(journals.absolute()), table_id=table.table_id, section=section, currency=MOP)
    )


@contextmanager
def _shown(pages: DisplayChild, printer: Screen) -> Iterator[None]:
    """While the block runs the pages are served."""
    with pages:
        printer.say(f"pages: {pages.home}")
        yield


# --- the show --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Show:
    """What is played; the names are those of the options."""

    log: OpenLog
    table: Table
    source: Source
    linked: bool
    reads: bool
    strategy: Strategy
    speed: float
    mistakes: float
    orders: Orders
    pty: Path
    journals: Path


@dataclass(frozen=True, slots=True)
class _Equipped:
    """A croupier with its equipment, on a station; ``linked`` is open while the table listens to the equipment."""

    croupier: Routine
    station: Station
    linked: AbstractContextManager[object]


def _play(
    show: _Show, rng: random.Random, listeners: list[Screen | Statistics], registry: Registry | None
) -> str | None:
    """Plays until the croupier closes the table or Ctrl-C; returns why it could not go on, if so."""
    inbox: Inbox[Item] = Inbox()
    controller = Controller(show.log, inbox)
    # Of their own, so that how fast the machine is today changes neither wagers nor mistakes.
    players = Players(
        _spawned(rng),
        seats=show.table.seats,
        game=show.table.game,
        strategy=show.strategy,
        stakes_told=are_told(show.table.options),
    )
    slips = Slips(_spawned(rng), show.mistakes)
    equip = _machine if show.linked else _angel_eye if show.source == ANGEL_EYE else _plain
    equipped = equip(show, controller, inbox.put, rng, players, slips)
    croupier, station = equipped.croupier, equipped.station
    croupier.on_done = controller.stop
    for listener in listeners:
        controller.listen(listener)
    persons = None if registry is None else Persons(registry, controller.note)
    live = LiveServer(
        TablePlace.of(show.journals, show.table.table_id),
        show.log.view,
        controller,
        recent=[show.log.last],
        persons=persons,
    )
    if persons is not None:
        controller.listen(persons)
    controller.listen(live)
    with persons or nullcontext(), live, station:
        # A machine says at any time how it is: its croupier waits for the answer to what it said itself.
        controller.listen(
            lambda taken: station.post(
                lambda: croupier.heard(taken.outputs, taken.event if show.linked or show.orders.hands_only else None)
            )
        )
        with equipped.linked:
            _opening(show.log, listeners, station, croupier)
            with signals_stop(controller.stop):
                controller.run()
    if (closed := controller.closed_for_room) is not None:
        raise closed
    return croupier.stuck


class _Listening(Protocol):
    """Of a bridge: that it begins and ends."""

    def start(self) -> None:
        """Begins to listen."""

    def stop(self) -> None:
        """Lets go of the port."""


class _Linked:
    """A bridge that listens to its device from when it is switched on."""

    def __init__(self, bridge: _Listening, switch_on: Callable[[], object]) -> None:
        self._bridge = bridge
        self._switch_on = switch_on

    def __enter__(self) -> None:
        self._bridge.start()
        try:
            self._switch_on()
        except BaseException:
            self._bridge.stop()
            raise

    def __exit__(self, *_error: object) -> None:
        self._bridge.stop()


def _angel_eye(  # everything that a table with this shoe is made of
    show: _Show,
    controller: Controller,
    say: Callable[[Item], None],
    rng: random.Random,
    players: Players,
    slips: Slips,
) -> _Equipped:
    clock = RealClock(show.speed)
    wire = PtyWire(show.pty)
    hands = hands_at(wire, clock, show.table.decks)
    croupier = Croupier(hands, say, rng, clock=clock, mistakes=slips, players=players, orders=show.orders)
    # It lives in real time: how long a telegram's copies take through the operating system no clock makes shorter.
    bridge = ShoeBridge("shoe", str(show.pty), {}, (), say)
    bridge.lift_budget()  # its shoe may live faster than any real one
    controller.attach(bridge)
    station = Station(clock, [wire])
    return _Equipped(croupier, station, _Linked(bridge, lambda: station.call(hands.shoe.power_on)))


def _machine(  # as above, for a device that speaks TDP
    show: _Show,
    controller: Controller,
    say: Callable[[Item], None],
    rng: random.Random,
    players: Players,
    slips: Slips,
) -> _Equipped:
    clock = RealClock(show.speed)
    wire = PtyWire(show.pty)
    kind = next(one for one in MACHINES if one == show.table.equipment)
    hands = tdp_at(kind, wire, clock, show.table.decks, _spawned(rng))
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
    station = Station(clock, [wire])
    return _Equipped(croupier, station, _Linked(bridge, lambda: station.call(hands.make_ready)))


def _plain(  # as above, and there is no line
    show: _Show,
    _controller: Controller,
    say: Callable[[Item], None],
    rng: random.Random,
    players: Players,
    slips: Slips,
) -> _Equipped:
    clock = RealClock(show.speed)
    equipment = show.table.equipment
    croupier = PlainCroupier(
        plain_hands_at(equipment, show.table.decks, _spawned(rng), reads=show.reads),
        say,
        rng,
        clock=clock,
        game=show.table.game,
        equipment=equipment,
        mistakes=slips,
        players=players,
        orders=show.orders,
    )
    return _Equipped(croupier, Station(clock), nullcontext())


def _spawned(rng: random.Random) -> random.Random:
    return random.Random(rng.randrange(SEEDS))  # noqa: S311  # a simulation must play the same again


def _opening(log: OpenLog, listeners: list[Screen | Statistics], station: Station, croupier: Routine) -> None:
    opening: Taken = log.last
    for listener in listeners:
        listener(opening)
    station.post(lambda: croupier.heard(opening.outputs))
