"""Many simulated tables deliver their journals while database and collector are killed and batches come again.

``python -m tests.cardshoe.floor.campaign [--tables N] [--only PART]``; the last line is for programs. Every line must
be stored once, without a gap, and no mark that was ever given may be ahead of what is stored. The parts: ``playing``,
tables that play while they deliver; ``closed``, journals that were closed before, for how much the collector can take;
``cost``, what an uplink takes from its table; ``week``, a table that was off line for seven days; ``storm``, all tables
at once; ``viewers``, who look at the page of all tables;
``plots``, the page of a quarter of a year; ``watch``, the CPU of the live watch.
"""

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from cardshoe.table.uplink.uplink import TIMES, Uplink
from tests.cardshoe.floor.batches import Journal
from tests.cardshoe.floor.cost import TURNS, Cost, cost
from tests.cardshoe.floor.playing import KILLS, Played, playing, stored_as
from tests.cardshoe.floor.plotted import Plotted, plotting
from tests.cardshoe.floor.postgres import Postgres
from tests.cardshoe.floor.repeating import OVER_S, Delivered, Repeating, finished, known, marks_ahead
from tests.cardshoe.floor.searched import Searched, searching, searching_a_month
from tests.cardshoe.floor.site import Collector, Site
from tests.cardshoe.floor.storm import REVOKED_MAX_S, Storm, storm
from tests.cardshoe.floor.tables import SEED, journal, names, played
from tests.cardshoe.floor.viewers import MANY, Viewing, viewing
from tests.cardshoe.floor.waiting import QUICK, wait_until
from tests.cardshoe.floor.watched import Watched, watched
from tests.cardshoe.floor.week import CaughtUp, catching_up, pace
from tests.kit.campaign import CampaignCommand

PARTS: Final = ("playing", "closed", "cost", "week", "storm", "viewers", "plots", "watch", "searches", "month")
FEWEST: Final = 70
"""Entries that each table must have had."""
VIEWERS: Final = (MANY // 8, MANY)


Part = Played | Delivered | Cost | CaughtUp | Storm | Viewing | Plotted | Watched | Searched


def campaign(
    folder: Path, site: Site, postgres: Postgres, database: str, tables: int, rounds: int, kills: int = KILLS
) -> Delivered:
    """Plays and delivers.

    Args:
        folder: of the journals and the collector.
        site: certificates; those of the tables are made.
        postgres: is killed.
        database: an empty one of it.
        tables: how many.
        rounds: that each plays.
        kills: of the database, and of the collector.
    """
    inputs = played(rounds)
    books = [Journal(journal(folder / name, name, inputs)) for name in names(tables)]
    state = folder / "state"
    state.mkdir(mode=0o700)
    with Collector(site, state, database) as floor:
        uplinks = [Uplink(site.uplink(floor.address, folder / book.table, book.table), QUICK) for book in books]
        carriers = [Repeating(one, SEED + n) for n, one in enumerate(uplinks)]
        threads = [threading.Thread(target=one.run) for one in uplinks]
        began_s = time.monotonic()
        for thread in threads:
            thread.start()
        ahead = 0
        for kill in range(2 * kills):
            part = (kill + 1) / (2 * kills + 1)
            wait_until(lambda: _delivered(carriers) >= part * _all(books), seconds=OVER_S)  # noqa: B023  # at once
            if kill % 2:
                floor.kill()
                floor.start()
            else:
                before = known(carriers)
                postgres.kill()
                postgres.start()
                ahead += marks_ahead(database, before)
        wait_until(lambda: finished(database) == len(books), seconds=OVER_S)
        seconds = time.monotonic() - began_s
        for one in uplinks:
            one.stop()
        for thread in threads:
            thread.join()
    wrong = sum(stored_as(database, book) != book.entries for book in books)
    return Delivered("closed", _all(books), seconds, sum(one.again for one in carriers), ahead, wrong)


def _all(books: Sequence[Journal]) -> int:
    return sum(len(book.entries) for book in books)


def _delivered(carriers: Sequence[Repeating]) -> int:
    return sum(mark.entry + 1 for mark in known(carriers).values())


def _bad(found: Part) -> bool:
    match found:
        case Played():
            return bool(found.ahead or found.wrong or found.alarms or found.fewest < FEWEST)
        case Delivered():
            return bool(found.ahead or found.wrong)
        case CaughtUp():
            return bool(found.wrong)
        case Storm():
            return bool(found.refused or found.revoked_s > REVOKED_MAX_S)
        case Viewing() | Plotted() | Watched() | Searched():
            return found.is_bad
        case _:
            return False


def _parts(given: argparse.Namespace) -> dict[str, Callable[[Path, Site, Postgres, str], Part]]:
    shoes = given.shoes or pace().shoes_a_day
    return {
        "playing": lambda folder, site, postgres, database: playing(
            folder,
            site,
            postgres,
            database,
            tables=given.tables,
            rounds=given.rounds,
            speed=given.speed,
            processes=given.processes,
            kills=given.kills,
            again_s=given.again,
        ),
        "closed": lambda folder, site, postgres, database: campaign(
            folder, site, postgres, database, given.tables, given.rounds, given.kills
        ),
        "cost": lambda folder, site, _, database: cost(folder, site, database, given.turns),
        "week": lambda folder, site, _, database: catching_up(folder, site, database, given.days, shoes),
        "storm": lambda folder, site, _, database: storm(folder, site, database, given.tables),
        "viewers": lambda folder, site, _, database: viewing(
            folder, site, database, tables=given.tables, viewers=given.viewers or VIEWERS, seconds=given.seconds
        ),
        "watch": lambda folder, _site, _, database: watched(folder, database, tables=given.tables),
        "plots": lambda folder, _site, _, database: plotting(folder, database, tables=given.tables),
        "searches": lambda _folder, _site, _, database: searching(database),
        "month": lambda *_: searching_a_month(),
    }


def main() -> int:
    """The long form."""
    command = CampaignCommand("floor", __doc__, seed=None)
    command.option("--only", action="append", choices=PARTS, help="this part alone; may be given again")
    command.option("--tables", type=int, default=300)
    command.option("--rounds", type=int, default=12)
    command.option("--kills", type=int, default=KILLS)
    command.option("--speed", type=float, default=1.5, help="of tables that play; 1: a calm croupier")
    command.option("--processes", type=int, default=4, help="that hold them, and as many their uplinks")
    command.option("--again", type=float, default=TIMES.again[1], help="seconds at most until a floor is tried again")
    command.option("--turns", type=int, default=TURNS, help="of each kind, for the cost of an uplink")
    command.option("--days", type=int, default=7, help="for which a table was off line")
    command.option("--shoes", type=int, help="games a day; as many as a calm croupier deals in 24 hours")
    command.option("--viewers", type=int, action="append", help="this number of viewers alone; may be given again")
    command.option("--seconds", type=float, default=20.0, help="that each number of viewers is measured")
    given = command.begin()
    parts, found = _parts(given), []
    # Processes are forked in the first part: nothing may have a thread before it.
    for name in given.only or PARTS:
        with Postgres() as postgres, tempfile.TemporaryDirectory(prefix="cardshoe-campaign-") as folder:
            site = Site(Path(folder) / "site")
            found.append(parts[name](Path(folder), site, postgres, postgres.database("campaign")))
        command.say(found[-1])
    return command.end(" ".join(_named(one) for one in found), is_good=not any(_bad(one) for one in found))


def _named(found: Part) -> str:
    """The figures of a part, each with the part's name before it."""
    name, figures = str(found).split(": ", 1)
    return " ".join(f"{name}_{figure}" for figure in figures.split())


if __name__ == "__main__":
    sys.exit(main())
