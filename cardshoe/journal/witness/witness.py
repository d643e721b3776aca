"""Send durable notes to a witness in a thread.

The table never waits for a witness.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from cardshoe.journal import Journal, WitnessFailed
from cardshoe.journal.witness.targets import WitnessTarget
from cardshoe.process.log_throttle import LogThrottle

logger: Final = logging.getLogger(__name__)

RETRY_S: Final = 5.0

STOP_S: Final = 10.0
"""The table's end waits so long for the last notes."""


class PendingNotes(msgspec.Struct, frozen=True):
    notes: int
    seconds: float


class NoteSender:
    def __init__(
        self, holder: WitnessTarget, monotonic: Callable[[], float] = time.monotonic, retry_s: float = RETRY_S
    ) -> None:
        self.name: Final = holder.name
        self._holder = holder
        self._monotonic = monotonic
        self._retry_s = retry_s
        self._waiting: deque[tuple[float, bytes]] = deque()
        self._changed = threading.Condition()
        self._stopping = False
        self._failing = ""
        self._quiet: Final = LogThrottle()
        self._is_said = False
        self._thread = threading.Thread(target=self._work, name="witness", daemon=True)

    def start(self, journal: Journal) -> None:
        """Begin with the notes that the witness lacks.

        Raises:
            JournalBroken: the witness holds a note that the journal lacks.
            WitnessFailed: the witness cannot be read.
        """
        try:
            missing = self._holder.missing(journal)
        except BaseException:
            self._holder.close()
            raise
        self._follow(journal, missing)

    def begin(self, journal: Journal) -> None:
        """Begin with a new journal; sends no query."""
        self._follow(journal, self._holder.begin(journal))

    def _follow(self, journal: Journal, missing: Sequence[bytes]) -> None:
        for note in missing:
            self.submit(note)
        journal.listen(self.submit)
        self._thread.start()

    def submit(self, note: bytes) -> None:
        """Queue a note; from any thread, returns at once."""
        with self._changed:
            self._waiting.append((self._monotonic(), note))
            self._changed.notify_all()

    def window(self) -> PendingNotes:
        """The notes that the witness lacks."""
        with self._changed:
            if not self._waiting:
                return PendingNotes(0, 0.0)
            return PendingNotes(len(self._waiting), self._monotonic() - self._waiting[0][0])

    def stop(self) -> PendingNotes:
        """End after a last attempt; return the unsent notes."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(STOP_S)
        self._holder.close()
        return self.window()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._stopping)
                notes, last = [note for _, note in self._waiting], self._stopping
            if notes and self._write(notes):
                with self._changed:
                    for _ in notes:
                        self._waiting.popleft()
            elif notes and not last:
                with self._changed:
                    self._changed.wait_for(lambda: self._stopping, self._retry_s)
            if last:
                return

    def _write(self, notes: list[bytes]) -> bool:
        try:
            self._holder.append(notes)
        except WitnessFailed as error:
            if str(error) != self._failing:
                self._is_said = self._quiet.is_due(str(error), time.monotonic())
                if self._is_said:
                    logger.warning("%s", error)
            self._failing = str(error)
            return False
        if self._failing and self._is_said:
            logger.warning("%s: the witness holds everything again", self.name)
        self._failing = ""
        return True
