"""``cardshoe sim``: simulated devices to try `cardshoe run` against, from another terminal or a test rig."""

import contextlib
import random
import socketserver
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import click

from sim.angel_eye.settings import InitialBurn, ShoeSettings
from sim.bee_tek.control import BeeTekControl
from sim.bee_tek.hands import bee_tek_at
from sim.bee_tek.shoe import MODES, BeeTekSettings
from sim.clock import RealClock
from sim.control import Control
from sim.hands import hands_at
from sim.station import Station
from sim.wires.pty import PtyWire
from sim.wires.tcp import LOCALHOST, TcpWire
from table.exits import Exit, Stop
from table.signals import signals_stop
from table.typing_in import typed_lines

SEEDS: Final = 2**32
QUIT: Final = {"quit", "exit"}
HIGHEST_PORT: Final = 65535


class Simulated(NamedTuple):
    """A shoe that was made: its name, how it is switched on, and what takes control lines."""

    name: str
    switch_on: Callable[[], None]
    execute: Callable[[str], str]


class Bench(NamedTuple):
    """The options that all shoes have."""

    pty: Path | None
    tcp: str | None
    control: str | None
    decks: int
    speed: float
    seed: int | None


def _common(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options that all shoes have."""
    options = (
        click.option(
            "--pty", type=click.Path(path_type=Path), help="Put the shoe behind a pseudo-terminal of this name."
        ),
        click.option("--tcp", metavar="HOST:PORT", help="Put it behind a TCP socket (raw, as a serial-to-TCP box)."),
        click.option("--control", metavar="HOST:PORT", help="Take control lines there too, besides standard input."),
        click.option("--decks", type=click.IntRange(1, 12), default=8, show_default=True, help="Decks in the shoe."),
        click.option(
            "--speed", type=click.FloatRange(0.1, 1000), default=1.0, show_default=True, help="Times faster than life."
        ),
        click.option("--seed", type=click.IntRange(min=0), help="Shuffle the same cards again."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.group("sim")
def sim_group() -> None:
    """Simulated devices."""


@sim_group.command("angel-eye")
@_common
@click.option(
    "--initial-burn",
    type=click.Choice(["none", "per_deck", "first_card_value"]),
    default="per_deck",
    show_default=True,
    help="What the shoe's menu says of the initial burn.",
)
@click.option("--round-burn", is_flag=True, help="The shoe's menu says that a card is burned before each round.")
def angel_eye_command(  # one argument per option, as click has it
    *,
    pty: Path | None,
    tcp: str | None,
    control: str | None,
    decks: int,
    initial_burn: InitialBurn,
    round_burn: bool,
    speed: float,
    seed: int | None,
) -> None:
    """Simulate an Angel Eye II-EX shoe.

    It is switched on, and empty. Type `load`, then `draw`; `help` lists what else hands and mishaps can do to it. The
    end of standard input ends it, unless there is a --control port; Ctrl-C always does.
    """
    settings = ShoeSettings(initial_burn=initial_burn, burn_cards=decks, round_burn=round_burn)

    def make(wire: PtyWire | TcpWire, clock: RealClock, seed: int) -> Simulated:
        hands = hands_at(wire, clock, decks, settings)
        return Simulated("Angel Eye shoe", hands.make_ready, Control(hands, wire, seed).execute)

    _simulate(make, Bench(pty=pty, tcp=tcp, control=control, decks=decks, speed=speed, seed=seed))


@sim_group.command("bee-tek")
@_common
@click.option(
    "--mode",
    type=click.Choice(list(MODES)),
    default="diagnostic",
    show_default=True,
    help="How the shoe is set: for baccarat, or to tell every card of any game.",
)
@click.option("--repeat-characters", is_flag=True, help="In game mode, repeat a card's characters, as some units do.")
def bee_tek_command(  # one argument per option, as click has it
    *,
    pty: Path | None,
    tcp: str | None,
    control: str | None,
    decks: int,
    mode: str,
    repeat_characters: bool,
    speed: float,
    seed: int | None,
) -> None:
    """Simulate a USPC Bee-Tek shoe.

    It is switched on, and empty. Type `load`, then `draw`; `help` lists what else hands and mishaps can do to it. The
    end of standard input ends it, unless there is a --control port; Ctrl-C always does.
    """
    settings = BeeTekSettings(mode=MODES[mode], repeats_characters=repeat_characters)

    def make(wire: PtyWire | TcpWire, clock: RealClock, seed: int) -> Simulated:
        hands = bee_tek_at(wire, clock, decks, settings)
        return Simulated("Bee-Tek shoe", hands.make_ready, BeeTekControl(hands, wire, seed).execute)

    _simulate(make, Bench(pty=pty, tcp=tcp, control=control, decks=decks, speed=speed, seed=seed))


def _simulate(make: Callable[[PtyWire | TcpWire, RealClock, int], Simulated], bench: Bench) -> None:
    """Runs a shoe at the end of a line, until it is told to end."""
    pty, tcp = bench.pty, bench.tcp
    if (pty is None) == (tcp is None):
        raise Stop("name one line for the shoe", "Give --pty PATH or --tcp HOST:PORT.", Exit.USAGE)
    seed = bench.seed
    if seed is None:
        seed = random.randrange(SEEDS)  # noqa: S311  # chosen to be printed, not to be kept secret
    wire: PtyWire | TcpWire
    try:
        wire = PtyWire(pty) if pty is not None else TcpWire(*_address(tcp or "", "--tcp"))
    except OSError as error:
        name = pty if pty is not None else tcp
        raise Stop(f"{name}: {error.strerror or error}", "Choose another name or port.", Exit.USAGE) from error
    clock = RealClock(bench.speed)
    shoe = make(wire, clock, seed)
    over = threading.Event()
    with Station(clock, [wire]) as station, signals_stop(over.set):
        station.call(shoe.switch_on)

        def execute(line: str) -> str:
            return station.call(lambda: shoe.execute(line))

        where = pty if pty is not None else ":".join(map(str, wire.address)) if isinstance(wire, TcpWire) else ""
        click.echo(f"{shoe.name} at {where}, {bench.decks} decks, seed {seed}; type `help`")
        with _control_port(bench.control, execute):
            ends = bench.control is None
            threading.Thread(target=_read_lines, args=(execute, over, ends), daemon=True).start()
            # Wakes up now and then: a signal's handler runs only between two waits.
            while not over.wait(timeout=0.2):
                if station.failure is not None:
                    break


def _read_lines(execute: Callable[[str], str], over: threading.Event, ends: bool) -> None:  # noqa: FBT001  # a thread's argument
    for line in typed_lines():
        if line.strip() in QUIT:
            over.set()
            return
        answer = execute(line)
        if answer:
            click.echo(answer)
    if ends:
        over.set()


@contextlib.contextmanager
def _control_port(address: str | None, execute: Callable[[str], str]) -> Iterator[None]:
    """A TCP port that takes control lines, each answered with a line."""
    if address is None:
        yield
        return

    class Lines(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            for line in self.rfile:
                answer = execute(line.decode("utf-8", "replace"))
                self.wfile.write(f"{answer}\n".encode())

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True

    try:
        server = Server(_address(address, "--control"), Lines)
    except OSError as error:
        raise Stop(f"{address}: {error.strerror or error}", "Choose another port.", Exit.USAGE) from error
    with server:
        click.echo(f"control lines at {':'.join(map(str, server.server_address))}")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield
        finally:
            server.shutdown()


def _address(text: str, option: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not (port.isascii() and port.isdigit() and int(port) <= HIGHEST_PORT):
        raise Stop(f"{option} {text!r} is no address", "Give HOST:PORT, such as 127.0.0.1:4001.", Exit.USAGE)
    return (host if colon and host else LOCALHOST), int(port)
