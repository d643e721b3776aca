"""Base of every device behind a port."""

import dataclasses
import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Final, Generic, Protocol, TypeVar

from drivers.errors import DriverError, PortHungUp
from drivers.flapping import Flapping
from drivers.link_health import ADVICE, LinkHealth, LinkStage
from drivers.port import Port
from drivers.port_thread import NEVER_S, Backoff, PortThread
from protocols.garbage import Garbage, NotUnderstood

MessageT = TypeVar("MessageT")
MessageT_contra = TypeVar("MessageT_contra", contravariant=True)

OnDamage = Callable[[Garbage, float], None]
"""In order, in the port's thread."""

UNFRAMED_KEPT: Final = 256
"""The last ones, for the log."""

_logger: Final = logging.getLogger(__name__)


def unnoticed(_damage: Garbage, _now_s: float) -> None:
    """Ignore damaged bytes."""


class DeviceListener(Protocol[MessageT_contra]):
    """Called from the port's thread, one at a time; return soon.

    ``back`` and ``lost`` alternate.
    """

    def message(self, message: MessageT_contra, now_s: float) -> None:
        """At ``now_s`` on the device's monotonic clock; repeats are passed on."""

    def lost(self, error: DriverError) -> None:
        """Gone, or missing at the start; called once per loss."""

    def back(self) -> None:
        """The link is there, for the first time or again."""


class PortDevice(ABC, Generic[MessageT]):
    """For one use; a subclass decodes in ``bytes_received`` and resets in ``_forget``."""

    def __init__(
        self,
        name: str,
        listener: DeviceListener[MessageT],
        make_port: Callable[[], Port],
        *,
        on_damage: OnDamage = unnoticed,
        clock: Callable[[], float] = time.monotonic,
        backoff: Backoff | None = None,
    ) -> None:
        self.name: Final = name
        self._listener: Final = listener
        self._on_damage: Final = on_damage
        self._clock: Final = clock
        self.port: Final = PortThread(name, make_port, self, clock=clock, backoff=backoff)
        # Guards what other threads share with the port's: the counters, and what a family adds.
        self._lock: Final = threading.Lock()
        self._health: Final = LinkHealth()
        self._down = False
        self._said_unframed = False
        self._unframed = b""
        self._flapping: Final = Flapping()
        self._back_s = NEVER_S

    def stop(self, timeout_s: float) -> bool:
        """Without a call of the listener; return whether the port is released."""
        return self.port.stop(timeout_s)

    def health(self) -> LinkHealth:
        """Return a copy of the link's counters."""
        with self._lock:
            return dataclasses.replace(self._health)

    # --- the port's side (PortListener) ------------------------------------------------------------------------------

    def port_opened(self) -> None:
        now_s = self._clock()
        with self._lock:
            self._health.opened(now_s)
        wait_s = self._flapping.wait_s
        if wait_s:
            self._back_s = now_s + wait_s
        else:
            self._report_back()

    @abstractmethod
    def bytes_received(self, data: bytes, now_s: float) -> None:
        """Decode and pass on the bytes."""

    def time_passed(self, now_s: float) -> float:
        """Report once that the bytes make no frames; return the latest time of the next call."""
        if now_s >= self._back_s:
            self._report_back()
        with self._lock:
            due_s = self._health.unframed_from_s
            unframed = due_s is not None and self._health.makes_no_frames(now_s)
        self._said_unframed &= due_s is not None
        if unframed and not self._said_unframed:
            self._said_unframed = True
            _logger.warning("%s: %s", self.name, ADVICE[LinkStage.BYTES])
            self._on_damage(NotUnderstood(self._unframed, "noise", None), now_s)
        # Where it is over and too few bytes came, the next ones are looked at as they come.
        return min(self._back_s, NEVER_S if due_s is None or due_s <= now_s else due_s)

    def port_lost(self, error: DriverError) -> None:
        for garbage in self._forget(error):
            self._count_garbage(garbage)
        with self._lock:
            was_open = self._health.connected_since_s is not None
            self._health.lost(error)
        if was_open:
            self._flapping.lost(self._clock(), reported=not self._down, short=isinstance(error, PortHungUp))
        self._back_s = NEVER_S
        self._report_lost(error)

    # --- for a family ------------------------------------------------------------------------------------------------

    @abstractmethod
    def _forget(self, error: DriverError) -> list[Garbage]:
        """Drop and return half a frame; drop pending commands."""

    def _received(self, data: bytes, now_s: float, *, filling: int = 0) -> None:
        with self._lock:
            if self._health.unframed_from_s is None:
                self._unframed = b""
            self._health.received(len(data), now_s, filling=filling)
        if self._back_s != NEVER_S and not self._flapping.flaps:
            self._report_back()
        self._unframed = (self._unframed + data)[-UNFRAMED_KEPT:]

    def _skip(self, garbage: Garbage, now_s: float) -> None:
        self._count_garbage(garbage)
        if isinstance(garbage, NotUnderstood):
            with self._lock:
                self._health.framed()
            self._on_damage(garbage, now_s)

    def _report_back(self) -> None:
        self._down, self._back_s = False, NEVER_S
        self._listener.back()

    def _report_lost(self, error: DriverError) -> None:
        if not self._down:
            self._down = True
            self._listener.lost(error)

    def _count_garbage(self, garbage: Garbage) -> None:
        with self._lock:
            self._health.garbage(len(garbage.raw), garbage.reason, self._clock())
        # Not the bytes: a damaged frame may hold a card that lies face down. `cardshoe capture` shows them on a bench.
        _logger.debug("%s: skipped %d bytes (%s)", self.name, len(garbage.raw), garbage.reason)
