"""The wire options of ``cardshoe sim``, and their wires."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple, get_args

import click

from cardshoe.cli.address import LOCALHOST, host_and_port, is_loopback
from cardshoe.process.exits import Exit, Stop
from sim.rfc2217 import Rfc2217Wire
from sim.sim_thread import PumpedLine
from sim.usb.device import VENDOR_ID
from sim.usb.functions import BulkFunction, CdcFunction
from sim.usb.hostile import ExtraInterface
from sim.usb.server import UsbIpServer
from sim.usb.wire import Kind, usb_wire
from sim.wires.pty import PtyWire
from sim.wires.tcp import TcpWire
from sim.wires.wire import Wire

BUS_ID: Final = "1-1"
NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class WireChoice(NamedTuple):
    pty: Path | None
    tcp: str | None
    rfc2217: str | None
    usbip: str | None


class Usb(NamedTuple):
    function: Kind
    serial_number: str
    product: str
    extra: ExtraInterface | None = None


class ServedWire(NamedTuple):
    wire: Wire
    run: Sequence[PumpedLine]
    kind: str
    where: str
    port: str
    facts: Mapping[str, str] = NOTHING


def wire_options(command: Callable[..., None]) -> Callable[..., None]:
    options = (
        click.option(
            "--pty", type=click.Path(path_type=Path), help="Put the device behind a pseudo-terminal of this name."
        ),
        click.option("--tcp", metavar="HOST:PORT", help="Put it behind a TCP socket (raw, as a serial-to-TCP box)."),
        click.option("--rfc2217", metavar="HOST:PORT", help="Put it behind a serial-to-TCP box that speaks RFC 2217."),
        click.option("--usbip", metavar="HOST:PORT", help="Make it a USB device, to be attached with usbip."),
        click.option(
            "--usb-function",
            type=click.Choice(get_args(Kind)),
            default="bulk",
            show_default=True,
            help="The kind of USB device: a class of its own, or a serial port.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def make_line(choice: WireChoice, usb: Usb, *, remote: bool) -> ServedWire:
    given = [(kind, value) for kind, value in zip(choice._fields, choice, strict=True) if value is not None]
    if len(given) != 1:
        raise Stop(
            "name one line for the device",
            "Give --pty PATH or --tcp HOST:PORT, or --rfc2217 or --usbip with one.",
            Exit.USAGE,
        )
    kind, value = given[0]
    try:
        if choice.pty is not None:
            return _pty(choice.pty)
        host, port = address(str(value), f"--{kind}", remote=remote)
        if choice.tcp is not None:
            return _tcp(host, port)
        return _rfc2217(host, port) if choice.rfc2217 is not None else _usbip(host, port, usb)
    except OSError as error:
        raise Stop(f"{value}: {error.strerror or error}", "Choose another name or port.", Exit.USAGE) from error


def _pty(path: Path) -> ServedWire:
    wire = PtyWire(path)
    return ServedWire(wire, [wire], "pty", str(path), str(path.absolute()))


def _tcp(host: str, port: int) -> ServedWire:
    wire = TcpWire(host, port)
    where = _text(wire.address)
    return ServedWire(wire, [wire], "tcp", where, f"socket://{where}")


def _rfc2217(host: str, port: int) -> ServedWire:
    wire = Rfc2217Wire(host, port)
    where = _text(wire.address)
    return ServedWire(wire, [wire], "rfc2217", where, f"rfc2217://{where}")


def _usbip(host: str, port: int, usb: Usb) -> ServedWire:
    try:
        wire = usb_wire(usb.function, usb.serial_number, product=usb.product, extra=usb.extra)
        server = UsbIpServer([wire], host, port)
    except ValueError as error:
        raise Stop(f"--usbip: {error}", "Give 127.0.0.1 and a port.", Exit.USAGE) from error
    prefix = "bulk" if usb.function == "bulk" else "usb"
    product_id = (BulkFunction if usb.function == "bulk" else CdcFunction).product_id
    name = f"{prefix}:{VENDOR_ID:04x}:{product_id:04x}:{usb.serial_number}"
    where = _text(server.address)
    facts = {"usbip": where, "bus_id": BUS_ID}
    return ServedWire(wire, [wire, server], "usbip", f"{where}, bus id {BUS_ID}", name, facts)


def _text(address: tuple[str, int]) -> str:
    return ":".join(map(str, address))


def address(text: str, option: str, *, remote: bool) -> tuple[str, int]:
    host, port = host_and_port(text, option)
    if not remote and not is_loopback(host):
        raise Stop(
            f"{option} {text!r}: other machines could reach it, and it asks for no password",
            f"Give {LOCALHOST}:{port}, or insist with --allow-remote.",
            Exit.USAGE,
        )
    return host, port
