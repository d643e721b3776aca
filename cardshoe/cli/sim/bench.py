"""``cardshoe sim``: a command for each kind of device."""

import contextlib
import json
import os
import random
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import click

from cardshoe.cli.echo import echo
from cardshoe.cli.sim.kinds import Simulated
from cardshoe.cli.sim.shuffle import way_to_shuffle
from cardshoe.cli.sim.wires import Usb, WireChoice, address, make_line, wire_options
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.plain_file import must_be_plain
from cardshoe.process.signals import signals_stop
from cardshoe.table.terminal.typing_in import typed_lines
from sim.clock import RealClock
from sim.control_channel import ControlChannel, listen_on_tcp, listen_on_unix
from sim.control_dispatcher import ControlDispatcher
from sim.control_words import BadRequest, encode, parse, refused
from sim.line_commands import line_commands
from sim.shuffling import IDEAL, WAYS
from sim.sim_thread import SimulatorThread
from sim.simulated import BadOrder, DeviceOrder, SimOption
from sim.usb.wire import Kind
from sim.wires.faulty import FaultyWire
from sim.wires.wrapped import TappedWire

SEEDS: Final = 2**32
QUIT: Final = {"quit", "exit"}
UNIX: Final = "unix:"


class SimulatedBench(NamedTuple):
    wires: WireChoice
    usb_function: Kind
    control: str | None
    ready_json: bool
    end_with_input: bool
    allow_remote: bool
    decks: int
    speed: float
    seed: int | None
    serial_number: str
    shuffle: str


def command_of(simulated: Simulated) -> click.Command:
    kind = simulated.kind

    def run(**given: Any) -> None:  # noqa: ANN401  # whatever options the kind has
        run_device(simulated, given)

    run.__doc__ = kind.help
    for option in reversed(kind.options):
        run = _own_option(option)(run)
    return click.command(kind.name)(bench_options(run))


def run_device(simulated: Simulated, given: dict[str, Any]) -> None:
    wires = WireChoice(**{name: given.pop(name) for name in WireChoice._fields})
    own = {name: given.pop(name) for name in SimulatedBench._fields if name != "wires"}
    _simulate(simulated, SimulatedBench(wires, **own), given)


def _plain(_: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
    if path is not None:
        try:
            must_be_plain(path)
        except OSError as error:
            raise click.BadParameter(f"{path}: {error.strerror or error}", param=parameter) from error
    return path


def _own_option(option: SimOption) -> Callable[[Callable[..., None]], Callable[..., None]]:
    if option.path:
        return click.option(
            option.name,
            type=click.Path(exists=option.exists, dir_okay=not option.exists, path_type=Path),
            callback=_plain if option.exists else None,
            help=option.help,
        )
    default, shown = option.default, option.default is not None
    if option.least is not None:
        whole = click.IntRange(min=option.least)
        return click.option(option.name, type=whole, default=default, show_default=shown, help=option.help)
    if not option.words:
        return click.option(option.name, is_flag=True, help=option.help)
    words = click.Choice(option.words)
    if option.many:
        return click.option(option.name, type=words, multiple=True, metavar="WORD", help=option.help)
    return click.option(option.name, type=words, default=default, show_default=shown, help=option.help)


def bench_options(command: Callable[..., None]) -> Callable[..., None]:
    options = (
        click.option("--control", metavar="ADDRESS", help="Accept control lines here too: HOST:PORT or unix:PATH."),
        click.option("--ready-json", is_flag=True, help="Print one JSON line when ready, with the address."),
        click.option("--end-with-input", is_flag=True, help="End when standard input ends, even with --control."),
        click.option("--allow-remote", is_flag=True, help="Listen on addresses that other machines can reach."),
        click.option("--decks", type=click.IntRange(1, 12), default=8, show_default=True, help="Decks of cards."),
        click.option(
            "--speed", type=click.FloatRange(0.1, 1000), default=1.0, show_default=True, help="Speed; 1 is real time."
        ),
        click.option("--seed", type=click.IntRange(min=0), help="The seed of the shuffles."),
        click.option(
            "--serial-number",
            default="SIM-0001",
            show_default=True,
            help="The serial number that the device or USB reports.",
        ),
        click.option(
            "--shuffle",
            metavar="WAY",
            default=IDEAL,
            show_default=True,
            help=f"How hands or device shuffle: {', '.join(WAYS)}, with any number.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return wire_options(command)


def _simulate(simulated: Simulated, bench: SimulatedBench, values: Mapping[str, Any]) -> None:
    kind, seed = simulated.kind, bench.seed
    way = way_to_shuffle(bench.shuffle, kind.equipment)
    if seed is None:
        seed = random.randrange(SEEDS)  # noqa: S311  # chosen to be printed, not to be kept secret
    serial_number, extra = kind.usb(bench.serial_number, values)
    usb = Usb(bench.usb_function, serial_number, product=f"cardshoe {kind.name}", extra=extra)
    line = make_line(bench.wires, usb, remote=bench.allow_remote)
    clock = RealClock(bench.speed)
    over = threading.Event()
    desks: list[ControlDispatcher] = []

    def passed(sender: Literal["device", "host"], data: bytes) -> None:
        for desk in desks:
            desk.bytes_passed(sender, data)

    with contextlib.ExitStack() as undone:  # the line of a device that cannot be
        for part in line.run:
            undone.callback(part.close)
        wire = FaultyWire(TappedWire(line.wire, passed), clock)
        try:
            made = kind.make(DeviceOrder(wire, clock, bench.decks, seed, bench.serial_number, values))
        except BadOrder as error:
            raise Stop(error.problem, error.remedy, Exit.USAGE) from error
        made.control.include(line_commands(wire))
        made.hands.shuffle_by(way)
        undone.pop_all()
    with (
        SimulatorThread(clock, [*line.run, *made.also]) as station,
        signals_stop(over.set),
        _listener(bench) as listener,
    ):
        station.call(made.hands.make_ready)
        about: dict[str, object] = {
            "device": kind.name,
            "family": simulated.family.name,
            "wire": line.kind,
            "port": line.port,
            **line.facts,
            "settings": dict(made.settings),
            **made.facts,
            "control": None,
            "seed": seed,
            "decks": bench.decks,
            "speed": bench.speed,
            "pid": os.getpid(),
        }
        desk = ControlDispatcher(made.control, station, clock, about, over.set)
        desks.append(desk)
        with contextlib.ExitStack() as channels:
            if listener is not None:
                about["control"] = channels.enter_context(ControlChannel(listener, desk)).address
            _greet(bench, kind.title, line.where, about)
            ends = listener is None or bench.end_with_input
            threading.Thread(target=_read_lines, args=(desk, over, ends), daemon=True).start()
            # Wakes up now and then: a signal's handler runs only between two waits.
            while not over.wait(timeout=0.2):
                if station.failure is not None:
                    break


def _greet(bench: SimulatedBench, title: str, where: str, about: Mapping[str, object]) -> None:
    if bench.ready_json:
        echo(json.dumps(about))
        return
    echo(f"{title} at {where}, {bench.decks} decks, seed {about['seed']}; type `help`")
    if about["control"] is not None:
        echo(f"control lines at {about['control']}")


def _read_lines(desk: ControlDispatcher, over: threading.Event, ends: bool) -> None:  # noqa: FBT001  # a thread's argument
    for line in typed_lines(lambda text: echo(text, err=True)):
        if line.strip() in QUIT:
            over.set()
            return
        try:
            request = parse(line.encode())
        except BadRequest as bad:
            _say(refused(bad))
            continue
        if request is not None:
            _say(encode(request, desk.execute(request)))
    if ends:
        over.set()


def _say(line: bytes) -> None:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


@contextlib.contextmanager
def _listener(bench: SimulatedBench) -> Iterator[socket.socket | None]:
    text = bench.control
    if text is None:
        yield None
        return
    try:
        if text.startswith(UNIX):
            listener = listen_on_unix(Path(text.removeprefix(UNIX)))
        else:
            listener = listen_on_tcp(*address(text, "--control", remote=bench.allow_remote))
    except OSError as error:
        raise Stop(f"{text}: {error.strerror or error}", "Choose another port or name.", Exit.USAGE) from error
    with listener:
        yield listener
