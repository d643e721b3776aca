"""The stored form of one log: row, entries, and their tree."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from typing import Final, Self

import msgspec
from msgspec import Struct
from psycopg import sql
from psycopg.rows import TupleRow

from cardshoe.floor.database import Db
from cardshoe.journal.delivery.wire import Stands
from cardshoe.journal.file.chain import Chain, Entry
from cardshoe.journal.proof.note import Note
from cardshoe.journal.proof.statements import Checkpoint, Takeover
from cardshoe.journal.proof.tree import HASH_BYTES, Frontier, StoredTree, edge_rows, leaf_hash

Statement = Checkpoint | Takeover
_ROUND_END: Final = 1 << 31
YEARS: Final = range(1970, 2200)


class LineColumns(Struct, frozen=True):
    event: str
    seq: int = 0
    at: str | None = None
    round: int | None = None


class LineEvent(Struct, frozen=True):
    event: str


_columns: Final = msgspec.json.Decoder(LineColumns)
_named: Final = msgspec.json.Decoder(LineEvent)


class Stream(Struct, kw_only=True):
    """One log, its row locked until the transaction ends.

    Attributes:
        mark, epoch, proved: last entry, key and signed entry; -1: none.
        seq: last line; 0: none.
    """

    table: str
    log: str
    month: date
    origin: str
    mark: int
    edge: Frontier
    seq: int
    note: bytes
    epoch: int = -1
    proved: int = -1
    stopped: str = ""
    dropped: bool = False

    @classmethod
    def locked(cls, db: Db, table: str, log: str) -> Self | None:
        """The row of a log; ``None``: no such log."""
        return next(cls.all_locked(db, table, [log]), None)

    @classmethod
    def all_locked(cls, db: Db, table: str, logs: Sequence[str]) -> Iterator[Self]:
        rows = db.execute(
            "SELECT log, month, origin, mark, edge, seq, note, epoch, proved, stopped, dropped FROM streams "
            "WHERE table_id = %s AND log = ANY(%s) ORDER BY log FOR UPDATE",
            (table, list(logs)),
        ).fetchall()
        return (cls._of(table, row) for row in rows)

    @classmethod
    def _of(cls, table: str, row: TupleRow) -> Self:
        log, month, origin, mark, edge, seq, note, epoch, proved, stopped, dropped = row
        nodes = [edge[at : at + HASH_BYTES] for at in range(0, len(edge), HASH_BYTES)]
        return cls(
            table=table,
            log=log,
            month=month,
            origin=origin,
            mark=mark,
            edge=Frontier(mark + 1, nodes),
            seq=seq,
            note=note,
            epoch=epoch,
            proved=proved,
            stopped=stopped,
            dropped=dropped,
        )

    @property
    def size(self) -> int:
        """Number of entries, the header included."""
        return self.mark + 1

    def stands(self, cosigned: str = "") -> Stands:
        """The floor's position, for the sender."""
        return Stands(mark=self.note.decode(), epoch=self.epoch, stopped=self.stopped, cosigned=cosigned)

    def chain(self) -> Chain:
        """The chain that the next entry must continue."""
        return Chain(self.edge.copy(), self.seq, None)

    def add(self, db: Db, chain: Chain, entries: Sequence[Entry], epochs: Sequence[int]) -> None:
        """Store consecutive entries."""
        columns = "table_id, log, month, number, seq, epoch, events, round, at, lines, node"
        with db.cursor() as cursor, cursor.copy(f"COPY entries ({columns}) FROM STDIN") as copy:
            for entry, epoch in zip(entries, epochs, strict=True):
                asked, *answers = entry.lines
                found = _columns.decode(asked)
                in_round = found.round if found.round is not None and 0 <= found.round < _ROUND_END else None
                events = [found.event, *(_named.decode(line).event for line in answers)]
                place = (self.table, self.log, self.month, entry.number, found.seq, epoch)
                copy.write_row((*place, events, in_round, moment(found.at), entry.data, entry.node))
        self.mark, self.edge, self.seq = chain.number, chain.edge, chain.seq

    def take_note(self, db: Db, said: Statement, note: bytes) -> None:
        """Store a note that the witness accepted; only the newest checkpoint."""
        what = "checkpoint"
        if isinstance(said, Takeover):
            what = f"key {said.epoch}"
            db.execute(
                "UPDATE entries SET epoch = %s "
                "WHERE table_id = %s AND log = %s AND month = %s AND number >= %s AND epoch < %s",
                (said.epoch, self.table, self.log, self.month, said.size, said.epoch),
            )
            self.epoch = max(self.epoch, said.epoch)
        db.execute(
            "INSERT INTO notes (table_id, log, what, size, note) VALUES (%s, %s, %s, %s, %s) "
            "ON CONFLICT (table_id, log, what) DO UPDATE SET size = excluded.size, note = excluded.note "
            "WHERE notes.size <= excluded.size",
            (self.table, self.log, what, said.size, note),
        )
        self.proved = max(self.proved, said.size - 1)

    def save(self, db: Db, last: int) -> None:
        """Store the row."""
        db.execute(
            "UPDATE streams SET mark = %s, edge = %s, seq = %s, note = %s, epoch = %s, proved = %s, "
            "last = greatest(last, %s), heard_at = now() WHERE table_id = %s AND log = %s",
            (
                *(self.mark, b"".join(self.edge.nodes), self.seq, self.note, self.epoch, self.proved, last),
                *(self.table, self.log),
            ),
        )

    def entries(self, db: Db, first: int, end: int) -> list[bytes]:
        """Entries from ``first`` to before ``end``."""
        rows = db.execute(
            "SELECT lines FROM entries WHERE table_id = %s AND log = %s AND month = %s AND number >= %s AND number < %s"
            " ORDER BY number",
            (self.table, self.log, self.month, first, end),
        )
        return [data for (data,) in rows]

    def root(self, db: Db, size: int) -> bytes:
        """The root over the first stored entries."""
        return Frontier(size, [self._row(db, "node", number) for number in edge_rows(size)]).root()

    def key(self, db: Db) -> str:
        """The current signing key as text; empty: unknown."""
        place = (self.table, self.log, f"key {self.epoch}")
        row = db.execute("SELECT note FROM notes WHERE table_id = %s AND log = %s AND what = %s", place).fetchone()
        return "" if row is None else str(Takeover.read(Note(row[0])).key)

    def tree(self, db: Db) -> StoredTree:
        """The tree over the stored entries."""
        return StoredTree(lambda at: self._row(db, "node", at), lambda at: leaf_hash(self._row(db, "lines", at)))

    def _row(self, db: Db, column: str, number: int) -> bytes:
        query = sql.SQL("SELECT {} FROM entries WHERE table_id = %s AND log = %s AND month = %s AND number = %s")
        place = (self.table, self.log, self.month, number)
        found = db.execute(query.format(sql.Identifier(column)), place).fetchone()
        if found is None:
            raise LookupError(f"entry {number} of {self.log} is not stored")
        value: bytes = found[0]
        return value


def moment(at: str | None) -> str | None:
    found = time_in_range(at)
    return None if found is None else found.isoformat()


def time_in_range(at: str | None) -> datetime | None:
    """A log's time in UTC; ``None``: no zone, not RFC 3339, or outside `YEARS`."""
    try:
        found = None if at is None else datetime.fromisoformat(at)
        in_utc = None if found is None or found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return in_utc if in_utc is not None and in_utc.year in YEARS else None
