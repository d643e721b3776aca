"""How far an uplink is behind its table, for Prometheus: lines, and seconds."""

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final, Self

from prometheus_client import CollectorRegistry, write_to_textfile
from prometheus_client.core import GaugeMetricFamily, Metric

from table.journal import JournalError
from table.uplink.delivery import at_of

logger: Final = logging.getLogger(__name__)

WRITE_S: Final = 5.0
"""Seconds between two writings, as of the table's own figures."""


class Figures:
    """How far it is; from any thread.

    Args:
        now: the time, RFC 3339, UTC.

    Attributes:
        delivered: lines since the start.
    """

    def __init__(self, now: Callable[[], str]) -> None:
        self._now: Final = now
        self._turn: Final = threading.Lock()
        self._logs: Final[dict[str, tuple[int, int]]] = {}
        self._unread: dict[str, str] = {}
        self._since = ""
        self.delivered = 0

    def log(self, log: str, last: int, mark: int) -> None:
        """A log: its last line, and the floor's mark."""
        with self._turn:
            self._logs[log] = (last, mark)

    def durable(self, log: str, last: int) -> None:
        """The last durable line of a log, whether or not it can be sent."""
        with self._turn:
            before, mark = self._logs.get(log, (-1, -1))
            self._logs[log] = (max(before, last), mark)
            if last > mark and not self._since:
                self._since = self._now()

    def waits(self, log: str, last: int, line: bytes) -> None:
        """A line that is to be sent, and the last one that there is."""
        with self._turn:
            before, mark = self._logs.get(log, (-1, -1))
            self._logs[log] = (max(before, last), mark)
            self._since = self._since or at_of(line) or self._now()

    def sent(self, log: str, mark: int) -> None:
        """The floor's mark has moved."""
        with self._turn:
            last, before = self._logs.get(log, (mark, mark))
            self._logs[log] = (max(last, mark), mark)
            self.delivered += max(0, mark - before)
            self._since = ""

    def unread(self, journals: Mapping[Path, JournalError]) -> None:
        """The closed journals that cannot be read now."""
        named = {path.name: error.problem for path, error in journals.items()}
        with self._turn:
            self._unread = named

    @property
    def cannot_be_read(self) -> Mapping[str, str]:
        """By its name, why a closed journal cannot be read, and so not be delivered."""
        with self._turn:
            return self._unread

    @property
    def lag_entries(self) -> int:
        """Lines that the floor lacks."""
        with self._turn:
            return sum(max(0, last - mark) for last, mark in self._logs.values())

    @property
    def lag_seconds(self) -> float:
        """Seconds since the oldest of the lines that are being sent was written; 0: none is."""
        with self._turn:
            since = self._since
        if not since:
            return 0.0
        try:
            return max(0.0, (datetime.fromisoformat(self._now()) - datetime.fromisoformat(since)).total_seconds())
        except (ValueError, TypeError):
            return 0.0


class FiguresFile:
    """Writes the figures every few seconds, in a thread of its own; a file that cannot be written is told once.

    Args:
        path: the file, by custom ``*.prom``; replaced as a whole.
        table_id: the table, as a label.
        figures: what to write.
    """

    def __init__(self, path: Path, table_id: str, figures: Figures) -> None:
        self._path: Final = path
        self._table_id: Final = table_id
        self._figures: Final = figures
        self._registry: Final = CollectorRegistry(auto_describe=False)
        self._registry.register(self)
        self._over: Final = threading.Event()
        self._is_failing = False
        self._thread: Final = threading.Thread(target=self._work, name="metrics", daemon=True)

    def __enter__(self) -> Self:
        self.write()
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        self._thread.join()
        self.write()

    def write(self) -> None:
        """Writes the figures of now."""
        try:
            write_to_textfile(str(self._path), self._registry)
        except OSError as error:
            if not self._is_failing:
                logger.warning("%s: the metrics cannot be written: %s", self._path, error.strerror or error)
            self._is_failing = True
        else:
            self._is_failing = False

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics for the registry."""
        for name, about, value in (
            ("cardshoe_uplink_lag_entries", "Durable lines that the floor lacks.", self._figures.lag_entries),
            ("cardshoe_uplink_lag_seconds", "Seconds that the oldest of them has waited.", self._figures.lag_seconds),
        ):
            family = GaugeMetricFamily(name, about, labels=["table"])
            family.add_metric([self._table_id], value)
            yield family
        about = "Closed journals that cannot be read, and so are not delivered; 1 for each."
        family = GaugeMetricFamily("cardshoe_uplink_unread", about, labels=["table", "journal", "why"])
        for journal, why in self._figures.cannot_be_read.items():
            family.add_metric([self._table_id, journal, why], 1)
        yield family

    def _work(self) -> None:
        while not self._over.wait(WRITE_S):
            self.write()
