"""Forward stored lines to one receiver.

Committed after sending: a crash repeats messages with the same ids. One position per log and alarm.
"""

import logging
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any, Final

from psycopg.rows import dict_row

from cardshoe.floor.database import Database, Db, Unavailable
from cardshoe.floor.siem.events import (
    LINES,
    StoredLine,
    Told,
    json_line,
    lines_reported,
    of_alarm,
    of_line,
    of_watch,
    syslog,
)
from cardshoe.floor.siem.section import OF_WATCH, Kind, SiemSection
from cardshoe.floor.siem.transports import Outlet, Shut, outlet_of

logger: Final = logging.getLogger(__name__)

LOOK_S: Final = 1.0
AGAIN_S: Final = (1.0, 30.0)
LOGS: Final = 200
REACH: Final = 2000
END_S: Final = 15.0
_BEGUN: Final = "INSERT INTO outward (name) VALUES (%s) ON CONFLICT DO NOTHING RETURNING name"
_SKIPPED_LOGS: Final = (
    "INSERT INTO outward_logs (name, table_id, log, entry) SELECT %s, table_id, log, mark FROM streams"
)
_SKIPPED_ALARMS: Final = """
INSERT INTO outward_alarms (name, alarm, told) SELECT %s, id, told FROM alarms, unnest(ARRAY['raised', 'closed']) told
WHERE closed_at IS NOT NULL
"""
_SKIPPED_WATCH: Final = """
INSERT INTO outward_watch (name, alarm, told)
SELECT %s, id, told FROM watch_alarms, unnest(ARRAY['raised', 'closed']) told WHERE closed_at IS NOT NULL
"""
_MOVED: Final = """
SELECT s.table_id, s.log, s.month, coalesce(o.entry, -1) AS after,
       least(s.mark, coalesce(o.entry, -1) + %(reach)s) AS upto
FROM streams s LEFT JOIN outward_logs o ON o.name = %(name)s AND o.table_id = s.table_id AND o.log = s.log
WHERE s.mark > coalesce(o.entry, -1) ORDER BY s.heard_at LIMIT %(logs)s
"""
_LINES: Final = """
SELECT e.table_id AS table, e.log, e.seq, e.events, e.at, e.lines
FROM unnest(%(tables)s::text[], %(names)s::text[], %(months)s::date[], %(after)s::bigint[], %(upto)s::bigint[])
     AS w (table_id, log, month, after, upto)
JOIN entries e ON e.table_id = w.table_id AND e.log = w.log AND e.month = w.month
    AND e.number > greatest(w.after, 0) AND e.number <= w.upto
WHERE e.events && %(events)s ORDER BY e.at, e.table_id, e.log, e.number
"""
_ALARMS: Final = """
SELECT a.*, told FROM alarms a, unnest(ARRAY['raised', 'closed']) told
WHERE (told = 'raised' OR a.closed_at IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM outward_alarms o WHERE o.name = %(name)s AND o.alarm = a.id AND o.told = told.told)
ORDER BY a.id, told DESC LIMIT %(logs)s
"""
_WATCH: Final = """
SELECT a.*, told FROM watch_alarms a, unnest(ARRAY['raised', 'closed']) told
WHERE a.kind = ANY(%(kinds)s) AND (told = 'raised' OR a.closed_at IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM outward_watch o WHERE o.name = %(name)s AND o.alarm = a.id AND o.told = told.told)
ORDER BY a.id, told DESC LIMIT %(logs)s
"""
_PLACED: Final = """
INSERT INTO outward_logs (name, table_id, log, entry) VALUES (%s, %s, %s, %s)
ON CONFLICT (name, table_id, log) DO UPDATE SET entry = excluded.entry
"""
_ALARM_TOLD: Final = "INSERT INTO outward_alarms (name, alarm, told) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"
_WATCH_TOLD: Final = "INSERT INTO outward_watch (name, alarm, told) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"


class Telling:
    def __init__(self, name: str, section: SiemSection, database: Database, outlet: Outlet) -> None:
        self._name: Final = name
        self._section: Final = section
        self._database: Final = database
        self._outlet: Final = outlet
        self._kinds: Final[frozenset[Kind]] = frozenset(section.kinds)
        self._host: Final = socket.gethostname()
        self._told = ""

    def run(self, over: threading.Event) -> None:
        """Forward until an event is set."""
        wait_s = AGAIN_S[0]
        while not over.is_set():
            try:
                while self.step() and not over.is_set():
                    continue
            except (Unavailable, Shut) as error:
                if not self._database.is_given_up:  # else the floor ends
                    self._tell(f"siem.{self._name}: {error}; it is tried again")
            except Exception:
                # Such as a right that the database withholds: surveillance is told once that is over.
                logger.exception("siem.%s: nothing can be sent; it is tried again", self._name)
            else:
                self._told, wait_s = "", AGAIN_S[0]
                over.wait(LOOK_S)
                continue
            over.wait(wait_s)
            wait_s = min(2 * wait_s, AGAIN_S[1])

    def step(self) -> bool:
        """Forward a portion; return whether there was any."""
        with self._database.transaction() as db:
            self._begin(db)
            moved, alarms, watch = self._moved(db), self._alarms(db), self._watch(db)
            lines = self._lines(db, moved) if moved else []
        told = [*(of_alarm(row, row["told"]) for row in alarms), *map(of_line, lines)]
        told += [of_watch(row, row["told"]) for row in watch]
        wanted = [one for one in told if not self._kinds or one.kind in self._kinds]
        if wanted:
            self._outlet.send([self._written(one) for one in wanted])
        if moved or alarms or watch:
            with self._database.transaction() as db, db.cursor() as cursor:
                places = [(self._name, row["table_id"], row["log"], row["upto"]) for row in moved]
                cursor.executemany(_PLACED, places)
                cursor.executemany(_ALARM_TOLD, [(self._name, row["id"], row["told"]) for row in alarms])
                cursor.executemany(_WATCH_TOLD, [(self._name, row["id"], row["told"]) for row in watch])
        return bool(moved or alarms or watch)

    def _begin(self, db: Db) -> None:
        if db.execute(_BEGUN, (self._name,)).fetchone() is not None and not self._section.history:
            db.execute(_SKIPPED_LOGS, (self._name,))
            db.execute(_SKIPPED_ALARMS, (self._name,))
            db.execute(_SKIPPED_WATCH, (self._name,))

    def _moved(self, db: Db) -> list[dict[str, Any]]:
        with db.cursor(row_factory=dict_row) as cursor:
            return cursor.execute(_MOVED, {"name": self._name, "reach": REACH, "logs": LOGS}).fetchall()

    def _alarms(self, db: Db) -> list[dict[str, Any]]:
        with db.cursor(row_factory=dict_row) as cursor:
            return cursor.execute(_ALARMS, {"name": self._name, "logs": LOGS}).fetchall()

    def _watch(self, db: Db) -> list[dict[str, Any]]:
        kinds = list(self._kinds & OF_WATCH)
        if not kinds:
            return []
        with db.cursor(row_factory=dict_row) as cursor:
            return cursor.execute(_WATCH, {"name": self._name, "kinds": kinds, "logs": LOGS}).fetchall()

    def _lines(self, db: Db, moved: list[dict[str, Any]]) -> list[StoredLine]:
        wanted = {
            "tables": [row["table_id"] for row in moved],
            "names": [row["log"] for row in moved],
            "months": [row["month"] for row in moved],
            "after": [row["after"] for row in moved],
            "upto": [row["upto"] for row in moved],
            "events": list(LINES),
        }
        with db.cursor(row_factory=dict_row) as cursor:
            return [line for row in cursor.execute(_LINES, wanted) for line in lines_reported(row)]

    def _written(self, one: Told) -> bytes:
        return json_line(one) if self._section.format == "json" else syslog(one, self._host, self._section.enterprise)

    def _tell(self, what: str) -> None:
        if what != self._told:
            logger.warning("%s", what)
        self._told = what


@contextmanager
def telling(sections: Mapping[str, SiemSection], database: Database) -> Iterator[None]:
    """Forward to all receivers, in a thread each."""
    over = threading.Event()
    tellings = [Telling(name, section, database, outlet_of(section)) for name, section in sections.items()]
    with ExitStack() as ending:
        for one in tellings:
            thread = threading.Thread(target=one.run, args=(over,), name="siem", daemon=True)
            thread.start()
            ending.callback(thread.join, END_S)
        ending.callback(over.set)
        yield
