"""Log records for a terminal or a service manager."""

import logging
import os
from typing import Any, Final

from cardshoe.process.free_text import terminal_text
from cardshoe.process.output_queue import OutputQueueHandler

STANDARD_ERROR: Final = 2


class PlainFormatter(logging.Formatter):
    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # as the library has it
        """The line of a record."""
        return terminal_text(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: ANN401, N802  # as the library has it
        """The traceback of a record."""
        return "\n".join(f"  {terminal_text(line)}" for line in super().formatException(ei).split("\n"))


def log_plainly(form: str) -> None:
    handler = OutputQueueHandler(_write)
    handler.setFormatter(PlainFormatter(form))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])


def _write(data: bytes) -> None:
    # Not through Python's buffer: its lock, held while nobody reads, would keep the program from ending.
    while data:
        data = data[os.write(STANDARD_ERROR, data) :]
