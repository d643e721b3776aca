"""Which USB devices have bulk pipes, and which of them a ``bulk:`` name means."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import usb.core
import usb.util

from drivers.adapters import ADAPTERS
from drivers.errors import PortUnusable
from drivers.port_names import PortCandidate, usb_match, usb_pattern
from drivers.usb_errors import USB_ERRORS, usb_open_failure
from drivers.usb_port.backend import Backend, Device, libusb

VENDOR_CLASS: Final = 0xFF

_PACKET_BITS: Final = 0x7FF

_SYSFS: Final = Path("/sys/bus/usb/devices")


@dataclass(frozen=True, slots=True)
class Pipes:
    configuration: int
    interface: int
    alternate: int
    out_of: int
    out_packet: int
    into: int
    in_packet: int


@dataclass(frozen=True, slots=True)
class BulkDevice:
    candidate: PortCandidate
    device: Device
    pipes: Pipes
    refusal: Exception | None


def list_bulk_devices(backend: Backend = None) -> list[PortCandidate]:
    """Those that a ``bulk:`` name can mean; no permission is needed.

    Raises:
        PortUnusable: libusb refuses.
    """
    found = _devices("USB", backend or libusb("USB"))
    for one in found:
        dispose(one.device)
    return [one.candidate for one in found]


def find(name: str, backend: Backend) -> BulkDevice:
    """The one device that a ``bulk:`` name means.

    Raises:
        PortMissing: none matches.
        PortAmbiguous: more than one matches.
        PortForbidden: a serial number may not be read.
        PortUnusable: libusb refuses.
    """
    found = _devices(name, backend)
    chosen = None
    try:
        chosen = _chosen(name, found)
    finally:
        for one in found:
            if one is not chosen:
                dispose(one.device)
    return chosen


def _chosen(name: str, found: Sequence[BulkDevice]) -> BulkDevice:
    pattern = usb_pattern(name)
    if not any(pattern.fits(one.candidate) for one in found):
        for one in found:  # it may be the one, and may not be asked: that is the thing to say
            if one.refusal is not None and (one.candidate.vid, one.candidate.pid) == (pattern.vid, pattern.pid):
                raise usb_open_failure(name, one.candidate, one.refusal) from one.refusal
    match = usb_match(name, [one.candidate for one in found])
    return next(one for one in found if one.candidate is match)


def _devices(name: str, backend: Backend) -> list[BulkDevice]:
    return list(_with_pipes(all_devices(name, backend)))


def all_devices(name: str, backend: Backend) -> Iterator[Device]:
    try:
        return iter(list(usb.core.find(find_all=True, backend=backend)))
    except USB_ERRORS as error:
        raise PortUnusable(
            name,
            f"USB devices cannot be listed: {error}",
            "Check that /dev/bus/usb is there: in a container it has to be passed in.",
        ) from error


def _with_pipes(devices: Iterator[Device]) -> Iterator[BulkDevice]:
    for device in devices:
        pipes = None
        with contextlib.suppress(*USB_ERRORS):  # unplugged in this moment, or its descriptors make no sense
            pipes = _pipes_of(device)
        if pipes is None or (device.idVendor, device.idProduct) in ADAPTERS:
            dispose(device)
            continue
        serial_number, product, refusal = _strings_of(device)
        candidate = PortCandidate(
            device=f"/dev/bus/usb/{device.bus or 0:03d}/{device.address or 0:03d}",
            description=product or "",
            vid=device.idVendor,
            pid=device.idProduct,
            serial_number=serial_number,
            kind="bulk",
        )
        yield BulkDevice(candidate, device, pipes, refusal)


def _pipes_of(device: Device) -> Pipes | None:
    for configuration in device:
        for interface in configuration:
            if interface.bInterfaceClass != VENDOR_CLASS:
                continue
            into, out_of = None, None
            for endpoint in interface:
                is_bulk = usb.util.endpoint_type(endpoint.bmAttributes) == usb.util.ENDPOINT_TYPE_BULK
                if not is_bulk or not endpoint.wMaxPacketSize & _PACKET_BITS:
                    continue
                if usb.util.endpoint_direction(endpoint.bEndpointAddress) == usb.util.ENDPOINT_IN:
                    into = into or endpoint
                else:
                    out_of = out_of or endpoint
            if into is not None and out_of is not None:
                return Pipes(
                    configuration=configuration.bConfigurationValue,
                    interface=interface.bInterfaceNumber,
                    alternate=interface.bAlternateSetting,
                    out_of=out_of.bEndpointAddress,
                    out_packet=out_of.wMaxPacketSize & _PACKET_BITS,
                    into=into.bEndpointAddress,
                    in_packet=into.wMaxPacketSize & _PACKET_BITS,
                )
    return None


def _strings_of(device: Device) -> tuple[str | None, str | None, Exception | None]:
    told = _sysfs_strings(device)
    if told is not None:
        return *told, None
    try:
        return device.serial_number, device.product, None
    except ValueError:  # pyusb's way to say that the list of languages could not be read, and not why
        try:
            device.get_active_configuration()
        except USB_ERRORS as error:
            return None, None, error
        return None, None, None
    except USB_ERRORS as error:
        return None, None, error


def _sysfs_strings(device: Device) -> tuple[str | None, str | None] | None:
    if not device.port_numbers or device.bus is None:
        return None
    folder = _SYSFS / f"{device.bus}-{'.'.join(str(number) for number in device.port_numbers)}"
    numbers = [_line_of(folder / name) for name in ("idVendor", "idProduct", "devnum")]
    if numbers != [f"{device.idVendor:04x}", f"{device.idProduct:04x}", str(device.address)]:
        return None
    return _line_of(folder / "serial"), _line_of(folder / "product")


def _line_of(file: Path) -> str | None:
    try:
        return file.read_text(errors="replace").rstrip("\n")
    except OSError:
        return None


def dispose(device: Device) -> None:
    with contextlib.suppress(*USB_ERRORS):
        usb.util.dispose_resources(device)
