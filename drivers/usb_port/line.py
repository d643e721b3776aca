"""A claimed interface: one packet in, one packet out."""

import contextlib
from typing import Final

import usb.core
import usb.util

from drivers.usb_errors import USB_ERRORS, stalled, timed_out
from drivers.usb_port.backend import Device
from drivers.usb_port.finding import BulkDevice, Pipes, dispose

_MS: Final = 1000


class ClaimedInterface:
    """It clears one stall; a second before any packet is an error."""

    def __init__(self, device: Device, pipes: Pipes, *, had_driver: bool) -> None:
        self.pipes = pipes
        self._device = device
        self._had_driver = had_driver
        self._cleared: set[int] = set()

    def read(self, wait_s: float) -> bytes:
        pipe = self.pipes.into
        try:
            data = bytes(self._device.read(pipe, self.pipes.in_packet, _milliseconds(wait_s)))
        except USB_ERRORS as error:
            if timed_out(error):
                return b""
            self._set_going(pipe, error)
            return b""
        self._cleared.discard(pipe)
        return data

    def write(self, packet: bytes, wait_s: float) -> bytes | None:
        """The unwritten rest; ``None``: all is written. Raises ``OSError`` on timeout."""
        pipe = self.pipes.out_of
        try:
            sent: int = self._device.write(pipe, packet, _milliseconds(wait_s))
        except USB_ERRORS as error:
            if timed_out(error):
                raise
            self._set_going(pipe, error)
            return packet
        self._cleared.discard(pipe)
        return packet[sent:] or None

    def release(self) -> None:
        number = self.pipes.interface
        with contextlib.suppress(*USB_ERRORS):
            usb.util.release_interface(self._device, number)
        if self._had_driver:
            with contextlib.suppress(*USB_ERRORS):
                self._device.attach_kernel_driver(number)
        dispose(self._device)

    def _set_going(self, pipe: int, error: Exception) -> None:
        if not stalled(error) or pipe in self._cleared:
            raise error
        self._cleared.add(pipe)
        self._device.clear_halt(pipe)


def claim(found: BulkDevice) -> ClaimedInterface:
    """Configure the device if it is not; after an error the caller disposes of it."""
    device, pipes = found.device, found.pipes
    try:
        active = device.get_active_configuration().bConfigurationValue
    except usb.core.USBError as error:
        if error.errno is not None:
            raise
        active = 0  # pyusb's way to say that no configuration is set
    if active != pipes.configuration:  # to set it once more would disturb who else uses the device
        device.set_configuration(pipes.configuration)
    had_driver = False
    with contextlib.suppress(NotImplementedError):  # only Linux knows that question
        had_driver = bool(device.is_kernel_driver_active(pipes.interface))
    if had_driver:
        device.detach_kernel_driver(pipes.interface)
    try:
        usb.util.claim_interface(device, pipes.interface)
    except USB_ERRORS:
        if had_driver:
            with contextlib.suppress(*USB_ERRORS):
                device.attach_kernel_driver(pipes.interface)
        raise
    if pipes.alternate:
        device.set_interface_altsetting(pipes.interface, pipes.alternate)
    return ClaimedInterface(device, pipes, had_driver=had_driver)


def _milliseconds(seconds: float) -> int:
    return max(round(seconds * _MS), 1)
