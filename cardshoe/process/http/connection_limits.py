"""A listening socket with limits per peer, in all, and for TLS.

At the limit the connection idle longest is closed, streams last.
"""

import asyncio
import ipaddress
import resource
import socket
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

AT_ONCE: Final = 4
"""Accepted per turn: a burst must not displace new connections."""

IPV6_PEER_BITS: Final = 64
"""Bits of an IPv6 address that one machine cannot choose."""


class ConnectionLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of connections.

    Attributes:
        each: per address, or /64 of IPv6.
        all: at most half of the process's descriptors.
        handshake_s: of TLS.
    """

    each: int = 64
    all: int = 256
    here: int = 0
    handshake_s: float = 5.0


ROOM: Final = ConnectionLimits()


def is_loopback(peer: str) -> bool:
    return ipaddress.ip_network(peer).is_loopback


class _Connection:
    def __init__(self, connection: socket.socket, peer: str, at: float) -> None:
        self.socket: Final = connection
        self.peer: Final = peer
        self.active = at
        self.is_lasting = False
        self.transport: asyncio.Transport | None = None
        self.deadline: asyncio.TimerHandle | None = None

    def cut(self) -> None:
        self.forget()
        if self.transport is not None:
            self.transport.abort()
        elif self.socket.fileno() != -1:
            try:
                self.socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                return  # the other side was faster

    def forget(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()


class LimitedListener(socket.socket):
    """A limited listening socket, for the event loop of one thread."""

    def __init__(
        self, listener: socket.socket, room: ConnectionLimits = ROOM, is_here: Callable[[str], bool] = is_loopback
    ) -> None:
        super().__init__(listener.family, listener.type, listener.proto, fileno=listener.detach())
        self._is_here: Final = is_here
        self._each: Final = room.each
        self._all: Final = min(room.all, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2)
        self._afar: Final = self._all - min(room.here, self._all // 2)
        self._handshake_s: Final = room.handshake_s
        self._open: Final[dict[int, _Connection]] = {}
        self._turn = 0

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection; may close another.

        Raises:
            BlockingIOError: none waits, or open ones are served first.
        """
        loop = asyncio.get_running_loop()
        if self._turn == AT_ONCE:
            raise BlockingIOError
        if not self._turn:
            loop.call_soon(self._next_turn)
        self._turn += 1
        connection, address = super().accept()
        one = _Connection(connection, peer_of(address), loop.time())
        one.deadline = loop.call_later(self._handshake_s, one.cut)
        self._leave(connection.fileno())  # an old one had this number, and is closed
        self._open[connection.fileno()] = one
        self._make_room(one)
        return connection, address

    def entered(self, transport: asyncio.Transport) -> None:
        """A connection has reached its first request."""
        one = self._open.get(_number(transport))
        if one is not None:
            one.forget()
            one.transport = transport

    def answered(self, transport: asyncio.Transport) -> None:
        """A connection was answered."""
        one = self._open.get(_number(transport))
        if one is not None:
            one.active = asyncio.get_running_loop().time()

    def lasts(self, transport: asyncio.Transport) -> None:
        """A stream is open on a connection, until it ends."""
        one = self._open.get(_number(transport))
        if one is not None:
            one.is_lasting = True

    def _next_turn(self) -> None:
        self._turn = 0

    def _make_room(self, newest: _Connection) -> None:
        if len(self._open) <= min(self._each, self._afar):
            return
        for number in [number for number, one in self._open.items() if one.socket.fileno() != number]:
            self._leave(number)
        count = Counter(one.peer for one in self._open.values())
        afar = {peer: connections for peer, connections in count.items() if not self._is_here(peer)}
        if count[newest.peer] > self._each:
            self._displace({newest.peer})
        elif sum(afar.values()) > self._afar:
            self._displace(_greatest(afar))
        elif len(self._open) > self._all:
            self._displace(_greatest(count))

    def _displace(self, peers: set[str]) -> None:
        idle = {number: (one.is_lasting, one.active) for number, one in self._open.items() if one.peer in peers}
        number = min(idle, key=idle.__getitem__)
        self._open[number].cut()
        self._leave(number)

    def _leave(self, number: int) -> None:
        gone = self._open.pop(number, None)
        if gone is not None:
            gone.forget()


def _greatest(count: Mapping[str, int]) -> set[str]:
    most = max(count.values())
    return {peer for peer, connections in count.items() if connections == most}


def _number(transport: asyncio.Transport) -> int:
    number: int = transport.get_extra_info("socket").fileno()
    return number


def peer_of(address: tuple[Any, ...]) -> str:
    host = ipaddress.ip_address(str(address[0]).partition("%")[0])
    if isinstance(host, ipaddress.IPv4Address):
        return str(host)
    return str(host.ipv4_mapped or ipaddress.ip_network((host, IPV6_PEER_BITS), strict=False))
