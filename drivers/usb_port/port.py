"""The port contract over a claimed interface."""

import threading
import time
from typing import Final

from drivers.errors import PortLost
from drivers.os_errors import loss, not_open
from drivers.port import WAIT_SLICE_S
from drivers.port_names import usb_pattern
from drivers.usb_errors import USB_ERRORS, timed_out, usb_open_failure
from drivers.usb_port.backend import Backend, libusb
from drivers.usb_port.finding import dispose, find
from drivers.usb_port.line import ClaimedInterface, claim

WRITE_TIMEOUT_S: Final = 2.0

READ_SLICE_S: Final = 0.01


class UsbPort:
    def __init__(self, name: str, *, backend: Backend = None) -> None:
        usb_pattern(name)
        self._name = name
        self._backend = backend
        self._line: ClaimedInterface | None = None
        self._loss: PortLost | None = None
        # Held during each transfer. A lock goes to whoever asks first, and that would be the reader again: `close`
        # therefore says that it wants it.
        self._use = threading.Lock()
        self._closing = False
        self._woken = threading.Event()

    @property
    def name(self) -> str:
        return self._name

    def open(self) -> None:
        with self._use:
            if self._line is not None:
                return
            self._closing = False
            found = find(self._name, self._backend or libusb(self._name))
            try:
                line = claim(found)
            except USB_ERRORS as error:
                dispose(found.device)
                raise usb_open_failure(self._name, found.candidate, error) from error
            self._line, self._loss = line, None

    def read(self, timeout_s: float) -> bytes:
        deadline_s = time.monotonic() + timeout_s
        while True:
            left_s = max(deadline_s - time.monotonic(), 0.0)
            # Nothing may also be a packet of length zero, which ends a transfer and means nothing.
            data = self._read_packet(min(left_s, READ_SLICE_S))
            if data or left_s <= 0 or self._woken.is_set():
                self._woken.clear()
                return data

    def write(self, data: bytes) -> None:
        with self._use:
            size = self._usable_line().pipes.out_packet
        for start in range(0, len(data), size):
            self._write_packet(data[start : start + size])
        if data and len(data) % size == 0:  # else the device does not know that the transfer is over
            self._write_packet(b"")

    def wake(self) -> None:
        self._woken.set()

    def close(self) -> None:
        self._closing = True
        with self._use:
            line, self._line = self._line, None
            if line is not None:
                line.release()

    def _read_packet(self, wait_s: float) -> bytes:
        with self._use:
            line = self._usable_line()
            try:
                return line.read(wait_s)
            except USB_ERRORS as error:
                raise self._lost(error) from error

    def _write_packet(self, packet: bytes) -> None:
        deadline_s = time.monotonic() + WRITE_TIMEOUT_S
        rest: bytes | None = packet
        while rest is not None:
            with self._use:
                line = self._usable_line()
                try:
                    rest = line.write(rest, WAIT_SLICE_S)
                except USB_ERRORS as error:
                    if not timed_out(error) or time.monotonic() >= deadline_s:
                        raise self._lost(error) from error

    def _usable_line(self) -> ClaimedInterface:
        if self._line is None or self._closing:
            raise not_open(self._name)
        if self._loss is not None:  # what is plugged in there by now may be another device: once lost, lost
            raise self._loss
        return self._line

    def _lost(self, error: Exception) -> PortLost:
        self._loss = loss(self._name, error)
        return self._loss
