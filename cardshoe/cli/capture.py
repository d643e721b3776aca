"""``cardshoe capture``: what a device says, byte for byte with times."""

import threading
from pathlib import Path
from typing import Any

import click

from cardshoe.cli.completing import ports
from cardshoe.cli.echo import echo
from cardshoe.process.exits import Exit, Stop


class Capture(click.Command):
    """``capture PORT FILE``, and ``capture show FILE``: no port is called so."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **more: Any,  # noqa: ANN401  # click's own signature
    ) -> click.Context:
        """Reads the command line, for the one or the other."""
        if args[:1] == ["show"]:
            from cardshoe.cli.capture_show import show_command

            return show_command.make_context(f"{info_name} show", args[1:], parent=parent, **more)
        return super().make_context(info_name, args, parent=parent, **more)


@click.command("capture", cls=Capture)
@click.argument("port", shell_complete=ports)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--baud", type=int, default=4800, show_default=True, help="Bits per second.")
@click.option("--bytesize", type=int, default=8, show_default=True, help="Data bits, 5 to 8.")
@click.option("--parity", default="N", show_default=True, help="N none, E even, O odd, M mark, S space.")
@click.option("--stopbits", type=float, default=1, show_default=True, help="1, 1.5 or 2.")
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="End after this time; else at Ctrl-C.")
def capture_command(
    port: str, file: Path, *, baud: int, bytesize: int, parity: str, stopbits: float, seconds: float | None
) -> None:
    """Write the raw bytes that arrive at PORT to a new FILE, with their times, until Ctrl-C.

    Nothing is sent. One line for each read: {"t_s": 0.125, "hex": "0531"}, seconds since the beginning. `cardshoe
    capture show FILE` says afterwards which byte was bad and where; it has a --help of its own.
    """
    from drivers.capture import capture, stop_at_signals
    from drivers.discovery import port_by_name
    from drivers.errors import BadPortName, BadSetting, PortLost
    from drivers.serial_port import SerialSettings

    try:
        line = SerialSettings(baud=baud, bytesize=bytesize, parity=parity.upper(), stopbits=stopbits)
        source = port_by_name(port, line, allow_unstable=True)
    except (BadPortName, BadSetting) as error:
        raise Stop(f"{error.port}: {error.problem}", error.remedy, Exit.USAGE) from error
    if file.exists():  # said before the port is opened: opening takes bytes from whoever else listens
        raise _taken(file)
    until = "Ctrl-C" if seconds is None else f"{seconds:g} s have passed, or Ctrl-C"
    stop = f"{stopbits:g}"
    echo(f"{port}, {baud} baud {bytesize}{parity.upper()}{stop}, into {file}, until {until}", err=True)
    with stop_at_signals() as stopping:
        timer = threading.Timer(seconds or 0, stopping.set)
        timer.daemon = True
        if seconds is not None:
            timer.start()
        try:
            done = capture(source, file, stopping)
        except PortLost as error:
            raise Stop(
                f"{error.port}: {error.problem}",
                f"The bytes before that are in {file}. {error.remedy}",
                Exit.DEVICE,
            ) from error
        except FileExistsError as error:
            raise _taken(file) from error
        except OSError as error:
            raise Stop(
                f"{file}: {error.strerror or error}",
                "Name a file that this user may write, on a disk with room.",
                Exit.FAILURE,
            ) from error
        finally:
            timer.cancel()
    echo(f"{file}: {done.bytes_in} bytes in {done.reads} reads, {done.duration_s:.1f} s", err=True)
    if not done.bytes_in:
        echo("  Nothing arrived: `cardshoe doctor` and docs/drivers.md say what to look at.", err=True)


def _taken(file: Path) -> Stop:
    return Stop(
        f"{file}: this file exists already",
        "Name another file: captures are evidence and are never overwritten.",
        Exit.USAGE,
    )
