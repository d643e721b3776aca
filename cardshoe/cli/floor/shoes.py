"""The shoes of all tables, from the floor's database."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from cardshoe.analysis.lines import EVENTS, shoes_of
from cardshoe.analysis.shoe import Shoe
from cardshoe.process.exits import Exit, Stop

_LOGS: Final = """
SELECT table_id AS "table", log, month, proved FROM streams
WHERE heard_at >= now() - %(days)s * interval '1 day' AND NOT dropped ORDER BY began_at, log
"""
_ENTRIES: Final = """
SELECT lines FROM entries WHERE table_id = %(table)s AND log = %(log)s AND month = %(month)s
  AND number > 0 AND number <= %(proved)s AND events && %(events)s ORDER BY number
"""


def shoes_at(config: Path, days: int) -> Iterator[list[Shoe]]:
    from cardshoe.floor.config import load
    from cardshoe.floor.database import Database, Unavailable

    with Database(load(config).floor.database, 1) as database:
        try:
            for log in database.rows(_LOGS, {"days": days}):
                entries = database.rows(_ENTRIES, {**log, "events": list(EVENTS)})
                yield [shoe for shoe in shoes_of(_said(log, one["lines"]) for one in entries) if shoe.is_over]
        except Unavailable as error:
            raise Stop(str(error), "Start PostgreSQL, or correct [floor] database.", Exit.FAILURE) from error


def _said(log: dict[str, Any], data: bytes) -> list[Any]:
    try:
        return [msgspec.json.decode(line) for line in data.splitlines()]
    except msgspec.MsgspecError as error:
        where = f"table {log['table']}, log {log['log']}"
        raise Stop(
            f"{where}: an entry is not JSON ({error})", "Analyse the table's journals instead.", Exit.FAILURE
        ) from error
