"""Echoing devices on a station, and a bus that leads a pyusb host to them: in this process, or over USB/IP."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import usb.core
import usb.util

from sim.clock import RealClock
from sim.station import Station
from sim.usb import UsbWire, usb_wire
from sim.usb.server import UsbIpServer
from tests.kit.usb_backend import HostBackend, SimulatedBackend
from tests.sim.usb.usbip_client import UsbIpBackend


@dataclass
class Bus:
    """The simulated bus of a test."""

    station: Station
    bulk: UsbWire
    cdc: UsbWire
    backend: HostBackend

    def find(self, serial_number: str) -> "usb.core.Device":
        """As a program does."""
        device = usb.core.find(backend=self.backend, custom_match=lambda one: one.serial_number == serial_number)
        assert device is not None
        return device

    def serial_numbers(self) -> list[str]:
        """Of all that is there."""
        return [one.serial_number for one in usb.core.find(backend=self.backend, find_all=True)]


@contextmanager
def in_process() -> Iterator[Bus]:
    """The backend of ``tests.kit.usb_backend``."""
    bulk, cdc = _wires()
    with Station(RealClock(), [bulk, cdc]) as station:
        yield Bus(station, bulk, cdc, SimulatedBackend([bulk.device, cdc.device]))


@contextmanager
def over_usbip() -> Iterator[Bus]:
    """The server, and the client of these tests."""
    bulk, cdc = _wires()
    server = UsbIpServer([bulk, cdc])
    with Station(RealClock(), [bulk, cdc, server]) as station:
        backend = UsbIpBackend(server.address)
        try:
            yield Bus(station, bulk, cdc, backend)
        finally:
            backend.close()


def _wires() -> tuple[UsbWire, UsbWire]:
    bulk, cdc = usb_wire("bulk", "SN-1", product="Shuffler"), usb_wire("cdc", "SN-2", product="Shoe")
    for wire in (bulk, cdc):
        wire.listen(wire.send)
    return bulk, cdc
