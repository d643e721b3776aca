"""A pyusb backend whose bus is this process: ``usb.core.find(backend=SimulatedBackend([wire.device]))``."""

import errno
import os
import threading
from abc import abstractmethod
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Final

import usb.backend
import usb.core

from sim.usb.device import DeviceDetached, UsbDevice
from sim.usb.endpoints import DONE, Transfer
from sim.usb.setup import (
    CLEAR_FEATURE,
    ENDPOINT_HALT,
    GET_CONFIGURATION,
    IN,
    SET_ADDRESS,
    SET_CONFIGURATION,
    SET_INTERFACE,
    TO_DEVICE,
    TO_ENDPOINT,
    TO_INTERFACE,
    Setup,
    Stalled,
)
from tests.kit.usb_attached import Attached, enumerated

BUS: Final = 1
HIGHEST_ADDRESS: Final = 127
_FULL_SPEED: Final = 2
"""``LIBUSB_SPEED_FULL``."""
_MS_PER_S: Final = 1000

_LIBUSB: Final = {
    errno.EIO: -1,
    errno.EACCES: -3,
    errno.ENODEV: -4,
    errno.ENOENT: -5,
    errno.EBUSY: -6,
    errno.EOVERFLOW: -8,
    errno.EPIPE: -9,
}
"""libusb's own numbers, which pyusb gives as ``backend_error_code``."""
_LIBUSB_TIMEOUT: Final = -7


@dataclass(eq=False)
class Handle:
    """A device that somebody opened."""

    device: Attached
    claimed: set[int] = field(default_factory=set)
    waiting: set["_Waited"] = field(default_factory=set)
    is_open: bool = True


class _Waited:
    """A transfer that a thread waits for."""

    def __init__(self, endpoint: int, data: bytes, length: int) -> None:
        self.over = threading.Event()
        self.is_given_up = False
        self.transfer = Transfer(endpoint, length, self._end, bytearray(data))

    def give_up(self, device: Attached) -> None:
        self.is_given_up = True
        device.cancel(self.transfer)
        self.over.set()

    def _end(self, _transfer: Transfer) -> None:
        self.over.set()


class HostBackend(usb.backend.IBackend):  # type: ignore[misc]  # pyusb has no types
    """The calls of libusb, over whatever leads to the devices. Threads may use it as they may use libusb."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._handles: list[Handle] = []
        self._is_allowed = True

    @abstractmethod
    def attached(self) -> Sequence[Attached]:
        """The devices that are plugged in; new ones are enumerated first."""

    def allow(self, permission: bool) -> None:  # reads well at every call: allow(False)
        """Permit (at first) or forbid opening devices from now on. What is open stays open, as on Linux."""
        self._is_allowed = permission

    # --- finding ------------------------------------------------------------------------------------------------------

    def enumerate_devices(self) -> Iterator[Attached]:
        """See ``IBackend``."""
        return iter(self.attached())

    def get_parent(self, dev: Attached) -> None:
        """No hubs."""

    def get_device_descriptor(self, dev: Attached) -> SimpleNamespace:
        """See ``IBackend``."""
        return SimpleNamespace(
            **vars(dev.description.device),
            address=dev.address,
            bus=BUS,
            port_number=dev.port,
            port_numbers=(dev.port,),
            speed=_FULL_SPEED,
        )

    def get_configuration_descriptor(self, dev: Attached, config: int) -> SimpleNamespace:
        """See ``IBackend``."""
        return _configuration(dev, config)[0]

    def get_interface_descriptor(self, dev: Attached, intf: int, alt: int, config: int) -> SimpleNamespace:
        """See ``IBackend``."""
        interfaces = _configuration(dev, config)[1]
        if alt:
            raise IndexError(f"alternate setting {alt}: there is one")
        return interfaces[intf]

    def get_endpoint_descriptor(self, dev: Attached, ep: int, intf: int, alt: int, config: int) -> SimpleNamespace:
        """See ``IBackend``."""
        found: SimpleNamespace = self.get_interface_descriptor(dev, intf, alt, config).endpoints[ep]
        return found

    # --- opening ------------------------------------------------------------------------------------------------------

    def open_device(self, dev: Attached) -> Handle:
        """See ``IBackend``. EACCES without permission, ENODEV if the device was unplugged since it was found."""
        if not self._is_allowed:
            raise _failure(errno.EACCES)
        _check_there(dev)
        handle = Handle(dev)
        with self._lock:
            self._handles.append(handle)
        return handle

    def close_device(self, dev_handle: Handle) -> None:
        """See ``IBackend``. A read under way ends with EIO: with libusb it would never end, a defect of its caller."""
        with self._lock:
            dev_handle.is_open = False
            dev_handle.claimed.clear()
            self._handles.remove(dev_handle)
            waiting = tuple(dev_handle.waiting)
        for waited in waiting:
            waited.give_up(dev_handle.device)

    def get_configuration(self, dev_handle: Handle) -> int:
        """See ``IBackend``."""
        return _control(dev_handle, Setup(TO_DEVICE | IN, GET_CONFIGURATION, length=1))[0]

    def set_configuration(self, dev_handle: Handle, config_value: int) -> None:
        """See ``IBackend``. EBUSY while an interface is claimed, by whomsoever."""
        with self._lock:
            if any(other.claimed for other in self._handles if other.device is dev_handle.device):
                raise _failure(errno.EBUSY)
        _control(dev_handle, Setup(TO_DEVICE, SET_CONFIGURATION, config_value))

    def claim_interface(self, dev_handle: Handle, intf: int) -> None:
        """See ``IBackend``. EBUSY if another handle has it, ENOENT if there is none."""
        _check_there(dev_handle.device)
        if intf not in {one.bInterfaceNumber for one in dev_handle.device.description.interfaces}:
            raise _failure(errno.ENOENT)
        with self._lock:
            for other in self._handles:
                if other is not dev_handle and other.device is dev_handle.device and intf in other.claimed:
                    raise _failure(errno.EBUSY)
            dev_handle.claimed.add(intf)

    def release_interface(self, dev_handle: Handle, intf: int) -> None:
        """See ``IBackend``. ENOENT if it was not claimed."""
        with self._lock:
            if intf not in dev_handle.claimed:
                raise _failure(errno.ENOENT)
            dev_handle.claimed.remove(intf)
        _check_there(dev_handle.device)

    def set_interface_altsetting(self, dev_handle: Handle, intf: int, altsetting: int) -> None:
        """See ``IBackend``."""
        _control(dev_handle, Setup(TO_INTERFACE, SET_INTERFACE, altsetting, intf))

    def clear_halt(self, dev_handle: Handle, ep: int) -> None:
        """See ``IBackend``."""
        _control(dev_handle, Setup(TO_ENDPOINT, CLEAR_FEATURE, ENDPOINT_HALT, ep))

    def reset_device(self, dev_handle: Handle) -> None:
        """See ``IBackend``. The configuration is set again, as Linux does; claims stay."""
        _check_there(dev_handle.device)
        try:
            dev_handle.device.reset()
        except DeviceDetached as error:
            raise _failure(errno.ENODEV) from error

    def is_kernel_driver_active(self, dev_handle: Handle, intf: int) -> bool:
        """Never."""
        del intf
        _check_there(dev_handle.device)
        return False

    def detach_kernel_driver(self, dev_handle: Handle, intf: int) -> None:
        """There is none: ENOENT."""
        del dev_handle, intf
        raise _failure(errno.ENOENT)

    def attach_kernel_driver(self, dev_handle: Handle, intf: int) -> None:
        """There is none: ENOENT."""
        del dev_handle, intf
        raise _failure(errno.ENOENT)

    # --- transfers ----------------------------------------------------------------------------------------------------

    def ctrl_transfer(
        self,
        dev_handle: Handle,
        bmRequestType: int,  # noqa: N803  # pyusb's own signature
        bRequest: int,  # noqa: N803  # as above
        wValue: int,  # noqa: N803  # as above
        wIndex: int,  # noqa: N803  # as above
        data: "array[int]",
        timeout: int,
    ) -> int:
        """See ``IBackend``. The simulated devices answer at once: there is no timeout."""
        del timeout
        size = len(data) * data.itemsize
        setup = Setup(bmRequestType, bRequest, wValue, wIndex, size)
        if not setup.is_in:
            _control(dev_handle, setup, data.tobytes())
            return size
        answer = _control(dev_handle, setup)
        memoryview(data).cast("B")[: len(answer)] = answer
        return len(answer)

    def bulk_write(self, dev_handle: Handle, ep: int, intf: int, data: "array[int]", timeout: int) -> int:
        """See ``IBackend``. What went over before the timeout counts."""
        self._check_claim(dev_handle, intf)
        sent = data.tobytes()
        return self._transfer(dev_handle, ep, sent, len(sent), timeout).moved

    def bulk_read(self, dev_handle: Handle, ep: int, intf: int, buff: "array[int]", timeout: int) -> int:
        """See ``IBackend``. What came before the timeout counts."""
        self._check_claim(dev_handle, intf)
        transfer = self._transfer(dev_handle, ep, b"", len(buff) * buff.itemsize, timeout)
        memoryview(buff).cast("B")[: transfer.moved] = transfer.data
        return transfer.moved

    def intr_write(self, dev_handle: Handle, ep: int, intf: int, data: "array[int]", timeout: int) -> int:
        """See ``IBackend``."""
        return self.bulk_write(dev_handle, ep, intf, data, timeout)

    def intr_read(self, dev_handle: Handle, ep: int, intf: int, buff: "array[int]", timeout: int) -> int:
        """See ``IBackend``."""
        return self.bulk_read(dev_handle, ep, intf, buff, timeout)

    def _check_claim(self, handle: Handle, intf: int) -> None:
        if intf not in handle.claimed:
            # Linux claims it on the spot.
            self.claim_interface(handle, intf)

    def _transfer(self, handle: Handle, endpoint: int, data: bytes, length: int, timeout_ms: int) -> Transfer:
        waited = _Waited(endpoint, data, length)
        transfer = waited.transfer
        handle.device.submit(transfer)
        if transfer.status is None:
            self._wait(handle, waited, timeout_ms)
        if waited.is_given_up and transfer.status != DONE:
            raise _failure(errno.EIO)
        if transfer.status:
            raise _failure(transfer.status)
        return transfer

    def _wait(self, handle: Handle, waited: _Waited, timeout_ms: int) -> None:
        with self._lock:
            was_open = handle.is_open
            if was_open:
                handle.waiting.add(waited)
        if not was_open:
            waited.give_up(handle.device)
        waited.over.wait(timeout_ms / _MS_PER_S if timeout_ms else None)
        with self._lock:
            handle.waiting.discard(waited)
        if handle.device.cancel(waited.transfer):
            if not waited.transfer.moved:
                raise usb.core.USBTimeoutError("Operation timed out", _LIBUSB_TIMEOUT, errno.ETIMEDOUT)
            waited.transfer.status = DONE


class _Plugged:
    """A device of this process, as of one plugging in."""

    def __init__(self, device: UsbDevice, address: int, port: int) -> None:
        self._device = device
        self.plug_count: Final = device.plug_count
        self.address: Final = address
        self.port: Final = port
        device.reset()
        self.description: Final = enumerated(device.control, address)

    @property
    def is_there(self) -> bool:
        return self._device.is_plugged and self._device.plug_count == self.plug_count

    def control(self, setup: Setup, data: bytes) -> bytes:
        with self._device.lock:
            if not self.is_there:
                raise DeviceDetached(self._device.serial_number)
            return self._device.control(setup, data)

    def submit(self, transfer: Transfer) -> None:
        self._device.submit(transfer, self.plug_count)

    def cancel(self, transfer: Transfer) -> bool:
        return self._device.cancel(transfer)

    def reset(self) -> None:
        with self._device.lock:
            if not self.is_there:
                raise DeviceDetached(self._device.serial_number)
            self._device.reset()
            self.control(Setup(TO_DEVICE, SET_ADDRESS, self.address), b"")
            value = self.description.configuration.bConfigurationValue
            self.control(Setup(TO_DEVICE, SET_CONFIGURATION, value), b"")


class SimulatedBackend(HostBackend):
    """A bus in this process, and its host."""

    def __init__(self, devices: Iterable[UsbDevice] = ()) -> None:
        super().__init__()
        self._devices = list(devices)
        self._plugged: dict[UsbDevice, _Plugged] = {}
        self._enumerated = 0

    def add(self, device: UsbDevice) -> None:
        """Put one more device on the bus."""
        with self._lock:
            self._devices.append(device)

    def attached(self) -> Sequence[Attached]:
        """See ``HostBackend``."""
        with self._lock:
            found = [self._attach(port, device) for port, device in enumerate(self._devices, 1)]
        return [one for one in found if one is not None]

    def _attach(self, port: int, device: UsbDevice) -> _Plugged | None:
        with device.lock:
            if not device.is_plugged:
                return None
            known = self._plugged.get(device)
            if known is None or not known.is_there:
                self._enumerated = self._enumerated % HIGHEST_ADDRESS + 1
                known = self._plugged[device] = _Plugged(device, self._enumerated, port)
            return known


def _configuration(dev: Attached, index: int) -> tuple[SimpleNamespace, tuple[SimpleNamespace, ...]]:
    all_of_them = ((dev.description.configuration, dev.description.interfaces), *dev.description.further)
    if index >= len(all_of_them):
        raise IndexError(f"configuration {index}: there are {len(all_of_them)}")
    return all_of_them[index]


def _control(handle: Handle, setup: Setup, data: bytes = b"") -> bytes:
    try:
        return handle.device.control(setup, data)
    except Stalled as error:
        raise _failure(errno.EPIPE) from error
    except DeviceDetached as error:
        raise _failure(errno.ENODEV) from error


def _check_there(device: Attached) -> None:
    if not device.is_there:
        raise _failure(errno.ENODEV)


def _failure(number: int) -> Exception:
    error: Exception = usb.core.USBError(os.strerror(number), _LIBUSB.get(number, _LIBUSB[errno.EIO]), number)
    return error
