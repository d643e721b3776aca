"""Printing and logging behind a queue: a slow reader never delays the table."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Self

from cardshoe.process.output_queue import LIMIT, OutputQueue, OutputQueueHandler
from cardshoe.process.plain_log import PlainFormatter
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.terminal.printing import Printer


class Screen:
    def __init__(self, printer: Printer, limit: int = LIMIT) -> None:
        self._printer: Final = printer
        self._outlet: Final = OutputQueue("screen", printer.missed, limit)

    def __enter__(self) -> Self:
        self._outlet.start()
        return self

    def __exit__(self, *_error: object) -> None:
        # What is left is printed, if that can be done soon.
        self._outlet.close()

    def __call__(self, taken: LoggedInput) -> None:
        self._outlet.put(lambda: self._printer(taken))

    def say(self, text: str) -> None:
        """Queue a remark."""
        self._outlet.put(lambda: self._printer.say(text))

    def show(self, picture: str) -> None:
        """Queue a picture."""
        self._outlet.put(lambda: self._printer.show(picture))


@contextmanager
def logged(write: Callable[[bytes], None], level: int) -> Iterator[None]:
    """Write log records through the queue while the block runs."""
    handler, root = OutputQueueHandler(write), logging.getLogger()
    handler.setFormatter(PlainFormatter("cardshoe: %(message)s"))
    before = root.level
    root.addHandler(handler)
    root.setLevel(level)
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
        handler.close()
