"""``cardshoe ports``: connected devices and their stable names."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click
import msgspec
from msgspec import Struct

from cardshoe.cli.echo import echo
from cardshoe.table.rules.columns import columns
from drivers.errors import DriverError
from drivers.port_holders import PortHolder, holders
from drivers.port_names import PortCandidate, check_name
from drivers.usb_facts.facts import UsbFacts
from drivers.usb_facts.sysfs import SYSFS, usb_device_of, usb_devices
from firmware_bridge.families import families

SCREEN_WIDTH: Final = 80
DEVICE_WIDTH: Final = 24


class PortView(Struct, frozen=True, kw_only=True):
    """A port of this machine.

    Attributes:
        port: stable name for a configuration; ``None`` if ambiguous.
        usb: vendor and product, ``0403:6001``.
        usb_path: socket of the USB device, ``1-1.2``; ``None``: unknown.
        interfaces: all of that device, ``02:02:01``; empty: unknown.
    """

    device: str
    port: str | None
    stable_names: Sequence[str]
    description: str
    usb: str | None
    serial_number: str | None
    kind: str
    held_by: Sequence[PortHolder]
    usb_path: str | None = None
    interfaces: Sequence[str] = ()


class FamilyView(Struct, frozen=True, kw_only=True):
    """A configurable device family; ``problem`` if it cannot be used."""

    name: str
    summary: str
    problem: str | None = None


class PortsView(Struct, frozen=True, kw_only=True):
    """``cardshoe ports --json``; ``bulk_problem`` if USB bulk devices cannot be seen."""

    ports: Sequence[PortView]
    families: Sequence[FamilyView]
    bulk_problem: str | None = None


@click.command("ports")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def ports_command(*, as_json: bool) -> None:
    """List the serial ports and USB bulk devices of this machine, with the name for a table's file."""
    from drivers.discovery import list_bulk_ports, list_ports

    bulk, unseen = list_bulk_ports()
    found = PortsView(
        ports=port_views([*list_ports(), *bulk]),
        families=list(_families()),
        bulk_problem=None if unseen is None else f"{unseen.problem}. {unseen.remedy}",
    )
    echo(*([msgspec.json.encode(found)] if as_json else listing(found)))


def port_views(candidates: Sequence[PortCandidate], sysfs: Path = SYSFS) -> list[PortView]:
    there = usb_devices(sysfs)
    devices = {one.device: _usb_device(one, there, sysfs) for one in candidates}
    names = Counter(candidate.best_name() for candidate in candidates)
    return [
        PortView(
            device=one.device,
            port=one.best_name() if names[one.best_name()] == 1 and _is_stable(one.best_name()) else None,
            stable_names=one.stable_names,
            description=one.description if one.description != "n/a" else "",
            usb=None if one.vid is None or one.pid is None else f"{one.vid:04x}:{one.pid:04x}",
            serial_number=one.serial_number,
            kind=one.kind,
            held_by=holders(one.device),
            usb_path=None if (device := devices[one.device]) is None else device.path,
            interfaces=[] if device is None else [str(kind) for kind in device.kinds()],
        )
        for one in candidates
    ]


def listing(found: PortsView) -> Iterator[str]:
    widths = (min(DEVICE_WIDTH, max((len(port.device) for port in found.ports), default=0)), 9, _widest(found.ports))
    if found.ports:
        yield from columns(("DEVICE", "USB", "SERIAL NUMBER", "WHAT IT IS"), widths, indent="", width=SCREEN_WIDTH)
    for port in found.ports:
        cells = (port.device, port.usb or "-", port.serial_number or "-", port.description)
        yield from columns(cells, widths, indent="", width=SCREEN_WIDTH)
        yield from _more(port)
    if found.ports:
        yield ""
        yield "Copy a `port` line from above into a [[device]] of the table's file."
    else:
        yield "No serial ports here, and no USB devices with bulk pipes."
        yield "  An adapter should appear as soon as it is plugged in; if it does not: `dmesg | tail`."
        yield "  A serial-to-TCP box is named by its address: socket://HOST:PORT or rfc2217://HOST:PORT."
        yield "  Nothing at hand? `cardshoe sim --help` lists simulated devices; with --pty ./shoe the port is ./shoe."
    if found.bulk_problem is not None:
        yield ""
        yield f"USB devices without a serial port are not listed: {found.bulk_problem}"
    yield ""
    yield "Device families:"
    for family in found.families:
        said = family.summary if family.problem is None else f"unusable: {family.problem}"
        yield from columns((family.name, said), (11,), width=SCREEN_WIDTH)


def _more(port: PortView) -> Iterator[str]:
    if port.port is not None:
        yield f'    port = "{port.port}"'
    elif port.kind == "bulk":
        yield "    no name: another device here looks the same, and neither has a serial"
        yield "    number; unplug one"
    else:
        yield "    no stable name: another adapter here looks the same, or this one has no"
        yield "    number of its own. Give its socket a name by a udev rule (docs/drivers.md),"
        yield f'    or insist: "unstable:{port.device}"'
    if port.kind == "bulk":
        yield "    no serial port but bulk pipes"
    if port.interfaces:
        yield from _below(f"in socket {port.usb_path}, interfaces {' '.join(port.interfaces)}")
    for holder in port.held_by:
        yield from _below(f"held by {holder.command} (pid {holder.pid})")


def _widest(found: Sequence[PortView]) -> int:
    return max([len("SERIAL NUMBER"), *(min(len(port.serial_number or ""), DEVICE_WIDTH) for port in found)])


def _below(text: str) -> Iterator[str]:
    yield from columns(("", text), (2,), indent="", width=SCREEN_WIDTH)


def _usb_device(port: PortCandidate, there: Sequence[UsbFacts], sysfs: Path) -> UsbFacts | None:
    if port.kind == "bulk":
        return next((one for one in there if one.node == port.device), None)
    return usb_device_of(Path(port.device), there, sysfs)


def _is_stable(name: str) -> bool:
    try:
        check_name(name)
    except DriverError:
        return False
    return True


def _families() -> Iterator[FamilyView]:
    for name, entry in families().items():
        try:
            family = entry.load()
            family.part("make")
            yield FamilyView(name=name, summary=family.summary)
        except DriverError as error:  # a third party's broken family hides nobody else's
            yield FamilyView(name=name, summary="", problem=error.problem)
