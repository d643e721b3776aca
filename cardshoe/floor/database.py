"""The floor's PostgreSQL: settings, schema, partitions, retention."""

import contextlib
import os
import re
import socket
import threading
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from importlib import resources
from typing import Any, Final, Self

import psycopg
from psycopg import Connection, sql
from psycopg.rows import TupleRow, dict_row
from psycopg_pool import ConnectionPool, PoolTimeout

from cardshoe.process.exits import Exit, Stop

OLDEST: Final = 150_000
CONNECTIONS: Final = 8
CONNECT_S: Final = 5.0
APPLICATION: Final = "cardshoe floor"
STATEMENT_MS: Final = 30_000
DURABLE: Final = {
    "fsync": ("on",),
    "full_page_writes": ("on",),
    "synchronous_commit": ("on", "local", "remote_write", "remote_apply"),
    "server_encoding": ("UTF8",),
}
"""Settings without which commits or texts are unreliable."""
_MIGRATION: Final = re.compile(r"(\d{4})_(\w+)\.sql")
_PARTITION: Final = re.compile(r"entries_\d{4}_\d{2}")
_LOCK: Final = 0x43534846  # "CSHF": one process at a time changes the schema
Db = Connection[TupleRow]


class Unavailable(Exception):
    """The database cannot be used now; nothing was stored."""


class Database:
    """Database connections, closed with the ``with`` block."""

    def __init__(self, conninfo: str, connections: int = CONNECTIONS) -> None:
        self._pool: Final = ConnectionPool(
            conninfo,
            min_size=1,
            max_size=connections,
            timeout=CONNECT_S,
            open=False,
            check=ConnectionPool.check_connection,
            configure=self._note,
            reconnect_timeout=CONNECT_S,
            kwargs={
                "connect_timeout": int(CONNECT_S),
                "application_name": APPLICATION,
                "options": f"-c statement_timeout={STATEMENT_MS} -c TimeZone=UTC",
            },
        )

        self._mutex: Final = threading.Lock()
        self._made: Final[weakref.WeakSet[Db]] = weakref.WeakSet()
        self._is_given_up = False

    def __enter__(self) -> Self:
        self._pool.open()
        return self

    def __exit__(self, *_error: object) -> None:
        self._pool.close()

    def give_up(self) -> None:
        """End all transactions and refuse more; from any thread."""
        with self._mutex:
            self._is_given_up = True
            for connection in self._made:
                _shut(connection)

    @property
    def is_given_up(self) -> bool:
        return self._is_given_up

    def _note(self, connection: Db) -> None:
        with self._mutex:
            self._made.add(connection)
            if self._is_given_up:
                _shut(connection)

    @contextmanager
    def transaction(self) -> Iterator[Db]:
        """A transaction: durable after the block, or not done.

        Raises:
            Unavailable: the connection failed; whether it committed is unknown.
        """
        if self._is_given_up:
            raise Unavailable("the database is given up: the floor ends")
        try:
            with self._pool.connection() as connection, connection.transaction():
                yield connection
        except (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout) as error:
            raise Unavailable(f"the database cannot be used: {str(error).splitlines()[0]}") from error

    def rows(self, query: str, wanted: Mapping[str, object]) -> list[dict[str, Any]]:
        """The rows of a query, by column name."""
        with self.transaction() as db, db.cursor(row_factory=dict_row) as cursor:
            return cursor.execute(query, wanted).fetchall()

    def prepare(self) -> int:
        """Check the database and migrate its schema.

        Raises:
            Stop: too old, not durable, or of a newer program.
        """
        with self.transaction() as db:
            _check(db)
            db.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            db.execute(
                "CREATE TABLE IF NOT EXISTS migrations "
                "(number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())"
            )
            done = [int(number) for (number,) in db.execute("SELECT number FROM migrations ORDER BY number")]
            known = migrations()
            if done and done[-1] > max(known):
                raise Stop(
                    f"the database has schema {done[-1]}, but this program knows only {max(known)}",
                    "Start the newer cardshoe that made it, or restore a backup from before the upgrade.",
                    Exit.USAGE,
                )
            for number, (name, text) in sorted(known.items()):
                if number not in done:
                    db.execute(text)  # a file of this package
                    db.execute("INSERT INTO migrations (number, name) VALUES (%s, %s)", (number, name))
        return max(known)

    def make_partition(self, month: date) -> None:
        name, end = _partition(month), _next(month)
        with self.transaction() as db:
            db.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            if name not in _partitions(db):
                db.execute(
                    sql.SQL("CREATE TABLE {} PARTITION OF entries FOR VALUES FROM ({}) TO ({})").format(
                        sql.Identifier(name), sql.Literal(month), sql.Literal(end)
                    )
                )

    def drop_before(self, cutoff: date) -> list[str]:
        """Drop earlier partitions whose logs are silent since.

        Receipts stay, so that no log can begin again.
        """
        gone = []
        with self.transaction() as db:
            db.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            for name in _partitions(db):
                month = date(int(name[-7:-3]), int(name[-2:]), 1)
                if month >= cutoff:
                    continue
                alive = db.execute(
                    "SELECT 1 FROM streams WHERE month = %s AND heard_at >= %s LIMIT 1", (month, cutoff)
                ).fetchone()
                if alive is None:
                    db.execute(sql.SQL("DROP TABLE {}").format(sql.Identifier(name)))
                    db.execute("UPDATE streams SET dropped = true WHERE month = %s", (month,))
                    gone.append(name)
        return gone


def _shut(connection: Db) -> None:
    with (
        contextlib.suppress(OSError, psycopg.OperationalError),
        socket.socket(fileno=os.dup(connection.fileno())) as one,
    ):
        one.shutdown(socket.SHUT_RDWR)


def migrations() -> dict[int, tuple[str, str]]:
    found = {}
    for file in (resources.files("cardshoe.floor") / "migrations").iterdir():
        if (name := _MIGRATION.fullmatch(file.name)) is not None:
            found[int(name[1])] = (name[2], file.read_text("utf-8"))
    return found


def month_of(day: date) -> date:
    return day.replace(day=1)


def months_back(month: date, months: int) -> date:
    years, index = divmod(month.year * 12 + month.month - 1 - months, 12)
    return date(years, index + 1, 1)


def _next(month: date) -> date:
    return months_back(month, -1)


def _partition(month: date) -> str:
    return f"entries_{month:%Y_%m}"


def _partitions(db: Db) -> list[str]:
    rows = db.execute(
        "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid "
        "WHERE i.inhparent = 'entries'::regclass ORDER BY c.relname"
    )
    # One that somebody has made by hand, such as for all other months, is theirs.
    return [name for (name,) in rows if _PARTITION.fullmatch(name)]


def _check(db: Db) -> None:
    if db.info.server_version < OLDEST:
        raise Stop(
            f"the server is PostgreSQL {db.info.server_version // 10_000}",
            "Install PostgreSQL 15 or newer.",
            Exit.USAGE,
        )
    for name, wanted in DURABLE.items():
        row: Any = db.execute("SELECT current_setting(%s)", (name,)).fetchone()
        if row[0] not in wanted:
            raise Stop(
                f"the database has {name} = {row[0]}: committed data could be lost or garbled",
                f"Set it to {' or '.join(wanted)} (docs/back-office.md).",
                Exit.USAGE,
            )
