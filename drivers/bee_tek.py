"""A USPC Bee-Tek shoe behind a port: ``docs/protocols/bee-tek.md`` has its lines. Nothing is ever sent to it."""

import dataclasses
import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Final

from drivers.device import DeviceListener
from drivers.discovery import port_maker
from drivers.errors import DriverError
from drivers.link_health import LinkHealth
from drivers.port import Port
from drivers.port_thread import Backoff, PortThread
from drivers.serial_port import SerialSettings
from protocols.bee_tek.decoder import LineDecoder
from protocols.bee_tek.messages import BeeTekMessage
from protocols.garbage import Garbage

LINE: Final = SerialSettings(baud=9600, bytesize=8, parity="N", stopbits=1)
"""The shoe's line."""

_logger: Final = logging.getLogger(__name__)


def _unnoticed(_damage: Garbage) -> None:
    """Nobody asked for what was damaged; it is counted and logged all the same."""


class BeeTekDevice:
    """One shoe behind one port, from ``start`` to ``stop``; for one use.

    Args:
        name: the port's name in the configuration.
        listener: who hears what the shoe says.
        make_port: returns a new, closed port for each opening.
        on_damage: hears of each run of bytes that may have been part of a line, in its place between the messages and
            in the port's thread: the lines have no number, so nothing else shows that one may be lost.
        clock: seconds, monotonic; the ``now_s`` of every message.
        backoff: pauses between attempts to open.
    """

    def __init__(
        self,
        name: str,
        listener: DeviceListener[BeeTekMessage],
        make_port: Callable[[], Port],
        *,
        on_damage: Callable[[Garbage], None] = _unnoticed,
        clock: Callable[[], float] = time.monotonic,
        backoff: Backoff | None = None,
    ) -> None:
        self._name = name
        self._listener = listener
        self._on_damage = on_damage
        self._clock = clock
        self._decoder = LineDecoder()
        self._thread = PortThread(name, make_port, self, clock=clock, backoff=backoff)
        # Guards what `health`, called from other threads, shares with the port's thread.
        self._lock = threading.Lock()
        self._health = LinkHealth()
        self._down = False

    @property
    def name(self) -> str:
        """The port's name in the configuration."""
        return self._name

    def start(self) -> None:
        """Begin to open the port and to listen."""
        self._thread.start()

    def stop(self, timeout_s: float) -> bool:
        """Let go of the port; the listener hears nothing of it.

        Args:
            timeout_s: how long to wait, seconds.

        Returns:
            Whether the port is let go.
        """
        return self._thread.stop(timeout_s)

    def health(self) -> LinkHealth:
        """Return a copy of what the link has seen so far."""
        with self._lock:
            return dataclasses.replace(self._health)

    def port_opened(self) -> None:
        """Take note that the port is open (called by the port's thread)."""
        self._down = False
        with self._lock:
            self._health.opened(self._clock())
        self._listener.back()

    def bytes_received(self, data: bytes, now_s: float) -> None:
        """Decode and pass on what arrived (called by the port's thread)."""
        items = self._decoder.feed(data)
        with self._lock:
            self._health.received(len(data))
        for item in items:
            if isinstance(item, Garbage):
                self._count_garbage(item)
                if item.reason != "noise":
                    self._on_damage(item)
            else:
                with self._lock:
                    self._health.frame(item.raw, now_s, sends_copies=False)
                self._listener.message(item, now_s)

    def time_passed(self, now_s: float) -> None:
        """Nothing is waited for (called by the port's thread)."""

    def port_lost(self, error: DriverError) -> None:
        """Forget half a line (called by the port's thread)."""
        for garbage in self._decoder.reset():
            self._count_garbage(garbage)
        with self._lock:
            self._health.lost(error)
        if not self._down:
            self._down = True
            self._listener.lost(error)

    def _count_garbage(self, garbage: Garbage) -> None:
        with self._lock:
            self._health.garbage(len(garbage.raw))
        _logger.debug("%s: skipped %s (%s)", self._name, garbage.raw.hex(" "), garbage.reason)


class BeeTekFamily:
    """The family ``bee_tek``; settings: ``baud``, ``bytesize``, ``parity``, ``stopbits`` (``SerialSettings``)."""

    name: Final = "bee_tek"
    summary: Final = "USPC Bee-Tek shoe, RS-232 or raw TCP, read-only"

    def open(
        self,
        port_name: str,
        settings: Mapping[str, object],
        listener: DeviceListener[BeeTekMessage],
    ) -> BeeTekDevice:
        """Return the shoe behind a port, not yet started.

        Args:
            port_name: a stable name, see ``drivers.port_names``.
            settings: the line's, where they differ from 9600 8N1.
            listener: who hears what the shoe says.

        Raises:
            BadSetting: an unknown key or an impossible value.
        """
        line = SerialSettings.from_mapping({**dataclasses.asdict(LINE), **settings})
        return BeeTekDevice(port_name, listener, port_maker(port_name, line))


FAMILY: Final = BeeTekFamily()
