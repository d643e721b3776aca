"""Many simulated tables deliver their journals by NATS while everything between them and the database is killed.

``python -m tests.cardshoe.floor.nats_campaign [--tables N] [--rounds N]``; the last line is for programs. The NATS
server is killed twice, once with the stream and its files removed; the stream is deleted under a running server;
collector and database are killed. Every line must be stored once, without a gap, and no mark that was ever given may be
ahead of what is stored.
"""

import asyncio
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from cardshoe.journal.delivery.nats_link import linked
from cardshoe.journal.delivery.subjects import STREAM
from cardshoe.table.uplink.uplink import Uplink
from tests.cardshoe.floor.batches import Journal
from tests.cardshoe.floor.nats_server import Nats
from tests.cardshoe.floor.postgres import Postgres
from tests.cardshoe.floor.repeating import OVER_S, Delivered, Repeating, finished, known, marks_ahead
from tests.cardshoe.floor.site import Collector, Site
from tests.cardshoe.floor.tables import SEED, journal, names, played
from tests.cardshoe.floor.waiting import QUICK, stored, wait_until
from tests.kit.campaign import CampaignCommand


def campaign(folder: Path, site: Site, postgres: Postgres, database: str, tables: int, rounds: int) -> Delivered:
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
    total = sum(len(book.entries) for book in books)
    state = folder / "state"
    state.mkdir(mode=0o700)
    ids = [book.table for book in books]
    with Nats(site, folder / "nats", ids) as nats, Collector(site, state, database, nats.floor_toml) as floor:
        uplinks = [Uplink(nats.uplink(folder / book.table, book.table, floor.key), QUICK) for book in books]
        carriers = [Repeating(one, SEED + n) for n, one in enumerate(uplinks)]
        ahead = 0

        def kill_database() -> None:
            nonlocal ahead
            before = known(carriers)
            postgres.kill()
            postgres.start()
            ahead += marks_ahead(database, before)

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
        wait_until(lambda: finished(database) == len(books), seconds=OVER_S)
        seconds = time.monotonic() - began_s
        for one in uplinks:
            one.stop()
        for thread in threads:
            thread.join()
        ahead += marks_ahead(database, known(carriers))
    wrong = sum(stored(database, book.table, book.log) != book.entries for book in books)
    return Delivered("nats campaign", total, seconds, sum(one.again for one in carriers), ahead, wrong)


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


def main() -> int:
    """The long form."""
    command = CampaignCommand("nats", __doc__, seed=None)
    command.option("--tables", type=int, default=300)
    command.option("--rounds", type=int, default=12)
    given = command.begin()
    with Postgres() as postgres, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        site = Site(folder / "site")
        found = campaign(folder, site, postgres, postgres.database("campaign"), given.tables, given.rounds)
    return command.end(found, is_good=not found.ahead and not found.wrong)


if __name__ == "__main__":
    sys.exit(main())
