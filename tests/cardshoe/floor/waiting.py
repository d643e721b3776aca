"""Waiting for a condition of another process, with an end."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import psycopg

from cardshoe.floor.senders import LEASE_S
from cardshoe.table.uplink.settings import UplinkSettings
from cardshoe.table.uplink.uplink import Times, Uplink

QUICK: Final = Times(linger=0.02, pulse=0.2, again=(0.05, 0.4), look=0.1, stopped=0.2, keep=0.0, unread=(0.2, 0.4))
PATIENCE_S: Final = 60.0
LOOK_S: Final = 0.05


def wait_until(condition: Callable[[], object], said: Callable[[], str] = str, seconds: float = PATIENCE_S) -> None:
    """Waits until a condition holds; where it never does, it tells what was said."""
    over = threading.Event()
    for _ in range(int(seconds / LOOK_S)):
        if condition():
            return
        over.wait(LOOK_S)
    raise AssertionError(f"it did not come within {seconds} s: {said()}")


@contextmanager
def delivering(*settings: UplinkSettings, times: Times = QUICK) -> Iterator[list[Uplink]]:
    """Uplinks at work, each in a thread: of closed journals, which no process has open."""
    uplinks = [Uplink(one, times) for one in settings]
    threads = [threading.Thread(target=one.run) for one in uplinks]
    for thread in threads:
        thread.start()
    try:
        yield uplinks
    finally:
        for one in uplinks:
            one.stop()
        for thread in threads:
            thread.join(PATIENCE_S)


def stored(database: str, table: str, log: str) -> list[bytes]:
    """The lines of a log in the database; there is no gap, and none is there twice."""
    query = "SELECT number, lines FROM entries WHERE table_id = %s AND log = %s ORDER BY number"
    try:
        with psycopg.connect(database) as db:
            found = db.execute(query, (table, log)).fetchall()
    except psycopg.errors.UndefinedTable:
        return []  # the collector has not come so far yet
    assert [seq for seq, _ in found] == list(range(len(found)))
    return [line for _, line in found]


def lapse(database: str, table: str) -> None:
    """Makes what the floor heard of a table's uplink older than its lease: another need not wait for that."""
    with psycopg.connect(database) as db:
        db.execute("UPDATE senders SET at = at - %s * interval '1 second' WHERE table_id = %s", (2 * LEASE_S, table))


def alarms(database: str) -> list[tuple[str, str, str]]:
    """The open alarms: table, log, kind."""
    with psycopg.connect(database) as db:
        query = "SELECT table_id, log, kind FROM alarms WHERE closed_at IS NULL ORDER BY id"
        return [(str(table), str(log), str(kind)) for table, log, kind in db.execute(query)]
