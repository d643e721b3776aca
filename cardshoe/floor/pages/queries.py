"""The pages' queries. Request values are query parameters, never SQL text."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

from msgspec import Struct
from psycopg.rows import class_row, tuple_row

from cardshoe.floor.database import Database

PAGE_ROWS: Final = 100
PAGES_MAX: Final = 1000
REPORT_ROWS: Final = 2000
CHUNK_ROWS: Final = 2000
SERIALS: Final = 200

_WHERE: Final = """
at >= %(begin)s AND at < %(end)s AND (%(table)s = '' OR table_id = %(table)s) AND (%(kind)s = '' OR code = %(kind)s)
"""
_IRREGULARITIES: Final = f"""
SELECT table_id AS "table", log, irregularity, seq, at, round, shoe, code, article, detail, settled_at, settled_by,
       action, settled_article
FROM irregularities WHERE {_WHERE}
ORDER BY at DESC, table_id, log, irregularity DESC LIMIT %(limit)s OFFSET %(offset)s
"""  # noqa: S608  # made of texts of this file
_HOW_MANY: Final = f"SELECT count(*) FROM irregularities WHERE {_WHERE}"  # noqa: S608  # made of texts of this file
_DONE: Final = """
SELECT kind, at, table_id, log, seq, round, by, article, code, reason, irregularity, NULL::timestamptz AS over_at
FROM acts WHERE kind <> %(without)s AND at >= %(begin)s AND at < %(end)s AND (%(table)s = '' OR table_id = %(table)s)
          AND (%(person)s = '' OR by @> ARRAY[%(person)s])
UNION ALL
SELECT 'dispute', at, table_id, log, seq, round, settled_by, article, action, detail, irregularity, settled_at
FROM irregularities WHERE code = 'dispute' AND at >= %(begin)s AND at < %(end)s
          AND (%(table)s = '' OR table_id = %(table)s) AND (%(person)s = '' OR settled_by @> ARRAY[%(person)s])
"""
_ACTS: Final = f"""
SELECT kind, at, table_id AS "table", log, seq, round, by, article, code, reason, irregularity, over_at
FROM ({_DONE}) done
WHERE %(after_at)s::timestamptz IS NULL
   OR (at, table_id, log, seq, kind) > (%(after_at)s, %(after_table)s, %(after_log)s, %(after_seq)s, %(after_kind)s)
ORDER BY at, table_id, log, seq, kind LIMIT %(limit)s
"""  # noqa: S608  # made of texts of this file
_BY_HAND: Final = """
SELECT a.table_id, a.code, count(DISTINCT (a.log, a.seq)), min(a.at), max(a.at), count(DISTINCT (a.log, a.round)),
       coalesce(array_agg(DISTINCT person ORDER BY person) FILTER (WHERE person IS NOT NULL), '{}')
FROM acts a LEFT JOIN LATERAL unnest(a.by) AS person ON true
WHERE a.kind = 'manual_card' AND a.at >= %(begin)s AND a.at < %(end)s AND (%(table)s = '' OR a.table_id = %(table)s)
      AND (%(person)s = '' OR a.by @> ARRAY[%(person)s])
GROUP BY 1, 2 ORDER BY 1, 2
"""
_PLAYED: Final = """
SELECT table_id, sum(counted)::bigint, sum(voided)::bigint, sum(staked)::bigint, sum(house)::bigint
FROM round_sums WHERE hour >= %(begin)s AND hour < %(end)s AND (%(table)s = '' OR table_id = %(table)s)
GROUP BY 1 ORDER BY 1
"""
_BY_PERSON: Final = f"""
SELECT coalesce(person, ''), kind, count(*) FROM ({_DONE}) done LEFT JOIN LATERAL unnest(by) AS person ON true
WHERE %(person)s = '' OR person = %(person)s GROUP BY 1, 2
"""  # noqa: S608  # made of texts of this file
_BY_TABLE: Final = f"""
SELECT table_id, kind, count(*) FROM ({_DONE}) done GROUP BY 1, 2
"""  # noqa: S608  # made of texts of this file
_LACKING: Final = """
SELECT s.table_id, max(greatest(s.last - s.mark, 0)), bool_or(s.stopped <> ''), bool_or(coalesce(p.fault, '') <> '')
FROM streams s LEFT JOIN projected p USING (table_id, log)
WHERE s.heard_at >= %(begin)s AND s.began_at < %(end)s AND (%(table)s = '' OR s.table_id = %(table)s)
  AND (s.last > s.mark OR s.stopped <> '' OR coalesce(p.fault, '') <> '' OR p.entry IS NULL)
GROUP BY 1 ORDER BY 1
"""
_ROUNDS: Final = """
SELECT date_bin(make_interval(hours => %(hours)s), hour, %(begin)s) AS bin, sum(counted)::bigint, sum(voided)::bigint
FROM round_sums WHERE hour >= %(begin)s AND hour < %(end)s AND (%(table)s = '' OR table_id = %(table)s)
GROUP BY 1 ORDER BY 1
"""
_KINDS: Final = """
SELECT code, count(*) FROM irregularities
WHERE at >= %(begin)s AND at < %(end)s AND (%(table)s = '' OR table_id = %(table)s) GROUP BY 1 ORDER BY 2 DESC, 1
"""
_SERIALS: Final = """
SELECT serial, max(model), count(*), string_agg(DISTINCT code, ', ' ORDER BY code),
       string_agg(DISTINCT table_id, ', ' ORDER BY table_id)
FROM device_faults
WHERE at >= %(begin)s AND at < %(end)s AND (%(table)s = '' OR table_id = %(table)s)
GROUP BY serial ORDER BY 3 DESC, 1 LIMIT %(limit)s
"""


class Past(Struct, frozen=True, kw_only=True):
    table: str
    log: str
    irregularity: int
    seq: int
    at: datetime
    round: int | None
    shoe: int
    code: str
    article: str
    detail: str
    settled_at: datetime | None
    settled_by: list[str]
    action: str
    settled_article: str


class Done(Struct, frozen=True, kw_only=True):
    kind: str
    at: datetime
    table: str
    log: str
    seq: int
    round: int | None
    by: list[str]
    article: str
    code: str
    reason: str
    irregularity: int | None
    over_at: datetime | None


class CardsByHand(Struct, frozen=True):
    table: str
    code: str
    count: int
    first: datetime
    last: datetime
    rounds: int
    by: list[str]


class PlayedRounds(Struct, frozen=True):
    """Rounds of a table: decided, void, stakes decided, and the casino's win in minor units."""

    table: str
    rounds: int
    voided: int
    staked: int
    house: int


class Lacking(Struct, frozen=True):
    table: str
    lines: int
    is_stopped: bool
    is_unreadable: bool


class Faulty(Struct, frozen=True):
    serial: str
    model: str
    count: int
    codes: str
    tables: str


class Span(Struct, frozen=True, kw_only=True):
    """The filter of a query; empty fields select all."""

    first: date
    last: date
    begin: datetime
    end: datetime
    table: str = ""
    kind: str = ""
    person: str = ""

    def wanted(self) -> dict[str, object]:
        """The values of a query."""
        named = {"table": self.table, "kind": self.kind, "person": self.person, "without": ""}
        return {"begin": self.begin, "end": self.end, **named}


class Asked:
    """Queries of the facts, called in threads; each may raise `Unavailable`."""

    def __init__(self, database: Database) -> None:
        self._database: Final = database

    def irregularities(self, span: Span, page: int) -> tuple[list[Past], int]:
        """A page of irregularities, newest first, and their total number."""
        wanted = {**span.wanted(), "limit": PAGE_ROWS, "offset": PAGE_ROWS * (page - 1)}
        with self._database.transaction() as db:
            found = db.cursor(row_factory=class_row(Past)).execute(_IRREGULARITIES, wanted).fetchall()
            (count,) = db.execute(_HOW_MANY, wanted).fetchone() or (0,)
        return found, count

    def acts(self, span: Span, limit: int, after: Done | None = None, without: str = "") -> list[Done]:
        """Acts in time order after one, without those of a kind."""
        wanted = {
            **span.wanted(),
            "without": without,
            "limit": limit,
            "after_at": None if after is None else after.at,
            "after_table": "" if after is None else after.table,
            "after_log": "" if after is None else after.log,
            "after_seq": 0 if after is None else after.seq,
            "after_kind": "" if after is None else after.kind,
        }
        with self._database.transaction() as db:
            return db.cursor(row_factory=class_row(Done)).execute(_ACTS, wanted).fetchall()

    def all_acts(self, span: Span) -> Iterator[Done]:
        after = None
        while part := self.acts(span, CHUNK_ROWS, after):
            yield from part
            after = part[-1]

    def by_hand(self, span: Span) -> list[CardsByHand]:
        return [CardsByHand(*row) for row in self._rows(_BY_HAND, span.wanted())]

    def played(self, span: Span) -> list[PlayedRounds]:
        """Rounds of each table."""
        return [PlayedRounds(*row) for row in self._rows(_PLAYED, span.wanted())]

    def acts_by_person(self, span: Span) -> dict[str, dict[str, int]]:
        """Acts by person and kind; an act of two people counts for both."""
        return self._counted(_BY_PERSON, span)

    def acts_by_table(self, span: Span) -> dict[str, dict[str, int]]:
        return self._counted(_BY_TABLE, span)

    def lacking(self, span: Span) -> list[Lacking]:
        """Tables of which the floor may lack lines."""
        return [Lacking(*row) for row in self._rows(_LACKING, span.wanted())]

    def rounds(self, span: Span, hours: int) -> dict[datetime, tuple[int, int]]:
        """Decided and void rounds by the begin of each part of ``hours``."""
        rows = self._rows(_ROUNDS, {**span.wanted(), "hours": hours})
        return {begin: (rounds, voided) for begin, rounds, voided in rows}

    def kinds(self, span: Span) -> dict[str, int]:
        """Irregularities by code."""
        return dict(self._rows(_KINDS, span.wanted()))

    def faulty(self, span: Span) -> list[Faulty]:
        """Devices by serial number, most faults first."""
        return [Faulty(*row) for row in self._rows(_SERIALS, {**span.wanted(), "limit": SERIALS})]

    def _counted(self, query: str, span: Span) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {}
        for name, kind, count in self._rows(query, span.wanted()):
            found.setdefault(name, {})[kind] = count
        return found

    def _rows(self, query: str, wanted: Mapping[str, object]) -> Sequence[tuple[Any, ...]]:
        with self._database.transaction() as db:
            return db.cursor(row_factory=tuple_row).execute(query, wanted).fetchall()
