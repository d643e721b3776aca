"""A pipe beside the line, by which a wait in ``select`` ends early."""

import os
import threading
from typing import Final

_READ_BYTES: Final = 64


class WakeupPipe:
    """All calls may come from any thread, and none waits."""

    def __init__(self) -> None:
        self.descriptor, self._write_end = os.pipe()
        os.set_blocking(self.descriptor, False)
        os.set_blocking(self._write_end, False)
        # So that nobody writes to a number, or reads from one, that is another file's by now. Whoever wakes gives
        # Python's lock away while it writes: the one that wakes up must not have to wait for it at once.
        self._writing = threading.Lock()
        self._reading = threading.Lock()
        self._is_set = False
        self._is_open = True

    def wake(self) -> None:
        with self._writing:
            if self._is_open and not self._is_set:
                self._is_set = True
                os.write(self._write_end, b"\0")

    def clear(self) -> bool:
        with self._reading:
            try:
                was_set = self._is_open and bool(os.read(self.descriptor, _READ_BYTES))
            except BlockingIOError:
                was_set = False
        # After the read: the byte of a wake that comes between the two would be read, and the mark of it left, so that
        # no later one wrote. What comes before this line need not write: whoever takes looks at what there is next.
        self._is_set = False
        return was_set

    def close(self) -> None:
        with self._writing, self._reading:
            if self._is_open:
                self._is_open = False
                os.close(self.descriptor)
                os.close(self._write_end)
