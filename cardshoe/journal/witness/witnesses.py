"""All witnesses of a table, begun and ended together."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

from cardshoe.journal import Journal
from cardshoe.journal.witness.tasks import Tasks
from cardshoe.journal.witness.witness import NoteSender, PendingNotes
from drivers.flapping import Flapping
from regulations.events.inputs import AnyInput
from regulations.events.notices import WitnessBehind, WitnessCurrent

BEHIND_S: Final = 60.0
"""Delay of a signature until the log records it."""

LOOK_S: Final = 1.0


class Witnesses:
    """The witnesses of one table.

    Args:
        submit: puts an event into the table's inbox, from any thread.
    """

    def __init__(
        self,
        witnesses: Sequence[NoteSender],
        tasks: Tasks,
        submit: Callable[[AnyInput], object],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._witnesses: Final = witnesses
        self._tasks: Final = tasks
        self._submit: Final = submit
        self._monotonic: Final = monotonic
        self._behind_since: Final[dict[str, float]] = {}
        self._current_since: Final[dict[str, float]] = {}
        self._flapping: Final[dict[str, Flapping]] = {}
        self._over: Final = threading.Event()
        self._watch: Final = threading.Thread(target=self._watch_all, name="witness-watch", daemon=True)

    def start(self, journal: Journal) -> None:
        """Begin, each with the notes that it lacks.

        Raises:
            JournalBroken: a witness holds a note that the journal lacks.
            WitnessFailed: a witness is unreadable.
        """
        for witness in self._witnesses:
            witness.start(journal)
        if self._witnesses:
            self._watch.start()

    def begin(self, journal: Journal) -> None:
        """Begin with a new journal."""
        for witness in self._witnesses:
            witness.begin(journal)
        if self._witnesses:
            self._watch.start()

    def windows(self) -> dict[str, PendingNotes]:
        """Pending notes, by witness."""
        return {witness.name: witness.window() for witness in self._witnesses}

    def poll(self) -> None:
        """Log each witness that falls behind or catches up, once per outage."""
        for name, window in self.windows().items():
            now = self._monotonic()
            since = self._behind_since.get(name)
            flapping = self._flapping.setdefault(name, Flapping())
            if window.seconds > BEHIND_S:
                self._current_since.pop(name, None)
            if since is None and window.seconds > BEHIND_S:
                self._behind_since[name] = now
                flapping.lost(now, reported=True, short=False)
                self._submit(WitnessBehind(witness=name, notes=window.notes, seconds=int(window.seconds)))
            elif since is not None and not window.notes:
                if now - self._current_since.setdefault(name, now) < flapping.wait_s:
                    continue  # it comes and goes: a few lines an hour are enough
                del self._behind_since[name], self._current_since[name]
                self._submit(WitnessCurrent(witness=name, seconds=int(now - since)))

    def stop(self) -> dict[str, PendingNotes]:
        """End after a last attempt, once the journal is unused; unsent notes by name."""
        self._over.set()
        self._tasks.hand_over()
        stopping = [threading.Thread(target=witness.stop, daemon=True) for witness in self._witnesses]
        for thread in stopping:
            thread.start()
        for thread in stopping:
            thread.join()
        self._tasks.close()
        return self.windows()

    def _watch_all(self) -> None:
        while not self._over.wait(LOOK_S):
            self.poll()
