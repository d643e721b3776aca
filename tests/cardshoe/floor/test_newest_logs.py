"""The list of tables reads the newest log of each, however many were closed."""

from collections.abc import Iterator
from typing import Any, Final

import psycopg
import pytest
from psycopg.rows import dict_row

from cardshoe.floor.database import Database
from cardshoe.floor.read_api import _TABLES, ROWS_MAX
from tests.cardshoe.floor.postgres import needs_postgres

TABLES: Final = 300
CLOSED: Final = 90
"""Closed logs of each table: a quarter of a year."""
BEFORE: Final = """
SELECT DISTINCT ON (s.table_id) s.table_id AS "table", s.log, s.game, s.program, s.mark, s.last,
       greatest(s.last - s.mark, 0) AS lag, s.proved, s.epoch, s.stopped, s.began_at, s.heard_at,
       (SELECT count(*) FROM alarms a WHERE a.table_id = s.table_id AND a.closed_at IS NULL) AS alarms
FROM streams s ORDER BY s.table_id, s.began_at DESC, s.log LIMIT %(rows)s
"""
"""Every log of every table is sorted."""
FILL: Final = """
INSERT INTO streams (table_id, log, month, origin, first_key, game, program, began_at, mark, edge, seq, note, last)
SELECT 'T-' || t, md5(t || '-' || n), '2026-01-01', 'o', 'k', 'baccarat', 'p',
       timestamptz '2026-01-01Z' + n * interval '1 day', n, repeat('x', 320)::bytea, n, repeat('y', 400)::bytea, n
FROM generate_series(1, %(tables)s) AS t, generate_series(0, %(closed)s) AS n
"""


@pytest.fixture
def filled(database: str) -> Iterator[psycopg.Connection[dict[str, Any]]]:
    with Database(database) as floor:
        floor.prepare()
    with psycopg.connect(database, autocommit=True, row_factory=dict_row) as connection:
        connection.execute(FILL, {"tables": TABLES, "closed": CLOSED})
        connection.execute("INSERT INTO alarms (table_id, log, kind, detail) VALUES ('T-7', '', 'gap', '')")
        connection.execute("ANALYZE streams")
        yield connection


@needs_postgres
def test_one_log_of_each_table_is_read(filled: psycopg.Connection[dict[str, Any]]) -> None:
    wanted = {"rows": ROWS_MAX}
    found = filled.execute(_TABLES, wanted).fetchall()
    assert found == filled.execute(BEFORE, wanted).fetchall()
    assert len(found) == TABLES
    assert {one["alarms"] for one in found if one["table"] == "T-7"} == {1}
    now, then = (rows_read(filled, query) for query in (_TABLES, BEFORE))
    assert now <= 3 * TABLES < then


def rows_read(connection: psycopg.Connection[dict[str, Any]], query: str) -> int:
    """The rows of ``streams`` that a query reads."""
    (plan,) = connection.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {query}", {"rows": ROWS_MAX}).fetchall()
    nodes, rows = [plan["QUERY PLAN"][0]["Plan"]], 0
    for node in nodes:
        nodes += node.get("Plans", [])
        if node.get("Relation Name") == "streams":
            rows += node["Actual Rows"] * node["Actual Loops"]
    return int(rows)
