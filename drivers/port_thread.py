"""One thread per port: it alone opens, reads, writes, closes and reopens it.

Every end of a connection takes one path: close, report, reopen under the stable name.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, ParamSpec, Protocol, TypeVar

from drivers.budget import Budget
from drivers.errors import (
    DriverError,
    InternalDriverError,
    OverBudget,
    PortBlocked,
    PortHungUp,
    PortLost,
    SendQueueFull,
)
from drivers.flapping import HANG_UP_S
from drivers.hotplug import SHARED, HotplugWatcher, PlugEvent
from drivers.port import Port

LOOK_S: Final = 0.05
"""Seconds between calls of ``time_passed``, also on a simulation's faster clock."""

LONGEST_WAIT_S: Final = 1.0

NEVER_S: Final = float("inf")

SHORTEST_WAIT_S: Final = 0.001

REOPEN_FIRST_S: Final = 0.1
"""A pty or TCP peer that restarts is back by then."""

REOPEN_FACTOR: Final = 2.0

HANG_UP_PAUSES: Final = 5.0
"""Factor where the far end accepts connections only to end them: 10 s."""

REOPEN_MAX_S: Final = 2.0
"""The delay after a cable is plugged in again."""

SEND_QUEUE_LIMIT: Final = 64
"""A device has one command outstanding: more means that the line is stuck."""

_logger: Final = logging.getLogger(__name__)

ToldT = TypeVar("ToldT")
ToldP = ParamSpec("ToldP")


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """Pauses in seconds between attempts to open a port.

    Attributes:
        max_s: where the far end hangs up at once, five times that.
    """

    first_s: float = REOPEN_FIRST_S
    factor: float = REOPEN_FACTOR
    max_s: float = REOPEN_MAX_S

    def after(self, pause_s: float, *, hung_up: bool = False) -> float:
        """Return the pause that follows a pause of ``pause_s`` seconds."""
        return min(pause_s * self.factor, self.max_s * (HANG_UP_PAUSES if hung_up else 1.0))


class PortListener(Protocol):
    """Called from the port's thread, one at a time; return soon.

    An exception is reported as ``InternalDriverError`` and the port reopened: bytes may be lost.
    """

    def port_opened(self) -> None:
        """``send`` works from here on."""

    def bytes_received(self, data: bytes, now_s: float) -> None:
        """At least one byte, at ``now_s`` on the thread's clock."""

    def time_passed(self, now_s: float) -> float:
        """Handle timeouts, once a second at least; return the latest time of the next call."""

    def port_lost(self, error: DriverError) -> None:
        """Once for each loss, and again when the reason changes."""


class PortThread:
    """For one use; ``make_port`` returns a new, closed port for every opening."""

    def __init__(
        self,
        name: str,
        make_port: Callable[[], Port],
        listener: PortListener,
        *,
        clock: Callable[[], float] = time.monotonic,
        backoff: Backoff | None = None,
        hotplug: HotplugWatcher = SHARED,
    ) -> None:
        self.name = name
        self._make_port = make_port
        self._listener = listener
        self._clock = clock
        self._longest_wait_s = LONGEST_WAIT_S if clock is time.monotonic else LOOK_S
        self._backoff = backoff or Backoff()
        self._hotplug = hotplug
        self._budget: Budget | None = None
        self._stopping = threading.Event()
        # Cleared while the port must stay closed: until a person lets the device in again.
        self._is_readmitted = threading.Event()
        self._is_readmitted.set()
        # Ends a pause: set when something is plugged in, and when the thread is to end.
        self._hint = threading.Event()
        self._end_hints: Callable[[], None] = _no_hints
        self._lock = threading.Lock()
        self._connected = False
        self._port: Port | None = None
        self._to_write: deque[bytes] = deque()
        self._reported: tuple[type[DriverError], str] | None = None
        # A daemon: a system call that never returns must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, name=f"port {name}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def limit(self, budget: Budget) -> None:
        """Call before ``start``."""
        self._budget = budget

    def block(self) -> None:
        """Until :meth:`readmit`; from any thread, also before ``start``."""
        self._is_readmitted.clear()
        self.wake()

    def readmit(self) -> None:
        """With a full budget; from any thread."""
        if self._budget is not None:
            self._budget.fill()
        self._is_readmitted.set()

    def stop(self, timeout_s: float) -> bool:
        """Without a call of the listener; return whether the thread has ended.

        Opening an unanswering TCP address delays it by 5 s.
        """
        self._stopping.set()
        self._hint.set()
        self._is_readmitted.set()
        self.wake()
        if self._thread.ident is None:
            return True
        if threading.current_thread() is self._thread:
            return False
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def send(self, data: bytes) -> None:
        """Write within 0.05 s; from any thread; nothing is kept for a later connection.

        Raises:
            PortLost: the port is not open.
            SendQueueFull: 64 writes wait already.
        """
        with self._lock:
            if not self._connected or self._stopping.is_set():
                raise PortLost(self.name, "not connected, nothing was sent", "Wait until the device is back.")
            if len(self._to_write) >= SEND_QUEUE_LIMIT:
                raise SendQueueFull(self.name, f"{SEND_QUEUE_LIMIT} writes wait already", "Check the line.")
            self._to_write.append(bytes(data))
        if threading.get_ident() != self._thread.ident:  # itself it writes before it reads again
            self.wake()

    def wake(self) -> None:
        """Call ``time_passed`` as soon as possible; from any thread."""
        port = self._port
        if port is not None:
            port.wake()

    @property
    def connected(self) -> bool:
        return self._connected

    def _run(self) -> None:
        pause_s = self._backoff.first_s
        while not self._stopping.is_set():
            self._is_readmitted.wait()
            if self._stopping.is_set():
                break
            self._hint.clear()
            error, useful = self._connection()
            if error is not None and not self._stopping.is_set():  # what fails because it is stopped is no loss
                self._report(error)
            if isinstance(error, PortBlocked):
                pause_s = self._backoff.first_s
                continue
            # A box that accepts a connection only to close it must not be called ten times a second: not the opening
            # but the first byte shows that the line is back.
            pause_s = self._backoff.first_s if useful else pause_s
            hinted = self._pause(pause_s)
            hung_up = isinstance(error, PortHungUp)
            pause_s = self._backoff.first_s if hinted else self._backoff.after(pause_s, hung_up=hung_up)
        self._stop_hints()

    def _pause(self, pause_s: float) -> bool:
        # Wait, but no longer than until something is plugged in; whether it was. The first pause is waited
        # for in any case: a hub that flutters must not make an attempt of each event.
        if self._end_hints is _no_hints:
            self._end_hints = self._hotplug.subscribe(self._plugged)
        if self._stopping.wait(min(pause_s, self._backoff.first_s)):
            return False
        return self._hint.wait(pause_s - self._backoff.first_s)

    def _plugged(self, event: PlugEvent) -> None:
        if event.what == "plugged":
            self._hint.set()

    def _stop_hints(self) -> None:
        self._end_hints()
        self._end_hints = _no_hints

    def _connection(self) -> tuple[DriverError | None, bool]:
        # Open the port and serve it until it is lost or the thread is stopped.
        port: Port | None = None
        useful = False
        opened_s: float | None = None
        try:
            port = self._make_port()
            port.open()
            with self._lock:
                self._connected = True
            self._port = port
            self._reported = None
            self._stop_hints()
            self._call_listener("port_opened", self._listener.port_opened)
            due_s = opened_s = self._clock()
            while not self._stopping.is_set():
                arrived, due_s = self._turn(port, due_s)
                useful = arrived or useful
        except PortLost as error:
            is_hang_up = opened_s is not None and not useful and self._clock() - opened_s < HANG_UP_S
            return PortHungUp(self.name, error) if is_hang_up and _is_network(self.name) else error, useful
        except DriverError as error:
            return error, useful
        except Exception as error:  # noqa: BLE001  a port of a third party may raise anything; the thread must live on
            return InternalDriverError(self.name, "the port", error), useful
        finally:
            self._port = None
            with self._lock:
                self._connected = False
                self._to_write.clear()
            if port is not None:
                self._close(port)
        return None, useful

    def _turn(self, port: Port, due_s: float) -> tuple[bool, float]:
        data = port.read(min(max(due_s - self._clock(), SHORTEST_WAIT_S), self._longest_wait_s))
        now_s = self._clock()
        if data:
            self._call_listener("bytes_received", self._listener.bytes_received, data, now_s)
            self._spend(len(data), now_s)
        next_s = self._call_listener("time_passed", self._listener.time_passed, now_s)
        if not self._is_readmitted.is_set():
            raise PortBlocked(self.name)
        if self._to_write:  # what another thread puts there from here on comes with a wake
            for waiting in self._pop_waiting():
                port.write(waiting)
        return bool(data), next_s

    def _spend(self, size: int, now_s: float) -> None:
        if self._budget is None:
            return
        self._budget.received(size)
        if self._budget.is_exceeded(now_s):
            self._is_readmitted.clear()
            raise OverBudget(self.name)

    def _pop_waiting(self) -> list[bytes]:
        with self._lock:
            waiting = list(self._to_write)
            self._to_write.clear()
        return waiting

    def _call_listener(
        self, what: str, call: Callable[ToldP, ToldT], *told: ToldP.args, **named: ToldP.kwargs
    ) -> ToldT:
        try:
            return call(*told, **named)
        except Exception as error:
            raise InternalDriverError(self.name, f"the listener's {what}", error) from error

    def _report(self, error: DriverError) -> None:
        reason = (type(error), error.problem)
        if reason == self._reported:
            return
        self._reported = reason
        try:
            self._listener.port_lost(error)
            if isinstance(error, OverBudget) and self._budget is not None:
                self._budget.exceeded()
        except Exception:
            _logger.exception("%s: defect in the listener's port_lost", self.name)

    def _close(self, port: Port) -> None:
        try:
            port.close()
        except Exception:
            _logger.exception("%s: defect in the port's close", self.name)


def _is_network(name: str) -> bool:
    return name.startswith(("socket://", "rfc2217://"))


def _no_hints() -> None:
    """Nothing is subscribed."""
