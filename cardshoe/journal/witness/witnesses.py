"""All witnesses of a table: begun and ended together, and watched."""

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
"""Seconds that a signature may wait for a witness before the log records it."""

LOOK_S: Final = 1.0
"""Seconds between two polls of the pending notes."""


class Witnesses:
    """The witnesses of one table.

    Args:
        tasks: through which they ask the table's thread.
        submit: puts an event into the table's inbox, from any thread.
        monotonic: a clock that only goes forward, in seconds.
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
        """Begin, each with what it lacks.

        Raises:
            JournalBroken: a witness holds a note that the journal does not.
            WitnessFailed: a witness is unreadable, though not just absent.
        """
        for witness in self._witnesses:
            witness.start(journal)
        if self._witnesses:
            self._watch.start()

    def begin(self, journal: Journal) -> None:
        """Begin with a journal that was made just now; nothing waits for a witness."""
        for witness in self._witnesses:
            witness.begin(journal)
        if self._witnesses:
            self._watch.start()

    def windows(self) -> dict[str, PendingNotes]:
        """Return the notes that each of them does not hold yet, by its name."""
        return {witness.name: witness.window() for witness in self._witnesses}

    def poll(self) -> None:
        """Log each witness that is behind, and each that has caught up: once for each outage.

        The event itself is signed, and that signature waits with the others: it must not make another event.
        """
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
        """End, after a last attempt of each; called once the table's thread uses the journal no longer.

        Returns:
            By name, the notes that each witness did not get.
        """
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
