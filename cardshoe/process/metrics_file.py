"""Figures of a process in a text file for Prometheus."""

import logging
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, Self

from prometheus_client import CollectorRegistry, write_to_textfile
from prometheus_client.core import Metric

logger: Final = logging.getLogger(__name__)

WRITE_S: Final = 5.0


class MetricsFile:
    """Write the figures in a thread while the block runs.

    A failed write, or an ``OSError`` of ``figures``, is logged once; the file is replaced whole.
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
        """Write the current figures."""
        try:
            write_to_textfile(str(self._path), self._registry)
        except OSError as error:
            if not self._is_failing:
                logger.warning("%s: the metrics cannot be written: %s", self._path, error.strerror or error)
            self._is_failing = True
        else:
            self._is_failing = False

    def collect(self) -> Iterable[Metric]:
        """The current figures, for the registry."""
        return self._figures()

    def _work(self) -> None:
        while not self._over.wait(WRITE_S):
            self.write()
