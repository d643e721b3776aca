"""The common part of the commands of ``cardshoe sim``: options, and a device that runs until it is told to end."""

import contextlib
import json
import os
import random
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

import click

from cardshoe.cli.echo import echo
from cardshoe.cli.sim.wires import Usb, WireChoice, address, make_line, wire_options
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.signals import signals_stop
from cardshoe.table.terminal.typing_in import typed_lines
from sim.clock import RealClock
from sim.control_channel import ControlChannel, listen_on_tcp, listen_on_unix
from sim.control_desk import ControlDesk
from sim.control_lines import ControlLines
from sim.control_words import BadRequest, encode, parse, refused
from sim.station import Moved, Station
from sim.tap import TappedWire
from sim.usb.hostile import Guise
from sim.usb.wire import Kind
from sim.wires.wire import Wire

SEEDS: Final = 2**32
QUIT: Final = {"quit", "exit"}
NO_SETTINGS: Final[Mapping[str, object]] = MappingProxyType({})
UNIX: Final = "unix:"
"""Before the path of a Unix socket."""


class Simulated(NamedTuple):
    """A device that was made.

    Attributes:
        title: its name in words.
        family: what a table's configuration calls such a device.
        switch_on: switches it on.
        control: takes its control lines.
        settings: what a table's configuration must say in the device's ``settings``.
        also: further lines of it, to be run besides.
        facts: what else there is to know of it, as data.
    """

    title: str
    family: str
    switch_on: Callable[[], object]
    control: ControlLines[Any]
    settings: Mapping[str, object] = NO_SETTINGS
    also: Sequence[Moved] = ()
    facts: Mapping[str, object] = NO_SETTINGS


Make = Callable[[Wire, RealClock, int], Simulated]
"""Makes a device at the end of a wire, on a clock, from a seed."""


class Bench(NamedTuple):
    """The options that all devices have."""

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


def bench_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options that all devices have; the command gets them as one argument, ``bench``."""

    def with_bench(**given: Any) -> None:  # noqa: ANN401  # whatever options the command has
        wires = WireChoice(**{name: given.pop(name) for name in WireChoice._fields})
        own = {name: given.pop(name) for name in Bench._fields if name != "wires"}
        command(bench=Bench(wires, **own), **given)

    with_bench.__name__, with_bench.__doc__ = command.__name__, command.__doc__
    with_bench.__dict__.update(command.__dict__)  # where click has left the options of the command itself
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
    )
    wrapped: Callable[..., None] = with_bench
    for option in reversed(options):
        wrapped = option(wrapped)
    return wire_options(wrapped)


def simulate(device: str, make: Make, bench: Bench, usb_extra: Guise | None = None) -> None:
    """Runs a device at the end of a line, until it is told to end.

    Args:
        device: its name on the command line.
        make: makes it.
        bench: the options.
        usb_extra: an interface that it offers besides, where it is a USB device.

    Raises:
        Stop: the line or the control address cannot be had.
    """
    seed = bench.seed
    if seed is None:
        seed = random.randrange(SEEDS)  # noqa: S311  # chosen to be printed, not to be kept secret
    usb = Usb(bench.usb_function, bench.serial_number, product=f"cardshoe {device}", extra=usb_extra)
    line = make_line(bench.wires, usb, remote=bench.allow_remote)
    clock = RealClock(bench.speed)
    over = threading.Event()
    desks: list[ControlDesk] = []

    def passed(sender: Literal["device", "host"], data: bytes) -> None:
        for desk in desks:
            desk.bytes_passed(sender, data)

    with contextlib.ExitStack() as undone:  # the line of a device that cannot be
        for part in line.run:
            undone.callback(part.close)
        simulated = make(TappedWire(line.wire, passed), clock, seed)
        undone.pop_all()
    with Station(clock, [*line.run, *simulated.also]) as station, signals_stop(over.set), _listener(bench) as listener:
        station.call(simulated.switch_on)
        about: dict[str, object] = {
            "device": device,
            "family": simulated.family,
            "wire": line.kind,
            "port": line.port,
            **line.facts,
            "settings": dict(simulated.settings),
            **simulated.facts,
            "control": None,
            "seed": seed,
            "decks": bench.decks,
            "speed": bench.speed,
            "pid": os.getpid(),
        }
        desk = ControlDesk(simulated.control, station, clock, about, over.set)
        desks.append(desk)
        with contextlib.ExitStack() as channels:
            if listener is not None:
                about["control"] = channels.enter_context(ControlChannel(listener, desk)).address
            _greet(bench, simulated.title, line.where, about)
            ends = listener is None or bench.end_with_input
            threading.Thread(target=_read_lines, args=(desk, over, ends), daemon=True).start()
            # Wakes up now and then: a signal's handler runs only between two waits.
            while not over.wait(timeout=0.2):
                if station.failure is not None:
                    break


def _greet(bench: Bench, title: str, where: str, about: Mapping[str, object]) -> None:
    if bench.ready_json:
        echo(json.dumps(about))
        return
    echo(f"{title} at {where}, {bench.decks} decks, seed {about['seed']}; type `help`")
    if about["control"] is not None:
        echo(f"control lines at {about['control']}")


def _read_lines(desk: ControlDesk, over: threading.Event, ends: bool) -> None:  # noqa: FBT001  # a thread's argument
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
            _say(encode(request, desk.answer(request)))
    if ends:
        over.set()


def _say(line: bytes) -> None:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


@contextlib.contextmanager
def _listener(bench: Bench) -> Iterator[socket.socket | None]:
    """The socket of the control lines, if they were asked for."""
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
