"""Many simulated tables deliver their journals by NATS while everything between them and the database is killed.

``python -m tests.cardshoe.floor.nats_campaign [--tables N] [--rounds N]``; the last line is for programs. The NATS
server is killed twice, once with the stream and its files removed; the stream is deleted under a running server;
collector and database are killed. Every line must be stored once, without a gap, and no mark that was ever given may be
ahead of what is stored.
"""

import argparse
import asyncio
import random
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import psycopg

from cardshoe.journal.delivery.nats_link import linked
from cardshoe.journal.delivery.subjects import STREAM
from cardshoe.journal.delivery.wire import Batch, Has, Mark, Marks, Stands
from cardshoe.table.uplink.uplink import Uplink
from tests.cardshoe.floor.batches import Journal
from tests.cardshoe.floor.nats_server import Nats
from tests.cardshoe.floor.postgres import Postgres
from tests.cardshoe.floor.site import Collector, Site
from tests.cardshoe.floor.tables import SEED, journal, names, played
from tests.cardshoe.floor.waiting import QUICK, stored, wait_until

AGAIN: Final = 0.1
"""The part of batches that is sent again."""
OVER_S: Final = 1800.0


class Watched:
    """A carrier that sends some batches again, and keeps the newest mark of each log that it is given.

    Attributes:
        marks: by log.
        again: batches that were sent again.
    """

    def __init__(self, inner: "Uplink", seed: int) -> None:
        self._inner: Final = inner._carrier  # noqa: SLF001  # in its place: all else is the real thing
        self._rng: Final = random.Random(seed)
        self.marks: Final[dict[str, Mark]] = {}
        self.again = 0
        inner._carrier = self  # type: ignore[misc, assignment]  # noqa: SLF001  # as above
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


class Found(NamedTuple):
    """The result of a campaign.

    Attributes:
        lines: in all journals.
        seconds: that it took.
        again: batches that were sent again.
        ahead: marks that were ahead of what was stored, after the database was killed and at the end.
        wrong: logs that are not stored as they are.
    """

    lines: int
    seconds: float
    again: int
    ahead: int
    wrong: int

    def __str__(self) -> str:
        rate = self.lines / self.seconds
        return (
            f"nats campaign: lines={self.lines} seconds={self.seconds:.1f} lines_per_s={rate:.0f} again={self.again} "
            f"marks_ahead={self.ahead} logs_wrong={self.wrong} seed={SEED}"
        )


def campaign(folder: Path, site: Site, postgres: Postgres, database: str, tables: int, rounds: int) -> Found:
    """Delivers, and has everything fail in turn.

    Args:
        folder: of the journals, the collector and the NATS server.
        site: certificates; those of the tables are made.
        postgres: is killed.
        database: an empty one of it.
        tables: how many.
        rounds: that each plays.
    """
    inputs = played(rounds)
    books = [Journal(journal(folder / name, name, inputs)) for name in names(tables)]
    total = sum(len(book.lines) for book in books)
    state = folder / "state"
    state.mkdir(mode=0o700)
    ids = [book.table for book in books]
    with Nats(site, folder / "nats", ids) as nats, Collector(site, state, database, nats.floor_toml) as floor:
        uplinks = [Uplink(nats.uplink(folder / book.table, book.table, floor.key), QUICK) for book in books]
        carriers = [Watched(one, SEED + n) for n, one in enumerate(uplinks)]
        ahead = 0

        def known() -> dict[str, Mark]:
            return {log: mark for one in carriers for log, mark in dict(one.marks).items()}

        def kill_database() -> None:
            nonlocal ahead
            before = known()
            postgres.kill()
            postgres.start()
            ahead += _ahead(database, before)

        accidents: list[Callable[[], None]] = [
            lambda: _again(nats),
            kill_database,
            lambda: _again(nats, nats.forget),
            lambda: _again(floor),
            lambda: asyncio.run(_delete_stream(site, nats)),
        ]
        threads = [threading.Thread(target=one.run) for one in uplinks]
        waves = len(accidents) + 1
        began_s = time.monotonic()
        for number in range(waves):
            # Some begin just before each accident: they are in the midst of it.
            for thread in threads[number::waves]:
                thread.start()
            if number < len(accidents):
                wait_until(lambda: any(one.marks for one in carriers[number::waves]), seconds=OVER_S)  # noqa: B023  # at once
                accidents[number]()
        wait_until(lambda: _finished(database) == len(books), seconds=OVER_S)
        seconds = time.monotonic() - began_s
        for one in uplinks:
            one.stop()
        for thread in threads:
            thread.join()
        ahead += _ahead(database, known())
    wrong = sum(stored(database, book.table, book.log) != book.lines for book in books)
    return Found(total, seconds, sum(one.again for one in carriers), ahead, wrong)


def _again(process: Nats | Collector, between: Callable[[], None] = lambda: None) -> None:
    process.kill()
    between()
    process.start()


async def _delete_stream(site: Site, nats: Nats) -> None:
    said: list[str] = []
    link = await linked(
        [nats.address],
        site.tls("floor").client(),
        name="accident",
        inbox="_INBOX",
        said=said.append,
        lost=lambda: None,
    )
    try:
        await link.jetstream().delete_stream(STREAM)
    finally:
        await link.close()


def _ahead(database: str, known: dict[str, Mark]) -> int:
    """Marks that were given and are ahead of what the database has."""
    with psycopg.connect(database) as db:
        has = {str(log): int(end) for log, end in db.execute("SELECT log, count(*) FROM events GROUP BY log")}
    return sum(mark.seq + 1 > has.get(log, 0) for log, mark in known.items())


def _finished(database: str) -> int:
    with psycopg.connect(database) as db:
        row = db.execute("SELECT count(*) FROM streams WHERE mark = last AND proved = last").fetchone()
    return 0 if row is None else int(row[0])


def main(arguments: Sequence[str] | None = None) -> None:
    """The long form."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=12)
    given = parser.parse_args(arguments)
    with Postgres() as postgres, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        site = Site(folder / "site")
        found = campaign(folder, site, postgres, postgres.database("campaign"), given.tables, given.rounds)
    print(found)
    if found.ahead or found.wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
