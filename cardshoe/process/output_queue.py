"""Output from a bounded queue by a thread.

A stopped terminal (Ctrl-S) or a pipe without reader blocks each write.
"""

import logging
import threading
from collections import deque
from collections.abc import Callable
from typing import Final

LIMIT: Final = 4_096
PATIENCE_S: Final = 1.0

logger: Final = logging.getLogger(__name__)


class OutputQueue:
    """Writes in a thread, in order.

    Above the limit output is dropped; ``missed`` then gets the number, and ends the output if it returns False.
    """

    def __init__(self, name: str, missed: Callable[[int], bool], limit: int = LIMIT) -> None:
        self._missed: Final = missed
        self._limit: Final = limit
        self._waiting: Final[deque[Callable[[], None]]] = deque()
        self._changed: Final = threading.Condition()
        self._left_out = 0
        self._is_over = False
        self._is_closing = False
        # A daemon: a write that never returns must not keep the program from ending.
        self._thread: Final = threading.Thread(target=self._write, name=name, daemon=True)

    def start(self) -> None:
        """Start writing."""
        self._thread.start()

    def put(self, write: Callable[[], None]) -> None:
        """Queue a write; from any thread, returns at once."""
        with self._changed:
            if self._is_over:
                return
            if self._left_out or len(self._waiting) >= self._limit:
                self._left_out += 1
                return
            self._waiting.append(write)
            self._changed.notify()

    def close(self, patience_s: float = PATIENCE_S) -> bool:
        """End after the queue is written, or ``patience_s`` seconds; True: all written."""
        with self._changed:
            self._is_closing = True
            self._changed.notify()
        self._thread.join(patience_s)
        return not self._thread.is_alive()

    def _write(self) -> None:
        while (write := self._next()) is not None:
            try:
                write()
            except (OSError, ValueError) as error:  # ValueError: the stream is closed
                self._give_up(error)
                return
            except Exception:
                # What comes after it must be seen all the same.
                logger.exception("something could not be put into words; the journal has it")

    def _next(self) -> Callable[[], None] | None:
        with self._changed:
            while True:
                if self._waiting:
                    return self._waiting.popleft()
                if self._is_over:
                    return None
                if self._left_out:
                    left_out, self._left_out = self._left_out, 0
                    return lambda: self._report_missed(left_out)
                if self._is_closing:
                    return None
                self._changed.wait()

    def _report_missed(self, left_out: int) -> None:
        if not self._missed(left_out):
            with self._changed:
                self._is_over = True

    def _give_up(self, error: Exception) -> None:
        with self._changed:
            self._is_over = True
            self._waiting.clear()
        logger.warning("the output takes no more (%s); the program continues", error)


class OutputQueueHandler(logging.Handler):
    def __init__(self, write: Callable[[bytes], None]) -> None:
        super().__init__()
        self._write: Final = write
        self._outlet: Final = OutputQueue("log", self._missed)
        self._outlet.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Queue a record."""
        text = self.format(record) + "\n"
        self._outlet.put(lambda: self._write(text.encode("utf-8", "replace")))

    def close(self) -> None:
        """Write the rest, within the patience."""
        self._outlet.close()
        super().close()

    def _missed(self, left_out: int) -> bool:
        self._write(f"cardshoe: {left_out} messages were left out: the output was blocked\n".encode())
        return True
