"""``cardshoe conformance``: does a device do what its protocol page says?"""

import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardshoe.cli.answer import JSON
from cardshoe.cli.completing import families, ports
from cardshoe.cli.echo import echo
from cardshoe.cli.families import FamilyName
from cardshoe.process.exits import Exit, Stop

if TYPE_CHECKING:
    from cardshoe.cli.conforming import Stand
    from cardshoe.cli.sim.virtual import VirtualDevice
    from conformance.operator import Operator
    from conformance.runner import Suite
    from firmware_bridge.families import Family
    from firmware_bridge.trust.keys import NamedKey

HIGHEST_PORT = 65535
UNIX = "unix:"


@click.command("conformance")
@click.argument("port", required=False, shell_complete=ports)
@click.option(
    "--family",
    type=FamilyName(),
    shell_complete=families,
    help="The family of the device; --simulate knows it.",
)
@click.option(
    "--simulate",
    metavar='"KIND …"',
    help="Check a simulated device in virtual time, in seconds: a kind of `cardshoe sim` with its options.",
)
@click.option("--control", metavar="ADDRESS", help="Move a simulated device: HOST:PORT or unix:PATH of its channel.")
@click.option("--start", metavar="COMMAND", help="Start a simulated device and move it by its standard input.")
@click.option("--ask", is_flag=True, help="Ask the person at this terminal to move the device.")
@click.option("--only", multiple=True, metavar="NAME", help="Try this check, or this group of checks; may be repeated.")
@click.option("--list", "as_list", is_flag=True, help="List the checks, and try none.")
@click.option("--junit", type=click.Path(path_type=Path, dir_okay=False), help="Write JUnit XML to this file.")
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Write a page to this file.")
@click.option(
    "--failed-first",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Begin with the checks that failed in this earlier JUnit XML.",
)
@click.option(
    "--history",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Keep the report here as JSON, and compare it with the last one of this device.",
)
@click.option(
    "--resume",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Continue the interrupted run of this file of a --history: what was tried there is not tried again.",
)
@click.option(
    "--sign",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="KEY",
    help="Sign the reports with this key (`cardshoe trust key`): each gets a file .sig beside it.",
)
@click.option(
    "--passphrase-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The key's passphrase; asked for without.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The seed of all random choices."
)
@click.option(
    "--note",
    "notes",
    multiple=True,
    metavar="KEY=VALUE",
    help="A line of the reports, such as adapter=FTDI, serial=…, stand=…, operator=…; may be repeated.",
)
@JSON
@click.option("--setting", multiple=True, metavar="KEY=VALUE", help="A setting of the family, such as baud=9600.")
def conformance_command(  # noqa: PLR0913  one argument per option, as click has it
    port: str | None,
    *,
    family: "Family | None",
    simulate: str | None,
    control: str | None,
    start: str | None,
    ask: bool,
    only: tuple[str, ...],
    as_list: bool,
    junit: Path | None,
    html: Path | None,
    failed_first: Path | None,
    history: Path | None,
    resume: Path | None,
    sign: Path | None,
    passphrase_file: Path | None,
    seed: int,
    setting: tuple[str, ...],
    notes: tuple[str, ...],
    as_json: bool,
) -> None:
    """Check the device at PORT against the protocol page of its family; it is written to, and cards are drawn.

    No table may have the port meanwhile. Checks that need a hand at the device are skipped unless --control, --start or
    --ask says who moves it. PORT may be left out with --start, if the device says where it is, and has no meaning with
    --simulate.
    """
    from cardshoe.cli.conforming import (
        Order,
        earlier_runs,
        interrupted_run,
        keep_report,
        print_checks,
        run_checks,
        sign_reports,
        sum_up,
        write_reports,
    )
    from conformance.history import compared, continued
    from conformance.runner import Suite, unknown_names

    if sum((simulate is not None, control is not None, start is not None, ask)) > 1:
        problem = "--simulate, --control, --start and --ask exclude each other"
        raise Stop(problem, "Name one way to move the device.", Exit.USAGE)
    device = None if simulate is None else _simulated(simulate, family, port)
    chosen_family = family if device is None else device.family
    if chosen_family is None:
        raise Stop("which family has the device?", "Name it: --family.", Exit.USAGE)
    found: Suite[Any] = chosen_family.part("suite", Suite)
    unknown = unknown_names(found, only)
    if unknown:
        raise Stop(f"--only {unknown[0]}: there is no such check", "`--list` shows names and groups.", Exit.USAGE)
    if as_list:
        print_checks(found, only, as_json=as_json)
        return
    _check_reports(junit, html, sign)
    first = _failed(failed_first)
    signer = None if sign is None else _signer(sign, passphrase_file)
    before = None if resume is None else interrupted_run(resume, found.family)
    earlier = [] if history is None else earlier_runs(history, found.family)
    order, own = Order(only, first, before.results if before is not None else ()), _pairs("--setting", setting)
    told = {key: str(value) for key, value in _pairs("--note", notes).items()}
    at_port = partial(_at_port, found, port, partial(_helper, control, start, ask=ask))
    with at_port(own, seed) if device is None else _virtual(device, own, seed) as stand:
        report = run_checks(found, stand, order, seed, notes=told, as_json=as_json)
    if signer is not None:
        report = replace(report, signer=signer.name)
    report = compared(report if before is None else continued(before, report), earlier)
    write_reports(report, junit, html)
    if history is not None:
        keep_report(report, history)
    if signer is not None:
        sign_reports(signer, [path for path in (junit, html) if path is not None])
    sum_up(report, as_json=as_json)


def _check_reports(junit: Path | None, html: Path | None, sign: Path | None) -> None:
    for path in (junit, html):
        if path is not None and not path.absolute().parent.is_dir():
            raise Stop(f"{path}: this folder does not exist", "Name a file in an existing folder.", Exit.USAGE)
        if path is not None and path.exists():
            raise Stop(f"{path}: this file exists already", "Name another: reports are kept.", Exit.USAGE)
    if sign is not None and junit is None and html is None:
        raise Stop("--sign has nothing to sign", "Write a report: --junit FILE, --html FILE.", Exit.USAGE)


def _simulated(text: str, family: "Family | None", port: str | None) -> "VirtualDevice":
    from cardshoe.cli.sim.virtual import ordered

    if port is not None:
        raise Stop(f"{port}: a device in virtual time has no port", "Leave the port or --simulate out.", Exit.USAGE)
    device = ordered(text)
    if family is not None and family != device.family:
        what = f"--simulate {text} is a device of the family {device.family.name}, not {family.name}"
        raise Stop(what, "Leave --family out.", Exit.USAGE)
    return device


@contextlib.contextmanager
def _virtual(device: "VirtualDevice", settings: Mapping[str, object], seed: int) -> "Iterator[Stand]":
    from cardshoe.cli.conforming import Stand
    from cardshoe.cli.sim.virtual import bench_of

    yield Stand("virtual", bench_of(device.far, seed), {**device.settings, **settings})


@contextlib.contextmanager
def _at_port(
    found: "Suite[Any]",
    port: str | None,
    make_helper: "Callable[[], Operator]",
    settings: Mapping[str, object],
    seed: int,
) -> "Iterator[Stand]":
    from cardshoe.cli.conforming import Stand
    from conformance.bench import Bench
    from conformance.channels import ProcessOperator
    from drivers.discovery import port_maker

    with contextlib.closing(make_helper()) as helper:
        if isinstance(helper, ProcessOperator):
            port, settings = port or helper.port, {**helper.settings, **settings}
        if not port:
            remedy = "Name it as in a configuration; `cardshoe ports` lists what is there."
            raise Stop("which port?", remedy, Exit.USAGE)
        yield Stand(
            port, Bench(port_maker(port, found.line(settings), allow_unstable=True), helper, seed=seed), settings
        )


def _failed(path: Path | None) -> set[str]:
    from conformance.junit import failed_in

    if path is None:
        return set()
    try:
        return failed_in(path)
    except (OSError, ValueError) as error:
        raise Stop(f"--failed-first: {error}", "Name the JUnit XML of an earlier run.", Exit.USAGE) from error


def _signer(key: Path, passphrase_file: Path | None) -> "NamedKey":
    from cardshoe.cli.trust.common import person

    return person(key, passphrase_file)


def _helper(control: str | None, start: str | None, *, ask: bool) -> "Operator":
    from conformance.channels import ControlChannelOperator, ProcessOperator
    from conformance.operator import NoOperator, TerminalOperator

    if control is not None:
        return ControlChannelOperator(_address(control))
    if start is not None:
        return ProcessOperator(start)
    return TerminalOperator(lambda text: echo(*text.split("\n"), err=True), _typed) if ask else NoOperator()


def _typed() -> str | None:
    line = sys.stdin.readline()
    return line.rstrip("\n") if line else None


def _address(text: str) -> tuple[str, int] | str:
    if text.startswith(UNIX):
        return text.removeprefix(UNIX)
    host, colon, port = text.rpartition(":")
    if not (colon and host and port.isascii() and port.isdigit() and int(port) <= HIGHEST_PORT):
        raise Stop(f"--control {text!r} is not an address", "Give HOST:PORT or unix:PATH.", Exit.USAGE)
    return host, int(port)


def _pairs(option: str, given: Sequence[str]) -> dict[str, object]:
    settings: dict[str, object] = {}
    for one in given:
        key, sign, value = one.partition("=")
        if not (sign and key):
            raise Stop(f"{option} {one!r} is not of the form KEY=VALUE", "Write it such as baud=9600.", Exit.USAGE)
        settings[key] = int(value) if value.isascii() and value.isdigit() else value
    return settings
