"""The newest version of the staff list.

No list leaves before its version is in the database, which detects a restored old folder.
"""

import psycopg

from cardshoe.floor.database import APPLICATION, CONNECT_S, Database, Db
from cardshoe.floor.persons.staff_list import Roll
from cardshoe.process.exits import Exit, Stop


def begin(database: Database, roll: Roll) -> None:
    """Record the start of a collector: a restored database may lack reported versions."""
    with database.transaction() as db:
        db.execute(
            "INSERT INTO lists (key, version, began_at) VALUES (%s, 0, clock_timestamp()) "
            "ON CONFLICT (key) DO UPDATE SET began_at = excluded.began_at",
            (roll.key,),
        )


def hand_out(database: Database, key: str, version: int) -> int:
    """Record a version, durably; return the newest ever, which no older list may follow."""
    with database.transaction() as db:
        row = db.execute(
            "INSERT INTO lists (key, version, began_at) VALUES (%s, %s, clock_timestamp()) "
            "ON CONFLICT (key) DO UPDATE SET version = greatest(lists.version, excluded.version) RETURNING version",
            (key, version),
        ).fetchone()
    return version if row is None else int(row[0])


def check_newest(conninfo: str, roll: Roll) -> None:
    """Check that no table has a newer list than the folder.

    Raises:
        Stop: one has, or it is unknown.
    """
    issued = roll.issued()
    ours = 0 if issued is None else issued.version
    try:
        with psycopg.connect(conninfo, connect_timeout=int(CONNECT_S)) as db:
            why = _doubt(db, roll.key, ours)
    except psycopg.Error as error:
        said = next(iter(str(error).splitlines()), "it cannot be reached")
        why = f"tables may have a newer list than {ours}: {said}"
    if why:
        remedy = (
            "After an older `state` was restored disable again who was dismissed since (docs/persons.md). Then, or if "
            f"you know that no table has a newer list, say after which one this comes: `--after {ours}` or more."
        )
        raise Stop(f"nothing was changed: {why}", remedy, Exit.USAGE)


def _doubt(db: Db, key: str, ours: int) -> str:
    if not _has_table(db):
        return ""  # no collector of this program was ever started with this database
    row = db.execute(
        "SELECT version, (SELECT max(at) < began_at FROM senders), "
        "(SELECT min(table_id) FROM alarms WHERE kind = 'older_list' AND closed_at IS NULL), "
        "EXISTS (SELECT FROM pg_stat_activity WHERE application_name = %s AND datname = current_database()) "
        "FROM lists WHERE key = %s",
        (APPLICATION, key),
    ).fetchone()
    if row is None:
        return ""
    handed, unheard, told, runs = row
    if handed > ours:
        return f"tables were given list {handed} of persons, and this folder has {ours}"
    if told is not None:
        return f"the alarm `older_list` of table {told} is open"
    if unheard is not None and (unheard or not runs):
        return f"tables may have a newer list than {ours}: none has connected since the collector started"
    return ""


def _has_table(db: Db) -> bool:
    row = db.execute("SELECT to_regclass('lists')").fetchone()
    return row is not None and row[0] is not None
