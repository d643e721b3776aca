"""Figures of a running process in a text file for Prometheus."""

import logging
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, Self

from prometheus_client import CollectorRegistry, write_to_textfile
from prometheus_client.core import Metric

logger: Final = logging.getLogger(__name__)

WRITE_S: Final = 5.0
"""Seconds between two writings; a collector usually reads every fifteen."""


class MetricsFile:
    """While the block runs, writes the figures every few seconds, in a thread of its own.

    A failed write is logged once until it succeeds again; the process continues. ``figures`` may raise ``OSError``,
    treated likewise.

    Args:
        path: the file, by custom ``*.prom``. It is replaced as a whole: a reader never gets half of it.
    """

    def __init__(self, path: Path, figures: Callable[[], Iterable[Metric]]) -> None:
        self._path: Final = path
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

    def collect(self) -> Iterable[Metric]:
        """The figures of now, as the registry asks for them."""
        return self._figures()

    def _work(self) -> None:
        while not self._over.wait(WRITE_S):
            self.write()
