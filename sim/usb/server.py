"""A USB/IP server for ``usbip attach`` of a Linux host.

USB/IP has no authentication: it listens on loopback alone.
"""

import ipaddress
import selectors
import socket
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from sim.usb import descriptors
from sim.usb.connection import UsbIpConnection
from sim.usb.device import UsbDevice
from sim.usb.usbip import Exported
from sim.usb.wire import UsbWire
from sim.wires.tcp import LOCALHOST

USBIP_PORT: Final = 3240
_BUS: Final = 1
_FULL_SPEED: Final = 2
_HIGHEST_NUMBER: Final = 0xFFFF


class UsbIpServer:
    """Serve ``wires`` under the bus ids 1-1, 1-2 …, each to one host.

    Raises:
        ValueError: ``host`` is not a loopback address.
        OSError: the port cannot be used.
    """

    def __init__(self, wires: Sequence[UsbWire], host: str = LOCALHOST, port: int = 0) -> None:
        if not ipaddress.ip_address(host).is_loopback:
            raise ValueError(
                f"{host}: USB/IP has no authentication; listen on {LOCALHOST} and tunnel it, as with ssh -L"
            )
        self._devices = {f"{_BUS}-{at}": wire.device for at, wire in enumerate(wires, 1)}
        self._numbers: dict[str, tuple[int, int]] = {}
        self._numbered = 0
        self._lent: dict[str, UsbIpConnection] = {}
        self._connections: set[UsbIpConnection] = set()
        self._listener = socket.create_server((host, port))
        self._listener.setblocking(False)  # noqa: FBT003  # the standard library's own signature
        self.address: Final[tuple[str, int]] = self._listener.getsockname()[:2]
        # An epoll or kqueue, whose own descriptor stands for all that it watches, room to send included.
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._is_open = True
        for bus_id, device in self._devices.items():
            device.watch(partial(self._cable_moved, bus_id))

    @property
    def attached(self) -> tuple[str, ...]:
        """Bus ids of the imported devices."""
        return tuple(sorted(self._lent))

    # --- as a station runs it -----------------------------------------------------------------------------------------

    def fds(self) -> Sequence[int]:
        """One descriptor for the listener and all connections."""
        return (self._selector.fileno(),) if self._is_open else ()

    def pump(self) -> None:
        """Accept, read and send."""
        if not self._is_open:
            return
        for key, events in self._selector.select(timeout=0):
            if key.fileobj is self._listener:
                self._accept()
            else:
                self._serve(key.data, events)

    def on_wake(self, wake: Callable[[], None]) -> None:
        """Never needed: ``fds`` show everything."""

    def close(self) -> None:
        """Close every connection and the port; wires stay. Idempotent."""
        if not self._is_open:
            return
        self._is_open = False
        for connection in tuple(self._connections):
            connection.close()
        self._selector.unregister(self._listener)
        self._selector.close()
        self._listener.close()

    # --- the shelf ----------------------------------------------------------------------------------------------------

    def listed(self) -> list[Exported]:
        """The plugged devices that are not lent, as in ``usbip list``."""
        return [
            self._exported(bus_id, device)
            for bus_id, device in self._devices.items()
            if device.is_plugged and bus_id not in self._lent
        ]

    def borrow(self, bus_id: str, by: UsbIpConnection) -> tuple[UsbDevice, Exported] | None:
        """Lend a device; ``None`` if another host has it."""
        device = self._devices[bus_id]
        if not device.is_plugged:
            raise KeyError(bus_id)
        if bus_id in self._lent:
            return None
        self._lent[bus_id] = by
        return device, self._exported(bus_id, device)

    def give_back(self, by: UsbIpConnection) -> None:
        self._lent = {bus_id: connection for bus_id, connection in self._lent.items() if connection is not by}
        self._connections.discard(by)
        self._selector.unregister(by.peer)

    # --- helpers ------------------------------------------------------------------------------------------------------

    def _cable_moved(self, bus_id: str) -> None:
        lent = self._lent.get(bus_id)
        if lent is not None and not self._devices[bus_id].is_plugged:
            lent.close()

    def _accept(self) -> None:
        try:
            peer, _address = self._listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return  # it gave up while it waited
        connection = UsbIpConnection(peer, self, self._watch_room)
        self._connections.add(connection)
        self._selector.register(peer, selectors.EVENT_READ, connection)

    @staticmethod
    def _serve(connection: UsbIpConnection, events: int) -> None:
        if events & selectors.EVENT_WRITE and connection.is_open:
            connection.flush()
        if events & selectors.EVENT_READ and connection.is_open:
            connection.read()

    def _watch_room(self, connection: UsbIpConnection, is_unsent: bool) -> None:  # noqa: FBT001  # one flag, by position
        if connection.is_open:
            events = selectors.EVENT_READ | (selectors.EVENT_WRITE if is_unsent else 0)
            self._selector.modify(connection.peer, events, connection)

    def _exported(self, bus_id: str, device: UsbDevice) -> Exported:
        plug_count, number = self._numbers.get(bus_id, (0, 0))
        if plug_count != device.plug_count:
            self._numbered = number = self._numbered % _HIGHEST_NUMBER + 1
            self._numbers[bus_id] = device.plug_count, number
        return Exported(
            bus_id=bus_id,
            bus=_BUS,
            number=number,
            speed=_FULL_SPEED,
            device_descriptor=device.device_descriptor,
            configuration=device.configuration,
            interfaces=tuple(
                (one[5], one[6], one[7])
                for one in descriptors.walk(device.configuration_descriptor)
                if one[1] == descriptors.INTERFACE
            ),
        )
