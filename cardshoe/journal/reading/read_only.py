"""Read a closed journal, or a killed process's, without changing it.

Opening would recover the write-ahead log and change evidence: both files are copied first.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from pathlib import Path

from cardshoe.journal.file.atomic_files import ROOM, copy_pair, temporary_folder
from cardshoe.journal.file.chain import Entry
from cardshoe.journal.file.errors import JournalBroken
from cardshoe.journal.file.file_holders import readers_lock
from cardshoe.journal.file.store import Store, stored_tree
from cardshoe.journal.file.watching import Watch, unwatched
from cardshoe.journal.file.witness_file import NoteSource
from cardshoe.journal.proof.entry_proof import EntryProof
from cardshoe.journal.proof.note import BadNote, Note
from cardshoe.journal.proof.signatures import Numbered
from cardshoe.journal.proof.statements import Checkpoint, Takeover
from cardshoe.journal.proof.tree import Frontier, StoredTree, edge_rows, leaf_hash
from cardshoe.journal.reading.proving import assembled
from cardshoe.journal.reading.reader import (
    Checked,
    Stood,
    checked_entries,
    entry_of_line,
    exhausted,
    line_of,
    read_header,
    read_signatures,
    read_snapshots,
    verify_store,
)


class Evidence:
    """A copy of a journal, for reading."""

    def __init__(self, store: Store) -> None:
        self.path = store.shown_as
        self._store = store
        self.genesis, self.header = read_header(store)

    def entries(self, first: int = 1) -> Iterator[Entry]:
        """Entries from a number on, each checked against the tree.

        Raises:
            JournalBroken: with the first invalid entry.
        """
        yield from checked_entries(self._store, max(1, first))

    def entry_of(self, seq: int) -> int:
        """The entry of a line; the last one for a later line."""
        return entry_of_line(self._store, seq)

    def notes(self) -> Iterator[bytes]:
        """The signed notes as stored."""
        yield from (note for _, note in self._store.key_notes())
        yield from (note for _, note in self._store.checkpoints())

    def snapshots(self) -> list[Stood]:
        """Signed table states at key changes.

        Raises:
            JournalBroken: a snapshot was altered, or the key succession is invalid.
        """
        return read_snapshots(self._store, read_signatures(self._store, self.header))

    def edge(self, size: int) -> Frontier:
        """The right edge over the first ``size`` entries, header included."""
        if not 1 <= size <= self.last + 1:
            raise ValueError(f"no tree of {size} entries in a journal of {self.last + 1}")
        return Frontier(size, self._store.nodes(edge_rows(size)))

    def newest_notes(self) -> list[bytes]:
        notes = [note for _, note in self._store.key_notes()]
        last = self._store.last_checkpoint()
        return notes if last is None else [*notes, last[1]]

    @property
    def last(self) -> int:
        """Number of the last entry."""
        return self._store.last()

    def takeovers(self) -> list[Takeover]:
        """Statements of the keys; verify first."""
        return [Takeover.read(Note(note)) for _, note in self._store.key_notes()]

    def prove_growth(self, first: int, second: int) -> list[bytes]:
        """Consistency proof of two entry counts, from 1 (RFC 6962 section 2.1.2)."""
        if second > self.last + 1:
            raise ValueError(f"no tree of {second} entries in a journal of {self.last + 1}")
        return stored_tree(self._store).consistency(first, second)

    def prove(self, first: int, last: int, round_no: int | None = None) -> EntryProof:
        """The proof of an entry, or of all entries of a round.

        Raises:
            ValueError: an entry is missing.
            Unproved: no single signature of their own key covers them.
        """
        if not 1 <= first <= last <= self.last:
            raise ValueError(f"no such entry in a journal of {self.last}")
        return prove_stored(self._store, first, last, round_no)

    def last_line_of(self, number: int) -> int:
        return line_of(self._store, number, -1)

    def single_file(self) -> Path:
        """The copy as one file, for other processes."""
        self._store.empty_log()
        return self._store.path

    def verify(
        self,
        witness: NoteSource | None = None,
        first_key: str | None = None,
        watch: Watch = unwatched,
        follow: Callable[[Iterable[Entry]], None] = exhausted,
    ) -> Checked:
        """Verify header, numbers, lines, tree, signatures, pages and snapshots.

        A journal cut off with its later signatures still verifies: compare with a witness (docs/journal.md).

        Raises:
            JournalBroken: with the first invalid entry.
            WitnessFailed: the witness cannot be read.
        """
        witnessed = None if witness is None else witness.read(self.header.origin)
        return verify_store(self._store, witnessed, first_key, watch, follow)


def prove_stored(store: Store, first: int, last: int, round_no: int | None = None) -> EntryProof:
    entry = cache(store.entry)
    return assembled(
        first,
        last,
        round_no,
        header=entry(0).lines[0],
        keys=[note for _, note in store.key_notes()],
        checkpoints=partial(_checkpoint_over, store),
        entry=entry,
        inclusion=StoredTree(lambda number: entry(number).node, lambda number: leaf_hash(entry(number).data)).inclusion,
    )


def _checkpoint_over(store: Store, epoch: int, last: int) -> list[Numbered]:
    newest = store.last_checkpoint()
    low, high = 1, 1 if newest is None else newest[0] + 1
    while low < high:
        middle = (low + high) // 2
        note = store.checkpoint_note(middle)
        if note is None:
            raise JournalBroken(store.shown_as, None, f"checkpoint {middle} is missing")
        try:
            said = Checkpoint.read(Note(note))
        except BadNote as error:
            raise JournalBroken(store.shown_as, None, f"checkpoint {middle}: {error.reason}") from error
        low, high = (low, middle) if said.size > last and said.epoch >= epoch else (middle + 1, high)
    note = store.checkpoint_note(low)
    return [] if note is None else [(low, note)]


@contextlib.contextmanager
def read_only(path: Path) -> Iterator[Evidence]:
    """A journal that no table has open; its files are not changed.

    Raises:
        JournalFailed: the files cannot be read, or there is no room for the copy.
        JournalError: missing, busy, damaged, or not a journal.
    """
    with temporary_folder(path) as folder:
        copy = folder / "copy.journal"
        with readers_lock(path):
            copy_pair(path, copy, ROOM)
        store = Store(copy, shown_as=path)
        try:
            store.quick_check()  # first of all: pages that belong to many rows would be read again and again
            yield Evidence(store)
        finally:
            store.abandon()
