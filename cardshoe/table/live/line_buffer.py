"""The last lines of a table's log."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final

from cardshoe.table.live.messages import written_line

LINES: Final = 8_192
BYTES: Final = 2 * 1024 * 1024


class KeptLines:
    def __init__(self, seq: int) -> None:
        self.last = seq
        self._messages: Final[deque[bytes]] = deque()
        self._bytes = 0

    def add(self, lines: Iterable[bytes]) -> bytes:
        """Add lines, the first with the next number; return them encoded."""
        messages = [written_line(line) for line in lines]
        self._messages.extend(messages)
        self.last += len(messages)
        self._bytes += sum(map(len, messages))
        while len(self._messages) > LINES or self._bytes > BYTES:
            self._bytes -= len(self._messages.popleft())
        return b"".join(messages)

    def has_after(self, seq: int) -> bool:
        return self.last - len(self._messages) <= seq <= self.last

    def after(self, seq: int) -> Iterator[bytes]:
        """The encoded lines after ``seq``, if all are kept."""
        skipped = seq - (self.last - len(self._messages))
        return (message for number, message in enumerate(self._messages) if number >= skipped)
