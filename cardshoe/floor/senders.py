"""One sender per table, with a lease beyond its last message."""

from typing import Final

from cardshoe.floor.alarm_kinds import Alarm
from cardshoe.floor.database import Db

LEASE_S: Final = 10.0
RIVAL_S: Final = 3.0
"""Leases in which two uplinks must send to raise an alarm."""


def claim(db: Db, table: str, sender: str, lease_s: float) -> str:
    """Let an uplink send for a table; return why it may not, empty: it may.

    Raises:
        Alarm: two uplinks sent for longer than a restart takes.
    """
    db.execute(
        "INSERT INTO senders (table_id, sender, at) VALUES (%s, %s, clock_timestamp()) ON CONFLICT DO NOTHING",
        (table, sender),
    )
    row = db.execute(
        "SELECT sender, extract(epoch FROM clock_timestamp() - at), rival, "
        "extract(epoch FROM clock_timestamp() - rival_since) FROM senders WHERE table_id = %s FOR UPDATE",
        (table,),
    ).fetchone()
    if row is None:
        return "the floor has no record of this table's uplink"
    holder, silent_s, rival, rival_s = row
    if holder == sender:
        db.execute("UPDATE senders SET at = clock_timestamp() WHERE table_id = %s", (table,))
        return ""
    # Before 0 by more than that: the database's clock was ahead then, and has been set back.
    if abs(silent_s) > lease_s:
        db.execute(
            "UPDATE senders SET sender = %s, at = clock_timestamp(), rival = '', rival_since = NULL "
            "WHERE table_id = %s",
            (sender, table),
        )
        return ""
    if rival != sender:
        db.execute(
            "UPDATE senders SET rival = %s, rival_since = clock_timestamp() WHERE table_id = %s", (sender, table)
        )
    elif rival_s > RIVAL_S * lease_s:
        raise Alarm("two_senders", "two uplinks send for this table: its disk or certificate was copied")
    return f"another uplink of this table sent {silent_s:.0f} s ago"
