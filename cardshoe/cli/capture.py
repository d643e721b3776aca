"""``cardshoe capture``: the timed bytes of a line, from one or both ends."""

import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cardshoe.cli.completing import ports
from cardshoe.cli.echo import echo
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.plain_file import read_plain
from cardshoe.table.terminal.typing_in import typed_lines

if TYPE_CHECKING:
    from drivers.capture import CaptureSink
    from drivers.port import Port
    from drivers.serial_port import SerialSettings

TABLES: Final = Path("/etc/cardshoe")
_AT_A_TABLE: Final = "Connect the device to a bench, or take it out of the table's file."


class Capture(click.Command):
    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **more: Any,  # noqa: ANN401  # click's own signature
    ) -> click.Context:
        if args[:1] == ["show"]:
            from cardshoe.cli.capture_show import show_command

            return show_command.make_context(f"{info_name} show", args[1:], parent=parent, **more)
        if args[:1] == ["test"]:
            from cardshoe.cli.capture_test import test_command

            return test_command.make_context(f"{info_name} test", args[1:], parent=parent, **more)
        return super().make_context(info_name, args, parent=parent, **more)


@click.command("capture", cls=Capture)
@click.argument("port", shell_complete=ports)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--baud", type=int, default=4800, show_default=True, help="Bits per second.")
@click.option("--bytesize", type=int, default=8, show_default=True, help="Data bits, 5 to 8.")
@click.option("--parity", default="N", show_default=True, help="N none, E even, O odd, M mark, S space.")
@click.option("--stopbits", type=float, default=1, show_default=True, help="1, 1.5 or 2.")
@click.option("--host", metavar="PORT", help="Sit between the device and the host at this port, and record both.")
@click.option(
    "--tables",
    type=click.Path(file_okay=False, path_type=Path),
    default=TABLES,
    show_default=True,
    help="Refuse the ports of the tables in this folder.",
)
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="End after this time; else at Ctrl-C.")
def capture_command(
    port: str,
    file: Path,
    *,
    host: str | None,
    tables: Path,
    seconds: float | None,
    **line: Any,  # noqa: ANN401  # the settings of the line
) -> None:
    """Write the raw bytes that arrive at PORT to a new FILE, with their times, until Ctrl-C.

    Nothing is sent, except what --host passes on. A line that you type becomes a mark. `cardshoe capture show FILE`
    reports bad bytes, `cardshoe capture test FILE` prints a test, `cardshoe sim replay FILE` is the device again. FILE
    holds cards; only you can read it.
    """
    from drivers.capture import capture
    from drivers.discovery import port_by_name
    from drivers.errors import BadPortName, BadSetting
    from drivers.serial_port import SerialSettings

    try:
        settings = SerialSettings(**{**line, "parity": line["parity"].upper()})
        source = port_by_name(port, settings, allow_unstable=True)
        other = None if host is None else port_by_name(host, settings, allow_unstable=True)
    except (BadPortName, BadSetting) as error:
        raise Stop(f"{error.port}: {error.problem}", error.remedy, Exit.USAGE) from error
    if file.exists():  # said before the port is opened: opening takes bytes from whoever else listens
        raise _taken(file)
    for end in [source] if other is None else [source, other]:
        _refuse_port_of_a_table(end.name, tables)
    until = "Ctrl-C" if seconds is None else f"{seconds:g} s have passed, or Ctrl-C"
    form = f"{settings.bytesize}{settings.parity}{settings.stopbits:g}"
    echo(f"{port}, {settings.baud} baud {form}, into {file}, until {until}", err=True)
    with _stopping_after(seconds) as stopping, _errors_of(file):
        done = capture(
            source,
            file,
            stopping,
            head=_head(source, other, settings),
            host=other,
            started=lambda sink: threading.Thread(target=_take_marks, args=(sink, stopping), daemon=True).start(),
        )
    echo(f"{file}: {done.bytes_in} bytes in {done.reads} reads, {done.duration_s:.1f} s", err=True)
    if not done.bytes_in:
        echo("  Nothing arrived: `cardshoe doctor` and docs/drivers.md say what to look at.", err=True)


def _head(source: "Port", host: "Port | None", line: "SerialSettings") -> dict[str, object]:
    return {
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "port": source.name,
        "host": None if host is None else host.name,
        "baud": line.baud,
        "bytesize": line.bytesize,
        "parity": line.parity,
        "stopbits": line.stopbits,
    }


def _take_marks(sink: "CaptureSink", stopping: threading.Event) -> None:
    for typed in typed_lines(lambda text: echo(text, err=True)):
        if typed.strip() and not stopping.is_set():
            sink.mark(typed.strip())


@contextmanager
def _stopping_after(seconds: float | None) -> Iterator[threading.Event]:
    from drivers.capture import stop_at_signals

    with stop_at_signals() as stopping:
        timer = threading.Timer(seconds or 0, stopping.set)
        timer.daemon = True
        if seconds is not None:
            timer.start()
        try:
            yield stopping
        finally:
            timer.cancel()


@contextmanager
def _errors_of(file: Path) -> Iterator[None]:
    from drivers.errors import PortLost

    try:
        yield
    except PortLost as error:
        remedy = f"The bytes before that are in {file}. {error.remedy}"
        raise Stop(f"{error.port}: {error.problem}", remedy, Exit.DEVICE) from error
    except FileExistsError as error:
        raise _taken(file) from error
    except OSError as error:
        what = f"{file}: {error.strerror or error}"
        raise Stop(what, "Name a file that this user may write, on a disk with room.", Exit.FAILURE) from error


def _refuse_port_of_a_table(port: str, tables: Path) -> None:
    where = Path(port).resolve()
    for table in sorted(tables.glob("*.toml")):
        try:
            configured = [str(device["port"]) for device in tomllib.loads(read_plain(table).decode())["device"]]
        except (OSError, ValueError, LookupError, TypeError):
            continue  # `cardshoe config check` names what is wrong in it
        if any(port == name or where == Path(name).resolve() for name in configured):
            raise Stop(f"{port}: it is the port of the table {table}", _AT_A_TABLE, Exit.USAGE)


def _taken(file: Path) -> Stop:
    return Stop(
        f"{file}: this file exists already",
        "Name another file: captures are evidence and are never overwritten.",
        Exit.USAGE,
    )
