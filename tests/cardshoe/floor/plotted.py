"""The time that the page of plots takes over a quarter of a year of many tables."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

import psycopg

from cardshoe.floor.pages.days import ZONE
from tests.cardshoe.floor.browsers import Browser, Interface

DAYS: Final = 92
LAST: Final = "2026-11-22"
ROUNDS_A_DAY: Final = 60
"""Of a table, far fewer than real ones have: raw rounds only measure what the sums save."""
IRREGULARITIES_A_DAY: Final = 8
FAULTS_A_DAY: Final = 2
PAGE_S_MAX: Final = 1.0
TURNS: Final = 3
"""Of each measurement the best turn counts: what else the machine does only adds."""
_LOGS: Final = """
INSERT INTO streams (table_id, log, month, origin, first_key, game, program, mark, edge, seq, note, last)
SELECT 'T-' || number, lpad(to_hex(number), 32, '0'), '2026-08-01', 't', 'k', 'baccarat', 'p', 0, '', 0, '', 0
FROM generate_series(1, %(tables)s) number;
"""
_PROJECTED: Final = "INSERT INTO projected (table_id, log, entry, form) SELECT table_id, log, 0, 1 FROM streams"
_MOMENTS: Final = """
FROM streams CROSS JOIN generate_series(1, %(days)s) day CROSS JOIN generate_series(1, {a_day}) number
CROSS JOIN LATERAL (SELECT %(end)s::timestamptz - day * interval '1 day' + number * interval '1 day' / {a_day}
                    - interval '1 second' AS at, day * {a_day} + number AS key) moment
"""
_FACTS: Final = {
    "rounds": "INSERT INTO rounds SELECT table_id, log, key, day, at, CASE WHEN key %% 200 <> 0 THEN 'player' END, "
    "key %% 200 = 0, key %% 50 = 1, false, key, key, key, key, 0, 0, '{}', ''" + _MOMENTS.format(a_day=ROUNDS_A_DAY),
    "irregularities": "INSERT INTO irregularities SELECT table_id, log, key, key, at, key, day, "
    "(ARRAY['misdeal', 'device_fault', 'dispute', 'card_not_due'])[1 + key %% 4], 'art.', ''"
    + _MOMENTS.format(a_day=IRREGULARITIES_A_DAY),
    "faults": "INSERT INTO device_faults SELECT table_id, log, key, 'shoe', 'S' || table_id, 'TDP S-416', '1.7.2', "
    "(key %% 5)::text, 'device', at" + _MOMENTS.format(a_day=FAULTS_A_DAY),
}
_SUMS: Final = """
INSERT INTO round_sums SELECT table_id, log, date_bin('1 hour', at, '1970-01-01Z'), sum(counted(rounds)),
       sum(voided::integer), sum(staked), sum(house) FROM rounds GROUP BY 1, 2, 3
"""
_RAW: Final = """
SELECT date_bin('1 day', at, %(begin)s), count(*) FILTER (WHERE counted(rounds) = 1), count(*) FILTER (WHERE voided)
FROM rounds WHERE at >= %(begin)s AND at < %(end)s GROUP BY 1
"""


class Plotted(NamedTuple):
    """The page of plots.

    Attributes:
        days: that were asked for.
        page_s: seconds from the request to the page.
        raw_s: seconds of a query that counts the rounds one by one.
    """

    tables: int
    days: int
    rounds: int
    page_s: float
    raw_s: float

    @property
    def is_bad(self) -> bool:
        """True if the page takes too long."""
        return self.page_s > PAGE_S_MAX

    def __str__(self) -> str:
        return (
            f"plots: tables={self.tables} days={self.days} rounds={self.rounds} page_s={self.page_s:.2f} "
            f"rounds_one_by_one_s={self.raw_s:.2f}"
        )


def plotting(folder: Path, database: str, *, tables: int, days: int = DAYS) -> Plotted:
    """Ask for the page, in this process.

    Args:
        database: an empty one.
        days: for which there are facts, and for which the page is asked.
    """
    state = folder / "state"
    state.mkdir(mode=0o700)
    end = datetime.fromisoformat(LAST).replace(tzinfo=ZONE) + timedelta(days=1)
    begin = end - timedelta(days=days)
    with Interface(state, database) as interface, psycopg.connect(database) as db:
        _fill(db, {"tables": tables, "days": days, "end": end})
        browser = Browser(interface)
        assert browser.sign_in("sara").status_code == 201
        query = {"from": (begin.date()).isoformat(), "to": LAST, "lang": "en"}

        def page() -> None:
            assert browser.ask("GET", "/plots", params=query).status_code == 200

        def raw() -> None:
            db.execute(_RAW, {"begin": begin, "end": end}).fetchall()

        (rounds,) = db.execute("SELECT count(*) FROM rounds").fetchone() or (0,)
        return Plotted(tables, days, rounds, min(map(_took, [page] * TURNS)), min(map(_took, [raw] * TURNS)))


def _fill(db: "psycopg.Connection[Any]", wanted: dict[str, object]) -> None:
    with _without_triggers(db):
        for statement in (_LOGS, _PROJECTED, *_FACTS.values(), _SUMS):
            db.execute(statement, wanted)
    db.commit()
    db.autocommit = True
    db.execute("VACUUM ANALYZE")


@contextmanager
def _without_triggers(db: "psycopg.Connection[Any]") -> Iterator[None]:
    db.execute("SET session_replication_role = replica")
    yield
    db.execute("SET session_replication_role = DEFAULT")


def _took(work: Callable[[], None]) -> float:
    began_s = time.monotonic()
    work()
    return time.monotonic() - began_s
