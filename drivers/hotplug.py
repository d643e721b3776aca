"""Reports plugging in and out, so that a missing port opens at once.

Only a hint: missed, repeated or foreign events do no harm.
"""

import itertools
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, Protocol, TypeAlias

from drivers.discovery import list_everything
from drivers.port_names import PortCandidate

LOOK_EVERY_S: Final = 0.5
"""Seconds between polls; reopening pauses up to 2 s."""

UDEV_WAIT_S: Final = 0.25

SUBSYSTEMS: Final = ("tty", "usb")

_UDEV_RUNS: Final = Path("/run/udev/control")
_logger: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PlugEvent:
    what: Literal["plugged", "unplugged"]
    device: str


Hear: TypeAlias = Callable[[PlugEvent], None]


class PlugSource(Protocol):
    def watch(self, hear: Hear, stopping: threading.Event) -> None:
        """Report each event; return within a second of ``stopping``.

        Any exception means that the next source is used.
        """


class UdevMonitor(Protocol):
    def poll(self, timeout: float) -> Any | None:  # noqa: ANN401  pyudev has no types
        """``None`` when the time is up."""


class UdevSource(PlugSource):
    def __init__(self, open_monitor: Callable[[], UdevMonitor] | None = None) -> None:
        self._open_monitor = open_monitor or _monitor

    def watch(self, hear: Hear, stopping: threading.Event) -> None:
        monitor = self._open_monitor()
        kinds: Mapping[str, Literal["plugged", "unplugged"]] = {"add": "plugged", "remove": "unplugged"}
        while not stopping.is_set():
            event = monitor.poll(UDEV_WAIT_S)
            if event is not None and event.action in kinds:
                hear(PlugEvent(kinds[event.action], event.device_node or f"/sys{event.device_path}"))


class PollingSource(PlugSource):
    def __init__(
        self, list_now: Callable[[], list[PortCandidate]] = list_everything, every_s: float = LOOK_EVERY_S
    ) -> None:
        self._list_now = list_now
        self._every_s = every_s

    def watch(self, hear: Hear, stopping: threading.Event) -> None:
        there = {candidate.device for candidate in self._list_now()}
        while not stopping.wait(self._every_s):
            before, there = there, {candidate.device for candidate in self._list_now()}
            for device in sorted(before - there):
                hear(PlugEvent("unplugged", device))
            for device in sorted(there - before):
                hear(PlugEvent("plugged", device))


class HotplugWatcher:
    def __init__(self, *sources: PlugSource) -> None:
        self._sources = sources or (UdevSource(), PollingSource())
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._subscribers: dict[int, Hear] = {}
        self._stopping: threading.Event | None = None

    def subscribe(self, hear: Hear) -> Callable[[], None]:
        """In the watcher's thread; the returned function ends it, from any thread."""
        with self._lock:
            number = next(self._numbers)
            self._subscribers[number] = hear
            if self._stopping is None:
                self._stopping = threading.Event()
                threading.Thread(target=self._run, args=(self._stopping,), name="hotplug", daemon=True).start()
        return lambda: self._unsubscribe(number)

    def _unsubscribe(self, number: int) -> None:
        with self._lock:
            self._subscribers.pop(number, None)
            if not self._subscribers and self._stopping is not None:
                self._stopping.set()
                self._stopping = None

    def _run(self, stopping: threading.Event) -> None:
        for source in self._sources:
            try:
                source.watch(self._publish, stopping)
            except Exception as error:  # noqa: BLE001  whatever it is: ports are opened after their pauses all the same
                _logger.debug("%s cannot watch for plugged devices: %r", type(source).__name__, error)
            else:
                return

    def _publish(self, event: PlugEvent) -> None:
        with self._lock:
            subscribers = list(self._subscribers.values())
        for hear in subscribers:
            try:
                hear(event)
            except Exception:
                _logger.exception("defect in a subscriber to %s", event)


def _monitor() -> UdevMonitor:
    import pyudev  # noqa: PLC0415  an extra; on Linux alone

    # What udev itself says comes after it has set group and link. Where it does not run, the kernel is all there is.
    monitor: Any = pyudev.Monitor.from_netlink(pyudev.Context(), "udev" if _UDEV_RUNS.exists() else "kernel")
    for subsystem in SUBSYSTEMS:
        monitor.filter_by(subsystem)
    monitor.start()
    listening: UdevMonitor = monitor
    return listening


SHARED: Final = HotplugWatcher()
