"""One client of a table's live socket."""

import itertools
import socket
import time
from collections import deque
from typing import Final

from cardshoe.table.live.messages import LINE_MAX, Error, ErrorCode, Personal, Reading, SayAct, written

WAITING_BYTES: Final = 4 * 1024 * 1024
PATIENCE_S: Final = 5.0
ACTS: Final = 8
_RECEIVED: Final = 65_536
_SENT: Final = 64


class Connection:
    """One client.

    Attributes:
        events: of its selector; 0: not registered.
        awaits: its unanswered requests; see `is_read`.
    """

    def __init__(self, accepted: socket.socket, number: int, *, may_say: bool = True) -> None:
        self.sock: Final = accepted
        self.number: Final = number
        self.may_say: Final = may_say
        self.is_subscribed = self.wants_notes = self.wants_view = False
        self.awaits: Final[list[Personal | Reading]] = []
        self.is_ending = False
        self.heard_s = time.monotonic()
        self.events = 0
        self._ends_s = 0.0
        self._received = bytearray()
        self._waiting: Final[deque[bytes]] = deque()
        self._waiting_bytes = 0
        self._sent = 0

    # --- what it says ------------------------------------------------------------------------------------------------

    def receive(self) -> None:
        """Read available bytes.

        Raises:
            OSError: the connection is lost.
        """
        data = self.sock.recv(_RECEIVED)
        self.heard_s = time.monotonic()
        if data:
            self._received += data
        elif self.is_subscribed:
            raise ConnectionResetError
        else:
            self.end()

    @property
    def is_read(self) -> bool:
        # A busy device may keep an act for 10 s: others who share the connection do not wait for it.
        is_free = len(self.awaits) < ACTS and all(isinstance(one, SayAct) for one in self.awaits)
        return is_free and not self.is_ending

    def next_line(self) -> bytes | None:
        if not self.is_read:
            return None
        end = self._received.find(b"\n")
        if end >= LINE_MAX or (end < 0 and len(self._received) >= LINE_MAX):
            self.cut_off("too_long", f"a line of more than {LINE_MAX} bytes; one input is a tenth of it")
            return None
        if end < 0:
            return None
        line = bytes(self._received[:end])
        del self._received[: end + 1]
        return line

    # --- what it is told ---------------------------------------------------------------------------------------------

    def tell(self, message: bytes) -> None:
        """Queue a message; a client with too many is cut off."""
        if self._ends_s:
            return
        self._waiting.append(message)
        self._waiting_bytes += len(message)
        if self._waiting_bytes > WAITING_BYTES:
            self.cut_off("slow", "what was sent was not taken in time; connect again, and name the last line that came")

    def cut_off(self, code: ErrorCode, reason: str) -> None:
        left_out = 0
        if code == "slow":
            # What it has a part of it gets whole: no line of its is broken.
            kept = 1 if self._sent else 0
            left_out = len(self._waiting) - kept
            first = list(itertools.islice(self._waiting, kept))
            self._waiting.clear()
            self._waiting.extend(first)
        self._waiting.append(written(Error(code=code, reason=reason, left_out=left_out)))
        self._waiting_bytes = sum(map(len, self._waiting))
        self.end()

    def end(self) -> None:
        """Close after the queue is sent, or some patience."""
        self.is_ending, self.is_subscribed = True, False
        self._ends_s = self._ends_s or time.monotonic() + PATIENCE_S

    def send(self) -> None:
        """Send as much as possible.

        Raises:
            OSError: the connection is lost.
        """
        while self._waiting:
            parts: list[bytes | memoryview] = list(itertools.islice(self._waiting, _SENT))
            parts[0] = memoryview(parts[0])[self._sent :]
            try:
                sent = self.sock.sendmsg(parts)
            except BlockingIOError:
                return
            self._waiting_bytes -= sent
            sent += self._sent
            while self._waiting and sent >= len(self._waiting[0]):
                sent -= len(self._waiting.popleft())
            self._sent = sent

    @property
    def has_waiting(self) -> bool:
        return bool(self._waiting)

    @property
    def is_over(self) -> bool:
        return self.is_ending and (not (self._waiting or self.awaits) or self.left_s <= 0)

    @property
    def left_s(self) -> float:
        return self._ends_s - time.monotonic()
