"""``SerialPort``: the port contract over pyserial, for ttys and TCP boxes.

RFC 2217 servers do not acknowledge PURGE-DATA or SET-CONTROL; on a pty ``TIOCEXCL`` outlives its process.
"""

import contextlib
import os
import select
import socket
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import partial
from typing import Any, Final, Self

import serial
import serial.tools.list_ports

from drivers.errors import BadSetting, PortLost
from drivers.os_errors import LINE_ERRORS, loss, not_open, open_failure
from drivers.port import WAIT_SLICE_S
from drivers.port_names import PortCandidate
from drivers.wakeup_pipe import WakeupPipe

SELECT_SLICE_S: Final = 1.0
"""Seconds until a close in another thread is noticed."""

READ_SIZE_BYTES: Final = 4096

WRITE_TIMEOUT_S: Final = 2.0
"""Then the line is lost; 10 bytes need 0.02 s at 4800 baud."""

KEEPALIVE_IDLE_S: Final = 5
"""Then the kernel probes the peer: a shoe may be silent for minutes."""

KEEPALIVE_INTERVAL_S: Final = 2

KEEPALIVE_PROBES: Final = 3
"""Lost 11 s after the network cable was pulled."""

BAUD_RANGE: Final = range(50, 4_000_001)

_BY_ID: Final = "/dev/serial/by-id"
_BY_PATH: Final = "/dev/serial/by-path"


@dataclass(frozen=True, slots=True, kw_only=True)
class SerialSettings:
    """The default is the Angel Eye shoe's; a pty or raw TCP box ignores them.

    Attributes:
        baud: bits per second, 50 to 4 000 000.
        bytesize: 5 to 8.
        stopbits: 1, 1.5 or 2.

    Raises:
        BadSetting: a value outside these.
    """

    baud: int = 4800
    bytesize: int = 8
    parity: str = "N"
    stopbits: float = 1

    def __post_init__(self) -> None:
        checks = (
            ("baud", type(self.baud) is int and self.baud in BAUD_RANGE, "a whole number from 50 to 4000000"),
            ("bytesize", self.bytesize in {5, 6, 7, 8}, "5, 6, 7 or 8"),
            ("parity", self.parity in {"N", "E", "O", "M", "S"}, '"N", "E", "O", "M" or "S"'),
            ("stopbits", self.stopbits in {1, 1.5, 2}, "1, 1.5 or 2"),
        )
        for key, valid, expected in checks:
            if not valid:
                raise BadSetting("serial line", key, f"{getattr(self, key)!r} is impossible", expected)

    def changed(self, settings: Mapping[str, object]) -> Self:
        """Changed by a configuration's table.

        Raises:
            BadSetting: an unknown key or an impossible value.
        """
        return type(self).from_mapping({**asdict(self), **settings})

    @classmethod
    def from_mapping(cls, settings: Mapping[str, object]) -> Self:
        """What is not in the table has its default.

        Raises:
            BadSetting: an unknown key or an impossible value.
        """
        known = [field.name for field in fields(cls)]
        for key, value in settings.items():
            if key not in known:
                raise BadSetting("serial line", key, "unknown", ", ".join(known))
            if isinstance(value, bool) or not isinstance(value, str | int | float):
                raise BadSetting("serial line", key, f"{value!r} is impossible", "a number or a letter")
        values: dict[str, Any] = dict(settings)
        return cls(**values)


class SerialPort:
    def __init__(self, target: str, settings: SerialSettings | None = None, *, name: str | None = None) -> None:
        self._target = target
        self._settings = settings or SerialSettings()
        self._name = name or target
        self._line: serial.Serial | None = None
        self._descriptor: int | None = None
        self._is_tty = False
        self._loss: PortLost | None = None
        # Held while the line is used or closed, never while waiting for bytes: closing waits for no reader.
        self._use = threading.Lock()
        self._waker: WakeupPipe | None = None

    @property
    def name(self) -> str:
        return self._name

    def open(self) -> None:
        with self._use:
            if self._line is not None:
                return
            try:
                line = _new_line(self._target, self._settings)
                line.open()
            except LINE_ERRORS as error:
                raise open_failure(self._name, self._target, error) from error
            self._line, self._loss = line, None
            self._descriptor = _descriptor_of(line)
            # Of this class alone: those for URLs do more than their descriptor shows.
            self._is_tty = type(line) is serial.Serial and self._descriptor is not None
            self._waker = WakeupPipe()
            _tune_tcp(line)

    def read(self, timeout_s: float) -> bytes:
        deadline_s, left_s = time.monotonic() + timeout_s, timeout_s
        while True:
            data, is_over = self._read_slice(min(left_s, SELECT_SLICE_S))
            if data or is_over:
                return data
            left_s = deadline_s - time.monotonic()
            if left_s <= 0:
                return data

    def write(self, data: bytes) -> None:
        with self._use:
            line = self._usable_line()
            try:
                if self._is_tty and self._descriptor is not None:
                    data = data[_write_at_once(self._descriptor, data) :]
                if data:
                    line.write(data)
            except LINE_ERRORS as error:
                raise self._lost(error) from error

    def wake(self) -> None:
        waker = self._waker
        if waker is not None:
            waker.wake()

    def close(self) -> None:
        with self._use:
            line, self._line, self._descriptor = self._line, None, None
            waker, self._waker = self._waker, None
            if waker is not None:
                waker.wake()
                waker.close()
            if line is None:
                return
            with contextlib.suppress(*LINE_ERRORS):
                line.close()

    def _read_slice(self, wait_s: float) -> tuple[bytes, bool]:
        line, descriptor, waker = self._usable_line(), self._descriptor, self._waker
        try:
            if descriptor is None:
                first = line.read(1)  # waits for the timeout it was opened with
                data = first + line.read(line.in_waiting) if first else first
                return data, waker is not None and waker.clear()
            # Closed from another thread just now, the number may already be another file's: then this waits in vain for
            # at most a slice, and what follows sees under the lock that the line is gone.
            waited_at = [descriptor] if waker is None else [descriptor, waker.descriptor]
            ready = select.select(waited_at, [], [], wait_s)[0]
            if waker is not None and waker.descriptor in ready:
                waker.clear()
                if descriptor not in ready:
                    return b"", True
            if not ready:
                return b"", False
            with self._use:
                if self._line is not line:
                    raise not_open(self._name)
                return (_read_ready(descriptor) if self._is_tty else line.read(READ_SIZE_BYTES)), False
        except LINE_ERRORS as error:
            raise self._lost(error) from error

    def _usable_line(self) -> serial.Serial:
        if self._line is None:
            raise not_open(self._name)
        if self._loss is not None:  # TCP takes bytes for a while after the peer is gone: once lost, lost
            raise self._loss
        return self._line

    def _lost(self, error: Exception) -> PortLost:
        path = self._target.removeprefix("spy://").partition("?")[0]
        self._loss = loss(self._name, error, None if "://" in path else path)
        return self._loss


def list_serial_ports() -> list[PortCandidate]:
    links: dict[str, list[str]] = {}
    for folder in (_BY_ID, _BY_PATH):
        with contextlib.suppress(OSError):  # no such folder while no adapter is plugged in
            for entry in sorted(os.listdir(folder)):  # noqa: PTH208  names of ports are text
                link = f"{folder}/{entry}"
                links.setdefault(os.path.realpath(link), []).append(link)
    return [
        PortCandidate(
            device=info.device,
            description=info.description or "",
            vid=info.vid,
            pid=info.pid,
            serial_number=info.serial_number,
            stable_names=tuple(links.get(os.path.realpath(info.device), ())),
        )
        for info in sorted(serial.tools.list_ports.comports())
    ]


def _new_line(target: str, settings: SerialSettings) -> serial.Serial:
    remote = target.startswith("rfc2217://")
    line = serial.serial_for_url(
        target,
        do_not_open=True,
        baudrate=settings.baud,
        bytesize=settings.bytesize,
        parity=settings.parity,
        stopbits=settings.stopbits,
        timeout=WAIT_SLICE_S if remote else 0,  # RFC 2217 has no descriptor for `select` to wait at
        write_timeout=None if remote else WRITE_TIMEOUT_S,  # pyserial has none for RFC 2217; its socket has one of 5 s
        exclusive=True,
    )
    # See the head of this module. pyserial closes a line itself when an opening fails.
    ours = {
        "reset_input_buffer": _purge_no_input,
        "_reset_input_buffer": _purge_no_input,
        "rfc2217_send_purge": _purge_nothing,
        "rfc2217_set_control": partial(_request_control, line),
        "close": partial(_close, line),
    }
    for method, instead in ours.items():
        if hasattr(line, method):
            setattr(line, method, instead)
    return line


def _read_ready(descriptor: int) -> bytes:
    try:
        data = os.read(descriptor, READ_SIZE_BYTES)
    except BlockingIOError:  # another program reads it as well
        return b""
    if not data:
        raise OSError("the system announced bytes, but the read returned none")
    return data


def _write_at_once(descriptor: int, data: bytes) -> int:
    try:
        return os.write(descriptor, data)
    except BlockingIOError:
        return 0


def _purge_no_input() -> None:
    """Throw nothing away of what has arrived."""


def _purge_nothing(_which: bytes) -> None:
    """Purge nothing at the far end."""


def _request_control(line: Any, value: bytes) -> None:  # noqa: ANN401  the library's class has no types
    # Ask an RFC 2217 server to set flow control, DTR or RTS without waiting for an answer. A three-wire line
    # needs none of them, and Debian's ser2net does not acknowledge them.
    line._rfc2217_options["control"].set(value)  # noqa: SLF001  it keeps what the answer is compared with


def _close(line: serial.Serial) -> None:
    connection = getattr(line, "_socket", None)
    try:
        type(line).close(line)
    finally:
        if isinstance(connection, socket.socket):
            connection.close()


def _descriptor_of(line: serial.Serial) -> int | None:
    try:
        return line.fileno()
    except (OSError, AttributeError):  # RFC 2217 has none
        return None


def _tune_tcp(line: serial.Serial) -> None:
    connection = getattr(line, "_socket", None)
    if not isinstance(connection, socket.socket):
        return
    options = [
        (socket.IPPROTO_TCP, "TCP_NODELAY", 1),
        (socket.SOL_SOCKET, "SO_KEEPALIVE", 1),
        (socket.IPPROTO_TCP, "TCP_KEEPIDLE", KEEPALIVE_IDLE_S),
        (socket.IPPROTO_TCP, "TCP_KEEPINTVL", KEEPALIVE_INTERVAL_S),
        (socket.IPPROTO_TCP, "TCP_KEEPCNT", KEEPALIVE_PROBES),
    ]
    for level, option, value in options:
        if hasattr(socket, option):  # not every system has every option
            with contextlib.suppress(OSError):  # the peer may be gone again already; reading will say so
                connection.setsockopt(level, getattr(socket, option), value)
