"""An uplink's delay behind its table."""

import threading
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

from prometheus_client.core import GaugeMetricFamily, Metric

from cardshoe.journal import JournalError
from cardshoe.table.uplink.delivery import at_of


class UplinkFigures:
    """The delay; from any thread."""

    def __init__(self, now: Callable[[], str]) -> None:
        self._now: Final = now
        self._turn: Final = threading.Lock()
        self._logs: Final[dict[str, tuple[int, int]]] = {}
        self._unread: dict[str, str] = {}
        self._since = ""
        self.delivered = 0

    def log(self, log: str, last: int, mark: int) -> None:
        """Set a log's last entry and receipt."""
        with self._turn:
            self._logs[log] = (last, mark)

    def durable(self, log: str, last: int) -> None:
        """Set the last durable entry, sendable or not."""
        with self._turn:
            before, mark = self._logs.get(log, (-1, -1))
            self._logs[log] = (max(before, last), mark)
            if last > mark and not self._since:
                self._since = self._now()

    def waits(self, log: str, last: int, data: bytes) -> None:
        """Set the waiting entry and the last one."""
        with self._turn:
            before, mark = self._logs.get(log, (-1, -1))
            self._logs[log] = (max(before, last), mark)
            self._since = self._since or at_of(data) or self._now()

    def sent(self, log: str, mark: int) -> None:
        """Set the floor's receipt."""
        with self._turn:
            last, before = self._logs.get(log, (mark, mark))
            self._logs[log] = (max(last, mark), mark)
            self.delivered += max(0, mark - before)
            self._since = ""

    def unread(self, journals: Mapping[Path, JournalError]) -> None:
        """Set the unreadable closed journals."""
        named = {path.name: error.problem for path, error in journals.items()}
        with self._turn:
            self._unread = named

    @property
    def cannot_be_read(self) -> Mapping[str, str]:
        """Why closed journals cannot be read, by name."""
        with self._turn:
            return self._unread

    @property
    def lag_entries(self) -> int:
        with self._turn:
            return sum(max(0, last - mark) for last, mark in self._logs.values())

    @property
    def lag_seconds(self) -> float:
        """Age of the oldest entry under way; 0: none."""
        with self._turn:
            since = self._since
        if not since:
            return 0.0
        try:
            return max(0.0, (datetime.fromisoformat(self._now()) - datetime.fromisoformat(since)).total_seconds())
        except (ValueError, TypeError):
            return 0.0

    def metrics(self, table_id: str) -> Iterator[Metric]:
        """The figures for Prometheus."""
        for name, about, value in (
            ("cardshoe_uplink_lag_entries", "Durable entries that the floor lacks.", self.lag_entries),
            ("cardshoe_uplink_lag_seconds", "Seconds that the oldest of them has waited.", self.lag_seconds),
        ):
            family = GaugeMetricFamily(name, about, labels=["table"])
            family.add_metric([table_id], value)
            yield family
        about = "Closed journals that cannot be read, and so are not delivered; 1 for each."
        family = GaugeMetricFamily("cardshoe_uplink_unread", about, labels=["table", "journal", "why"])
        for journal, why in self.cannot_be_read.items():
            family.add_metric([table_id, journal, why], 1)
        yield family
