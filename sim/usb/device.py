"""A USB device without a bus: control requests, transfers, plugging.

Thread-safe; no call waits.
"""

import errno
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from sim.usb import descriptors
from sim.usb.endpoints import Endpoint, Transfer
from sim.usb.functions import PACKET_BYTES, Function
from sim.usb.setup import (
    CLEAR_FEATURE,
    ENDPOINT_HALT,
    GET_CONFIGURATION,
    GET_DESCRIPTOR,
    GET_INTERFACE,
    GET_STATUS,
    IN,
    SET_ADDRESS,
    SET_CONFIGURATION,
    SET_FEATURE,
    SET_INTERFACE,
    TO_DEVICE,
    TO_ENDPOINT,
    TO_INTERFACE,
    Setup,
    Stalled,
)

VENDOR_ID: Final = 0x1209
"""pid.codes: products 0001 to 0010 are for tests; a device for sale needs its own."""
MANUFACTURER: Final = "cardshoe simulator"
RELEASE: Final = 0x0100
_HIGHEST_ADDRESS: Final = 127
_SELF_POWERED: Final = b"\x01\x00"
_HALTED: Final = b"\x01\x00"
_NO_STATUS: Final = b"\x00\x00"


class DeviceDetached(Exception):
    def __init__(self, serial_number: str) -> None:
        super().__init__(f"the simulated USB device {serial_number} is unplugged; replug it and find it again")
        self.serial_number = serial_number


class UsbDevice:
    def __init__(self, function: Function, *, serial_number: str, product: str) -> None:
        self.function: Final = function
        self.serial_number: Final = serial_number
        self.product: Final = product
        self._describe()
        self._strings: Final[Sequence[bytes]] = (
            descriptors.languages(),
            descriptors.string(MANUFACTURER),
            descriptors.string(product),
            *((descriptors.string(serial_number),) if serial_number else ()),
        )
        self.lock: Final = threading.RLock()
        """Held while the device changes; never wait while holding it."""
        self.plug_count = 1
        """A host that knew an earlier count must find the device again."""
        self.is_plugged = True
        self.configuration = 0
        self.address = 0
        self._unsent_bytes = 0
        self.on_received: Callable[[], None] = lambda: None
        """Called from any thread, without the lock, when bytes arrived."""
        self._watchers: list[Callable[[], None]] = []
        self._requests: Final[Mapping[tuple[int, int], Callable[[Setup], bytes]]] = {
            (TO_DEVICE | IN, GET_STATUS): lambda _setup: _SELF_POWERED,
            (TO_DEVICE, SET_ADDRESS): self._set_address,
            (TO_DEVICE | IN, GET_DESCRIPTOR): self._get_descriptor,
            (TO_DEVICE | IN, GET_CONFIGURATION): lambda _setup: bytes([self.configuration]),
            (TO_DEVICE, SET_CONFIGURATION): self._set_configuration,
            (TO_INTERFACE | IN, GET_STATUS): self._interface_status,
            (TO_INTERFACE | IN, GET_INTERFACE): self._get_interface,
            (TO_INTERFACE, SET_INTERFACE): self._set_interface,
            (TO_ENDPOINT | IN, GET_STATUS): self._endpoint_status,
            (TO_ENDPOINT, CLEAR_FEATURE): self._clear_halt,
            (TO_ENDPOINT, SET_FEATURE): self._set_halt,
        }

    def _describe(self) -> None:
        function = self.function
        further = function.further_configurations()
        self.device_descriptor = descriptors.device(
            function.device_class,
            VENDOR_ID,
            function.product_id,
            RELEASE,
            PACKET_BYTES,
            has_bos=bool(function.bos()),
            has_serial_number=bool(self.serial_number),
            configurations=1 + len(further),
        )
        self.configuration_descriptor = descriptors.configuration(function.interfaces(), function.interface_count)
        self.configuration_descriptors: Sequence[bytes] = (self.configuration_descriptor, *further)
        self._endpoints_of = _endpoints_of(self.configuration_descriptor)

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call ``watcher`` after each plugging and unplugging, on its thread, without the lock."""
        self._watchers.append(watcher)

    # --- the cable ----------------------------------------------------------------------------------------------------

    def unplug(self) -> None:
        """Pull the cable: transfers under way end with ENODEV. Idempotent."""
        with self.lock:
            if not self.is_plugged:
                return
            self.is_plugged = False
            self._forget(errno.ENODEV)
        for watcher in self._watchers:
            watcher()

    def plug(self) -> None:
        """Put the cable in; hosts see a new device. Idempotent."""
        with self.lock:
            if self.is_plugged:
                return
            self._describe()
            self.is_plugged = True
            self.plug_count += 1
        for watcher in self._watchers:
            watcher()

    def reset(self) -> None:
        """End transfers with ECONNRESET, as after a bus reset."""
        with self.lock:
            self._forget(errno.ECONNRESET)

    # --- the device's own side ----------------------------------------------------------------------------------------

    def send(self, data: bytes) -> None:
        """Queue for the host; lost and counted if unconfigured or without room."""
        with self.lock:
            if self.configuration:
                self.function.send(data)
            else:
                self._unsent_bytes += len(data)

    @property
    def lost_bytes(self) -> int:
        with self.lock:
            return self._unsent_bytes + self.function.lost_bytes

    def consume(self) -> tuple[bytes, bool]:
        """The received bytes; True if more have arrived."""
        with self.lock:
            return self.function.consume(), self.function.has_received

    def halt(self, address: int) -> None:
        """Stall an endpoint until a host clears it."""
        with self.lock:
            self.function.endpoints[address].halt()

    def is_awaited(self, address: int) -> bool:
        with self.lock:
            return self.function.endpoints[address].is_awaited

    # --- the host's side ----------------------------------------------------------------------------------------------

    def control(self, setup: Setup, data: bytes = b"") -> bytes:
        """Serve a control request; the answer is cut to the requested length."""
        with self.lock:
            if not self.is_plugged:
                raise DeviceDetached(self.serial_number)
            standard = self._requests.get((setup.kind, setup.request))
            answer = self.function.request(setup, data) if standard is None else standard(setup)
        return answer[: setup.length]

    def submit(self, transfer: Transfer, plug_count: int) -> None:
        """Begin a transfer; it may end at once. Missing or unconfigured endpoints stall."""
        with self.lock:
            if not self.is_plugged or self.plug_count != plug_count:
                transfer.end(errno.ENODEV)
            elif not self.configuration or transfer.endpoint not in self.function.endpoints:
                transfer.end(errno.EPIPE)
            else:
                self.function.endpoints[transfer.endpoint].submit(transfer)
                self.function.moved()
            received = self.function.has_received
        if received:
            self.on_received()

    def cancel(self, transfer: Transfer) -> bool:
        """Cancel a transfer without ``on_end``; False if it had ended."""
        with self.lock:
            if transfer.status is not None:
                return False
            self.function.endpoints[transfer.endpoint].cancel(transfer)
            transfer.status = errno.ECONNRESET
            return True

    # --- requests (USB 2.0, 9.4) --------------------------------------------------------------------------------------

    def _set_address(self, setup: Setup) -> bytes:
        if setup.value > _HIGHEST_ADDRESS or self.configuration:
            raise Stalled(setup)
        self.address = setup.value
        return b""

    def _get_descriptor(self, setup: Setup) -> bytes:
        kind, index = setup.value >> 8, setup.value & 0xFF
        if kind == descriptors.STRING and index < len(self._strings):
            return self._strings[index]
        if kind == descriptors.CONFIGURATION and index < len(self.configuration_descriptors):
            return self.configuration_descriptors[index]
        found = {
            descriptors.DEVICE: self.device_descriptor,
            descriptors.BOS: self.function.bos(),
        }.get(kind, b"")
        # No device qualifier: by that stall a host knows that the device has no high speed.
        if index or not found:
            raise Stalled(setup)
        return found

    def _set_configuration(self, setup: Setup) -> bytes:
        if setup.value not in (0, descriptors.CONFIGURATION_VALUE):
            raise Stalled(setup)
        address = self.address
        self._forget(errno.ECONNRESET)
        self.address, self.configuration = address, setup.value
        return b""

    def _interface_status(self, setup: Setup) -> bytes:
        self._endpoints(setup)
        return _NO_STATUS

    def _get_interface(self, setup: Setup) -> bytes:
        self._endpoints(setup)
        return b"\x00"

    def _set_interface(self, setup: Setup) -> bytes:
        endpoints = self._endpoints(setup)
        if setup.value:
            raise Stalled(setup)
        self._empty(endpoints, errno.ECONNRESET)
        return b""

    def _endpoint_status(self, setup: Setup) -> bytes:
        endpoint = self._endpoint(setup)
        return _HALTED if endpoint is not None and endpoint.is_halted else _NO_STATUS

    def _set_halt(self, setup: Setup) -> bytes:
        endpoint = self._endpoint(setup)
        if setup.value != ENDPOINT_HALT or endpoint is None:
            raise Stalled(setup)
        endpoint.halt()
        return b""

    def _clear_halt(self, setup: Setup) -> bytes:
        endpoint = self._endpoint(setup)
        if setup.value != ENDPOINT_HALT:
            raise Stalled(setup)
        if endpoint is not None:
            endpoint.clear_halt()
        return b""

    # --- helpers ------------------------------------------------------------------------------------------------------

    def _endpoints(self, setup: Setup) -> Sequence[int]:
        if not self.configuration or setup.index not in self._endpoints_of:
            raise Stalled(setup)
        return self._endpoints_of[setup.index]

    def _endpoint(self, setup: Setup) -> Endpoint | None:
        if setup.index & ~IN == 0:
            return None
        if not self.configuration or setup.index not in self.function.endpoints:
            raise Stalled(setup)
        return self.function.endpoints[setup.index]

    def _forget(self, status: int) -> None:
        self.address = self.configuration = 0
        self._empty(tuple(self.function.endpoints), status)

    def _empty(self, addresses: Sequence[int], status: int) -> None:
        for address in addresses:
            self.function.endpoints[address].abort(status)
        self.function.moved()


def _endpoints_of(configuration: bytes) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    number = -1
    for one in descriptors.walk(configuration):
        if one[1] == descriptors.INTERFACE:
            number = one[2]
            found[number] = []
        elif one[1] == descriptors.ENDPOINT:
            found[number].append(one[2])
    return found
