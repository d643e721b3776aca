"""A device as a host's system holds it once it is plugged in: enumerated, configured, ready for programs."""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Final, Protocol

from sim.usb import descriptors
from sim.usb.endpoints import Transfer
from sim.usb.setup import GET_DESCRIPTOR, IN, SET_ADDRESS, SET_CONFIGURATION, TO_DEVICE, Setup

_DEVICE_BYTES: Final = 18
_HEADER_BYTES: Final = 9
"""Of a configuration descriptor: what is read first, to learn how long the whole is."""

_DEVICE_FIELDS: Final = (
    "bLength bDescriptorType bcdUSB bDeviceClass bDeviceSubClass bDeviceProtocol bMaxPacketSize0 idVendor idProduct "
    "bcdDevice iManufacturer iProduct iSerialNumber bNumConfigurations"
)
_CONFIGURATION_FIELDS: Final = (
    "bLength bDescriptorType wTotalLength bNumInterfaces bConfigurationValue iConfiguration bmAttributes bMaxPower"
)
_INTERFACE_FIELDS: Final = (
    "bLength bDescriptorType bInterfaceNumber bAlternateSetting bNumEndpoints bInterfaceClass bInterfaceSubClass "
    "bInterfaceProtocol iInterface"
)
_ENDPOINT_FIELDS: Final = "bLength bDescriptorType bEndpointAddress bmAttributes wMaxPacketSize bInterval"
_LAYOUTS: Final = {
    descriptors.DEVICE: ("<BBHBBBBHHHBBBB", _DEVICE_FIELDS),
    descriptors.CONFIGURATION: ("<BBHBBBBB", _CONFIGURATION_FIELDS),
    descriptors.INTERFACE: ("<BBBBBBBBB", _INTERFACE_FIELDS),
    descriptors.ENDPOINT: ("<BBBBHB", _ENDPOINT_FIELDS),
}
"""How each descriptor is laid out (USB 2.0, 9.6), and the names of its fields, which are pyusb's too."""

Control = Callable[[Setup], bytes]


@dataclass(frozen=True, eq=False)
class Description:
    """The result of enumerating."""

    device: SimpleNamespace
    configuration: SimpleNamespace
    interfaces: tuple[SimpleNamespace, ...]
    further: tuple[tuple[SimpleNamespace, tuple[SimpleNamespace, ...]], ...] = ()


class Attached(Protocol):
    """A way to a device, from one plugging in to the next unplugging. Any thread may use it."""

    @property
    def description(self) -> Description:
        """The description that was read when it was plugged in."""

    @property
    def address(self) -> int:
        """On its bus, 1 to 127."""

    @property
    def port(self) -> int:
        """Of its hub, from 1; the same after a re-plug."""

    @property
    def is_there(self) -> bool: ...

    def control(self, setup: Setup, data: bytes) -> bytes:
        """Do a request; raises ``Stalled``, or ``Gone``."""

    def submit(self, transfer: Transfer) -> None:
        """Begin a transfer; it may end at once."""

    def cancel(self, transfer: Transfer) -> bool:
        """Give up a transfer; whether it was still under way. If not, it has its status."""

    def reset(self) -> None:
        """Reset and configure it anew; raises ``Gone``."""


def enumerated(control: Control, address: int) -> Description:
    """Give a device its address, read its descriptors, configure it."""
    control(Setup(TO_DEVICE, SET_ADDRESS, address))
    device = _fields(_read(control, descriptors.DEVICE, _DEVICE_BYTES))
    (configuration, interfaces), *further = (
        _configuration(control, index) for index in range(device.bNumConfigurations)
    )
    control(Setup(TO_DEVICE, SET_CONFIGURATION, configuration.bConfigurationValue))
    return Description(device, configuration, interfaces, tuple(further))


def _configuration(control: Control, index: int) -> tuple[SimpleNamespace, tuple[SimpleNamespace, ...]]:
    header = _fields(_read(control, descriptors.CONFIGURATION, _HEADER_BYTES, index))
    first, *rest = descriptors.walk(_read(control, descriptors.CONFIGURATION, header.wTotalLength, index))
    configuration = owner = _fields(first)
    interfaces: list[SimpleNamespace] = []
    for one in rest:
        if one[1] == descriptors.INTERFACE:
            owner = _fields(one)
            owner.endpoints = []
            interfaces.append(owner)
        elif one[1] == descriptors.ENDPOINT:
            owner = _fields(one)
            # Two bytes more that only audio's endpoints have.
            owner.bRefresh = owner.bSynchAddress = 0
            interfaces[-1].endpoints.append(owner)
        else:
            # Of a class or later than USB 2.0: it belongs to what stands before it.
            owner.extra_descriptors += one
    return configuration, tuple(interfaces)


def _read(control: Control, kind: int, length: int, index: int = 0) -> bytes:
    return control(Setup(TO_DEVICE | IN, GET_DESCRIPTOR, kind << 8 | index, 0, length))


def _fields(data: bytes) -> SimpleNamespace:
    layout, names = _LAYOUTS[data[1]]
    values = struct.unpack_from(layout, data)
    return SimpleNamespace(**dict(zip(names.split(), values, strict=True)), extra_descriptors=b"")
