"""Echoing devices on a station, and a bus that leads a pyusb host to them: in this process, or over USB/IP."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import usb.core
import usb.util

from sim.clock import RealClock
from sim.sim_thread import SimulatorThread
from sim.usb import UsbWire, usb_wire
from sim.usb.device import UsbDevice
from sim.usb.endpoints import Transfer
from sim.usb.functions import BULK_IN, BULK_OUT
from sim.usb.server import UsbIpServer
from sim.usb.setup import Setup
from tests.kit.usb_backend import HostBackend, SimulatedBackend
from tests.sim.usb.usbip_client import UsbIpBackend

BULK_DEVICE = "12 01 10 02 00 00 00 40 09 12 01 00 00 01 01 02 03 01"
BULK_CONFIGURATION = """
    09 02 27 00 01 01 00 C0 00
    09 04 00 00 03 FF 00 00 00
    07 05 01 02 40 00 00
    07 05 81 02 40 00 00
    07 05 82 03 08 00 08
"""
BOS = """
    05 0F 28 00 02
    07 10 02 00 00 00 00
    1C 10 05 00 DF 60 DD D8 89 45 C7 4C 9C D2 65 9D 9E 64 8A 9F 00 00 03 06 A2 00 20 00
"""
MICROSOFT = """
    0A 00 00 00 00 00 03 06 A2 00
    14 00 03 00 57 49 4E 55 53 42 00 00 00 00 00 00 00 00 00 00
    84 00 04 00 07 00
    2A 00 44 00 65 00 76 00 69 00 63 00 65 00 49 00 6E 00 74 00 65 00 72 00 66 00 61 00 63 00 65 00
          47 00 55 00 49 00 44 00 73 00 00 00
    50 00 7B 00 34 00 32 00 37 00 43 00 38 00 43 00 42 00 44 00 2D 00 33 00 44 00 37 00 37 00 2D 00
          34 00 46 00 42 00 42 00 2D 00 42 00 44 00 34 00 38 00 2D 00 43 00 41 00 41 00 45 00 41 00
          32 00 30 00 37 00 34 00 39 00 35 00 43 00 7D 00 00 00 00 00
"""
LONG = 4096


@dataclass
class Bus:
    """The simulated bus of a test."""

    station: SimulatorThread
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
    with SimulatorThread(RealClock(), [bulk, cdc]) as station:
        yield Bus(station, bulk, cdc, SimulatedBackend([bulk.device, cdc.device]))


@contextmanager
def over_usbip() -> Iterator[Bus]:
    """The server, and the client of these tests."""
    bulk, cdc = _wires()
    server = UsbIpServer([bulk, cdc])
    with SimulatorThread(RealClock(), [bulk, cdc, server]) as station:
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


class Host:
    """A configured device with a host that keeps the order in which its transfers end."""

    def __init__(self) -> None:
        self.wire = usb_wire("bulk", "SN-1", product="Shuffler")
        self.device: UsbDevice = self.wire.device
        self.device.control(Setup(0x00, 9, 1))
        self.ended: list[Transfer] = []

    def read(self, length: int, endpoint: int = BULK_IN) -> Transfer:
        return self._begin(Transfer(endpoint, length, self.ended.append, bytearray()))

    def write(self, data: bytes) -> Transfer:
        return self._begin(Transfer(BULK_OUT, len(data), self.ended.append, bytearray(data)))

    def _begin(self, transfer: Transfer) -> Transfer:
        self.device.submit(transfer, self.device.plug_count)
        return transfer
