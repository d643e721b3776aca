"""The rows of a journal: storing entries durably, reading them, the mark, checkpoints."""

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import apsw

from cardshoe.journal.file.chain import Entry, Kind
from cardshoe.journal.file.database import (
    MAKE_STANDINGS,
    SCHEMA_VERSION,
    SEGMENT_VERSION,
    Setting,
    apply_settings,
    connect,
    make,
    read_setting,
    translated,
    version_of,
)
from cardshoe.journal.file.errors import JournalBroken, JournalBusy, JournalFailed
from cardshoe.journal.file.file_holders import check_one_name, claim, file_id, release
from cardshoe.journal.file.retirement import Attested, Retirement
from cardshoe.journal.file.segment import Segment
from cardshoe.journal.proof.signatures import Numbered
from cardshoe.journal.proof.tree import HASH_BYTES, StoredTree, leaf_hash

KINDS: Final[tuple[Kind, ...]] = ("header", "input", "output", "retirement", "passed_over")
"""The numbers of the column ``kind``."""

_NUMBER_OF: Final = {kind: number for number, kind in enumerate(KINDS)}
_LEAST: Final = -(1 << 63)
"""The smallest number of a row: one that is out of order must not be passed over."""
_BATCH: Final = 2000  # entries read at once: no read stays open, or a checkpoint could not finish


class Store:
    """An open database file with the journal's tables.

    Use `build` once to make the file, then `Store(path)`.

    Args:
        path: the file.
        shown_as: the name in messages, if the file is a copy.

    Raises:
        JournalMissing, JournalBusy, NotAJournal, JournalBroken, SettingRefused, JournalFailed: see there.

    Attributes:
        path, shown_as: as given.
        segment: which part of the log it holds.
        attested: what a part carries about its retirement; ``None`` in a whole journal.
    """

    def __init__(self, path: Path, shown_as: Path | None = None) -> None:
        self.path = path
        self.shown_as = shown_as or path
        check_one_name(path)
        self._id = file_id(path)
        self._connection = connect(path, self.shown_as)
        self._writer = self._connection.cursor()
        """For what is written with each card: the connection itself would make a cursor for each statement."""
        claim(self._id)
        try:
            self._check_name()
            self.segment = self._read_segment()
            self.attested = self._read_attested()
            self._edge = self.segment.edge_nodes()
        except BaseException:
            self.abandon()
            raise

    @staticmethod
    def build(path: Path, header: Entry, shown_as: Path, key: Numbered | None = None) -> None:
        """Make the tables, entry 0 and the statement of the first key in an empty file, on the disk when this returns.

        Raises:
            JournalFailed, SettingRefused: see there; the file is then unfinished.
        """

        def fill(connection: apsw.Connection) -> None:
            connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", _row(header))
            connection.execute("INSERT INTO mark VALUES (1, 0, ?)", (header.node,))
            if key is not None:
                connection.execute("INSERT INTO keys VALUES (?, ?)", key)

        make(path, shown_as, fill)

    def extract(
        self,
        path: Path,
        part: Segment,
        end: int,
        keys: Sequence[Numbered],
        checkpoints: Sequence[Numbered],
        attested: Attested,
    ) -> None:
        """Make another database of a part of what this one holds, on the disk when this returns.

        Args:
            path: an empty file.
            part: the part.
            end: the number of entries, the header and those before the part included, with which it ends.
            keys: the statements that go into it; the snapshots of those from the part's first key on come along.
            checkpoints: likewise.
            attested: what the part carries about its retirement.

        Raises:
            JournalBroken: a row cannot be read.
            JournalFailed, SettingRefused: see there; the file is then unfinished.
        """
        mark = (end - 1, self.nodes([end - 1])[0]) if part.archived else self.mark()
        held = {epoch for epoch, _ in keys if epoch >= part.epoch}
        snapshots = [(epoch, state) for epoch, state in self.snapshots().items() if epoch in held]
        entries = itertools.takewhile(lambda entry: entry.seq < end, self.entries(part.size))

        def fill(connection: apsw.Connection) -> None:
            segment = (part.epoch, part.size, b"".join(part.edge), int(part.archived))
            connection.execute("INSERT INTO segment VALUES (1, ?, ?, ?, ?)", segment)
            row = (attested.line, attested.path, attested.notes)
            connection.execute("INSERT INTO retired VALUES (1, ?, ?, ?)", row)
            rows = map(_row, itertools.chain([self.entry(0)], entries))
            connection.executemany("INSERT INTO entries VALUES (?, ?, ?, ?)", rows)
            connection.execute("INSERT INTO mark VALUES (1, ?, ?)", mark)
            connection.executemany("INSERT INTO keys VALUES (?, ?)", keys)
            connection.executemany("INSERT INTO checkpoints VALUES (?, ?)", checkpoints)
            if snapshots:
                connection.execute(MAKE_STANDINGS)
                connection.executemany("INSERT INTO standings VALUES (?, ?)", snapshots)

        make(path, self.shown_as, fill, SEGMENT_VERSION)

    def insert(self, entries: Sequence[Entry], checkpoint: Numbered | None = None) -> None:
        """Store entries, and a checkpoint over them, in one durable transaction.

        Raises:
            JournalFailed, JournalFull: nothing is known about these entries; the ones before are safe.
        """
        rows = [_row(entry) for entry in entries]
        execute = self._writer.execute
        with translated(self.shown_as):
            execute("BEGIN IMMEDIATE")
            self._writer.executemany("INSERT INTO entries VALUES (?, ?, ?, ?)", rows)
            if checkpoint is not None:
                execute("INSERT INTO checkpoints VALUES (?, ?)", checkpoint)
            execute("COMMIT")

    def entries(self, from_seq: int = _LEAST) -> Iterator[Entry]:
        """The stored entries from a number on, or all, in order; gaps are not looked for here.

        Raises:
            JournalBroken: a row cannot be read.
            JournalFailed: the disk cannot.
        """
        sql = "SELECT seq, kind, line, node FROM entries WHERE seq >= ? ORDER BY seq LIMIT ?"
        while True:
            rows = self._fetch(sql, (from_seq, _BATCH))
            yield from (self._entry(*row) for row in rows)
            if len(rows) < _BATCH:
                return
            from_seq = rows[-1][0] + 1

    def nodes(self, rows: Sequence[int]) -> list[bytes]:
        """Return the tree nodes of these entries; those before a segment come from its edge.

        Raises:
            JournalBroken: one of them is missing.
        """
        return [self._edge.get(row) or self.entry(row).node for row in rows]

    def entry(self, seq: int) -> Entry:
        """One entry.

        Raises:
            JournalBroken: it is missing or cannot be read.
        """
        rows = self._fetch("SELECT seq, kind, line, node FROM entries WHERE seq = ?", (seq,))
        if not rows:
            raise JournalBroken(self.shown_as, seq, "missing")
        if rows[0][1] not in _NUMBER_OF.values():
            raise JournalBroken(self.shown_as, seq, f"unknown kind {rows[0][1]!r}")
        return self._entry(*rows[0])

    def key_notes(self) -> list[Numbered]:
        """The statements of the keys, by epoch.

        Raises:
            JournalBroken: a row cannot be read.
        """
        return [self._note("key", *row) for row in self._fetch("SELECT epoch, note FROM keys ORDER BY epoch")]

    def checkpoints(self) -> Iterator[Numbered]:
        """The checkpoints, in order.

        Raises:
            JournalBroken: a row cannot be read.
        """
        sql = "SELECT number, note FROM checkpoints WHERE number >= ? ORDER BY number LIMIT ?"
        number = _LEAST
        while rows := self._fetch(sql, (number, _BATCH)):
            yield from (self._note("checkpoint", *row) for row in rows)
            number = rows[-1][0] + 1

    def checkpoints_backwards(self) -> Iterator[Numbered]:
        """The checkpoints, the last one first.

        Raises:
            JournalBroken: a row cannot be read.
        """
        sql = "SELECT number, note FROM checkpoints WHERE number < ? ORDER BY number DESC LIMIT ?"
        number = 1 << 62
        while rows := self._fetch(sql, (number, _BATCH)):
            yield from (self._note("checkpoint", *row) for row in rows)
            number = rows[-1][0]

    def checkpoint_note(self, number: int) -> bytes | None:
        """One checkpoint, if there is such a one.

        Raises:
            JournalBroken: the row cannot be read.
        """
        rows = self._fetch("SELECT number, note FROM checkpoints WHERE number = ?", (number,))
        return self._note("checkpoint", *rows[0])[1] if rows else None

    def last_checkpoint(self) -> Numbered | None:
        """The last checkpoint, if there is one.

        Raises:
            JournalBroken: the row cannot be read.
        """
        rows = self._fetch("SELECT number, note FROM checkpoints ORDER BY number DESC LIMIT 1")
        return self._note("checkpoint", *rows[0]) if rows else None

    def last_retirement(self) -> Retirement | None:
        """The last entry about retired shoe games, if there is one; verify first.

        Raises:
            JournalBroken: the row cannot be read.
        """
        sql = "SELECT seq, kind, line, node FROM entries WHERE kind = ? ORDER BY seq DESC LIMIT 1"
        rows = self._fetch(sql, (_NUMBER_OF["retirement"],))
        return Retirement.read(self._entry(*rows[0]).line) if rows else None

    def last_seq(self) -> int:
        """Number of the last entry that it holds, or of the one before its segment if there is none."""
        ((last,),) = self._fetch("SELECT ifnull(max(seq), 0) FROM entries")
        return max(int(last), self.segment.size - 1)

    def missing(self) -> int:
        """How many numbers are missing, the header's included; negative, if there are rows before the segment."""
        ((count,),) = self._fetch("SELECT count(*) FROM entries")
        return self.last_seq() - self.segment.size + 2 - int(count)

    def mark(self) -> tuple[int, bytes]:
        """The mark: the last entry before the open shoe, and its node.

        Raises:
            JournalBroken: there is none, or it is no mark.
        """
        match self._fetch("SELECT id, seq, node FROM mark"):
            case [(1, int(seq), bytes(node))]:
                return seq, node
        raise JournalBroken(self.shown_as, None, "the mark of the open shoe is missing, or stands there twice")

    def snapshots(self) -> dict[int, bytes]:
        """Where the table stood as keys took over, by epoch.

        Raises:
            JournalBroken: a row cannot be read.
        """
        if not self._fetch("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'standings'"):
            return {}
        return dict(self._note("snapshot", *row) for row in self._fetch("SELECT epoch, state FROM standings"))

    def set_mark(self, seq: int, node: bytes, key: Numbered | None = None, state: bytes | None = None) -> None:
        """Move the mark; store the statement of the key that takes over there, and where the table stands.

        It is one durable transaction. A snapshot without a key is not stored: nothing would show that it is ours.
        """
        execute = self._connection.execute
        with translated(self.shown_as):
            execute("BEGIN IMMEDIATE")
            execute("UPDATE mark SET seq = ?, node = ? WHERE id = 1", (seq, node))
            if key is not None:
                execute("INSERT INTO keys VALUES (?, ?)", key)
                if state is not None:
                    execute(MAKE_STANDINGS)
                    execute("INSERT INTO standings VALUES (?, ?)", (key[0], state))
            execute("COMMIT")

    def quick_check(self) -> None:
        """Let the database look at the structure of every page.

        Raises:
            JournalBroken: a page is damaged.
        """
        rows = self._fetch("PRAGMA quick_check(1)")
        if rows != [("ok",)]:
            raise JournalBroken(self.shown_as, None, f"damaged pages: {rows[0][0] if rows else 'no answer'}")

    def setting(self, name: str) -> object:
        """Read a pragma back; ``None`` if there is no such pragma."""
        with translated(self.shown_as):
            return read_setting(self._connection, name)

    def demand(self, settings: Sequence[Setting]) -> None:
        """Set pragmas and read them back.

        Raises:
            SettingRefused: one of them is not in force afterwards.
        """
        with translated(self.shown_as):
            apply_settings(self._connection, self.shown_as, settings)

    def flush_wal(self) -> None:
        """Copy what the write-ahead log holds into the database, durably, and use the log again from its start."""
        with translated(self.shown_as):
            in_log, copied = self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_RESTART)
        if in_log != copied:
            raise JournalFailed(
                self.shown_as, f"only {copied} of {in_log} pages of the write-ahead log could be copied"
            )

    def empty_log(self) -> None:
        """Copy everything into the database, durably, and leave no byte in the write-ahead log; the lock stays."""
        with translated(self.shown_as):
            self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)

    def close(self) -> None:
        """Copy everything into the one file, remove the write-ahead log, close."""
        try:
            self.empty_log()
            with translated(self.shown_as):
                self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Close without writing anything: the files stay as they are.

        Raises:
            JournalFailed: the system refused something while closing; what is stored is safe.
        """
        release(self._id)
        with translated(self.shown_as):
            self._connection.close(force=True)

    def _check_name(self) -> None:
        """See that no other file got the name before this one was locked."""
        if file_id(self.path) != self._id:
            raise JournalBusy(self.shown_as, None)

    def _read_segment(self) -> Segment:
        if version_of(self._connection) == SCHEMA_VERSION:
            return Segment()
        rows = self._fetch("SELECT id, epoch, size, edge, archived FROM segment")
        match rows:
            case [(1, int(epoch), int(size), bytes(edge), 0 | 1 as archived)] if epoch >= 0 and size > 0:
                nodes = tuple(edge[at : at + HASH_BYTES] for at in range(0, len(edge), HASH_BYTES))
                if len(edge) == HASH_BYTES * size.bit_count():
                    return Segment(epoch=epoch, size=size, edge=nodes, archived=archived == 1)
        raise JournalBroken(self.shown_as, None, "its segment does not say with which key and tree it begins")

    def _read_attested(self) -> Attested | None:
        if version_of(self._connection) == SCHEMA_VERSION:
            return None
        match self._fetch("SELECT id, line, path, notes FROM retired"):
            case [(1, bytes(line), bytes(path), bytes(notes))]:
                return Attested(line=line, path=path, notes=notes)
        raise JournalBroken(self.shown_as, None, "the entry about what is retired is missing, or stands there twice")

    def _fetch(self, sql: str, bindings: tuple[int, ...] = ()) -> list[tuple[Any, ...]]:
        with translated(self.shown_as):
            return self._connection.execute(sql, bindings).fetchall()

    def _note(self, what: str, number: object, note: object) -> Numbered:
        if not isinstance(number, int) or not isinstance(note, bytes):
            raise JournalBroken(self.shown_as, None, f"{what} {number}: no bytes")
        return number, note

    def _entry(self, seq: object, kind: object, line: object, node: object) -> Entry:
        if not isinstance(seq, int):
            raise JournalBroken(self.shown_as, None, "an entry without a number")
        if not isinstance(line, bytes) or not isinstance(node, bytes):
            raise JournalBroken(self.shown_as, seq, "its line or node are no bytes")
        if not isinstance(kind, int) or not 0 <= kind < len(KINDS):
            kind = 0 if seq else 1  # cannot stand there either; whether this entry does at all is asked first
        return Entry(seq, KINDS[kind], line, node)


def stored_tree(store: Store) -> StoredTree:
    """The tree as the rows of a journal hold it, for proofs."""
    return StoredTree(lambda seq: store.nodes([seq])[0], lambda seq: leaf_hash(store.entry(seq).line))


def _row(entry: Entry) -> tuple[int, int, bytes, bytes]:
    return entry.seq, _NUMBER_OF[entry.kind], entry.line, entry.node
