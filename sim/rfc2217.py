"""A line behind a serial-to-TCP box that speaks RFC 2217."""

from collections.abc import Callable, Sequence
from typing import Final

from sim.com_port import COM_PORT_OPTION, MODEMSTATE, NOTIFY_MODEMSTATE, ComPort, LineState, notice
from sim.telnet import BINARY, IAC, SUPPRESS_GO_AHEAD, Telnet, doubled
from sim.wires.tcp import LOCALHOST, TcpWire
from sim.wires.wire import CountingWire

WAITING_LIMIT: Final = 4096
"""Bytes that a box holds for a line while the host has suspended the flow."""

OWED_LIMIT: Final = 65536
"""For a host that asks and does not read."""


class Rfc2217Wire(CountingWire):
    """A new connection replaces the old one; bytes without a host are lost and counted."""

    def __init__(self, host: str = LOCALHOST, port: int = 0) -> None:
        super().__init__()
        self._waiting = bytearray()
        self._owed = bytearray()
        self._com_port = ComPort(self._waiting.clear)
        self._telnet = self._new_session()
        self._tcp = TcpWire(host, port)
        self._tcp.listen(self._receive)
        self._tcp.on_host(self._connected)

    @property
    def line(self) -> LineState:
        return self._com_port.line

    @property
    def address(self) -> tuple[str, int]:
        """The port stays the same across a re-plug."""
        return self._tcp.address

    @property
    def is_plugged(self) -> bool:
        return self._tcp.is_plugged

    @property
    def is_connected(self) -> bool:
        return self._tcp.is_connected

    def send(self, data: bytes) -> None:
        if not self.is_connected:
            self._lost += len(data)
        elif self._com_port.suspended:
            room = WAITING_LIMIT - len(self._waiting)
            self._waiting += data[:room]
            self._lost += len(data[room:])
        else:
            self._send_now(data)

    def unplug(self) -> None:
        self._tcp.unplug()
        self._forget_host()
        self._com_port.line = LineState()

    def replug(self) -> None:
        self._tcp.replug()

    def fds(self) -> Sequence[int]:
        return self._tcp.fds()

    def pump(self) -> None:
        self._tcp.pump()
        self._pay()
        if self._waiting and not self._com_port.suspended:
            waiting = bytes(self._waiting)
            self._waiting.clear()
            self._send_now(waiting)

    def on_wake(self, wake: Callable[[], None]) -> None:
        """Never needed: ``fds`` show everything."""

    def close(self) -> None:
        self.unplug()

    def _new_session(self) -> Telnet:
        return Telnet(frozenset({BINARY, SUPPRESS_GO_AHEAD, COM_PORT_OPTION}), self._com_port.execute)

    def _connected(self) -> None:
        self._forget_host()
        self._telnet = self._new_session()
        self._owe(self._telnet.greeting() + notice(NOTIFY_MODEMSTATE, bytes([MODEMSTATE])))

    def _forget_host(self) -> None:
        self._com_port.suspended = False
        self._lost += len(self._waiting)
        self._waiting.clear()
        self._owed.clear()

    def _receive(self, data: bytes) -> None:
        passed, answers = self._telnet.feed(data)
        self._owe(answers)
        if passed:
            self._sink(passed)

    def _send_now(self, data: bytes) -> None:
        self._pay()
        if self._owed:  # the host does not read
            self._lost += len(data)
            return
        wanted = doubled(data)
        rest = self._push(wanted)
        sent = wanted[: len(wanted) - len(rest)]
        # If half of a doubled byte went out, the other half has to follow, or all that comes after is read wrongly.
        if (len(sent) - len(sent.rstrip(bytes([IAC])))) % 2:
            self._owed += rest[:1]
            rest = rest[1:]
        self._lost += len(rest) - rest.count(IAC) // 2

    def _owe(self, answers: bytes) -> None:
        if len(self._owed) + len(answers) <= OWED_LIMIT:
            self._owed += answers
        self._pay()

    def _pay(self) -> None:
        if self._owed:
            self._owed[:] = self._push(bytes(self._owed))

    def _push(self, data: bytes) -> bytes:
        before = self._tcp.lost_bytes
        self._tcp.send(data)
        return data[len(data) - (self._tcp.lost_bytes - before) :]
