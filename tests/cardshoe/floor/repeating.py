"""The common part of the campaigns of closed journals: carriers that send some batches again, and what is found."""

import random
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import psycopg

from cardshoe.journal.delivery.wire import Batch, Has, Mark, Marks, Stands
from cardshoe.table.uplink.uplink import Uplink
from tests.cardshoe.floor.playing import AGAIN
from tests.cardshoe.floor.tables import SEED

OVER_S: Final = 1800.0


class Repeating:
    """A carrier that sends some batches again, and keeps the newest mark of each log that it is given."""

    def __init__(self, uplink: Uplink, seed: int) -> None:
        self._inner: Final = uplink._carrier  # noqa: SLF001  # in its place: all else is the real thing
        self._rng: Final = random.Random(seed)
        self.marks: Final[dict[str, Mark]] = {}
        self.again = 0
        uplink._carrier = self  # type: ignore[misc, assignment]  # noqa: SLF001  # as above
        self.close: Final = self._inner.close
        self.mark: Final = self._inner.mark

    def has(self, has: Has) -> Marks:
        """Asks how far the floor is."""
        return self._inner.has(has)

    def send(self, batch: Batch) -> Stands:
        """Sends a batch, and perhaps once more."""
        stands = self._inner.send(batch)
        if self._rng.random() < AGAIN:
            self.again += 1
            stands = self._inner.send(batch)
        if (mark := self.mark(stands, batch.head.table, batch.head.log)) is not None:
            self.marks[batch.head.log] = mark
        return stands


class Delivered(NamedTuple):
    """The result of a campaign.

    Attributes:
        seconds: that it took.
    """

    name: str
    entries: int
    seconds: float
    again: int
    ahead: int
    wrong: int

    def __str__(self) -> str:
        return (
            f"{self.name}: entries={self.entries} seconds={self.seconds:.1f} "
            f"entries_per_s={self.entries / self.seconds:.0f} "
            f"again={self.again} marks_ahead={self.ahead} logs_wrong={self.wrong} seed={SEED}"
        )


def known(carriers: Sequence[Repeating]) -> dict[str, Mark]:
    """The newest mark of each log."""
    return {log: mark for one in carriers for log, mark in dict(one.marks).items()}


def marks_ahead(database: str, given: Mapping[str, Mark]) -> int:
    """Marks that were given and are ahead of what the database has."""
    with psycopg.connect(database) as db:
        has = {str(log): int(end) for log, end in db.execute("SELECT log, count(*) FROM entries GROUP BY log")}
    return sum(mark.entry + 1 > has.get(log, 0) for log, mark in given.items())


def finished(database: str) -> int:
    """Logs that are stored and proved to their ends."""
    with psycopg.connect(database) as db:
        row = db.execute("SELECT count(*) FROM streams WHERE mark = last AND proved = last").fetchone()
    return 0 if row is None else int(row[0])
