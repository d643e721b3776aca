"""Reading a closed journal, or that of a killed process, without touching it.

Opening a database with commits in its write-ahead log would recover it and change the evidence; so both files are
copied, with writers kept out, and the copy is opened.
"""

import contextlib
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from pathlib import Path

from cardshoe.journal.file.atomic_files import copy_pair
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
    """A copy of a journal, for reading.

    Attributes:
        header: entry 0.
        genesis: entry 0 as stored.
    """

    def __init__(self, store: Store) -> None:
        self.path = store.shown_as
        self._store = store
        self.genesis, self.header = read_header(store)

    def entries(self, first: int = 1) -> Iterator[Entry]:
        """The entries from a number on, each checked against the tree before it while it is read.

        Raises:
            JournalBroken: with the first invalid entry.
        """
        yield from checked_entries(self._store, max(1, first))

    def entry_of(self, seq: int) -> int:
        """The number of the entry that holds a line; that of the last one for a later line.

        Raises:
            JournalBroken: the file is damaged.
        """
        return entry_of_line(self._store, seq)

    def notes(self) -> Iterator[bytes]:
        """The signed notes as stored.

        Raises:
            JournalBroken: the file is damaged.
        """
        yield from (note for _, note in self._store.key_notes())
        yield from (note for _, note in self._store.checkpoints())

    def snapshots(self) -> list[Stood]:
        """Where the table stood at its changes of keys, as far as it was stored; each as it was signed.

        Raises:
            JournalBroken: a snapshot was altered, or the key succession is invalid.
        """
        return read_snapshots(self._store, read_signatures(self._store, self.header))

    def edge(self, size: int) -> Frontier:
        """The right edge of the tree over the first entries.

        Args:
            size: how many entries, the header included, from 1.

        Raises:
            ValueError: there are not so many.
            JournalBroken: the file is damaged.
        """
        if not 1 <= size <= self.last + 1:
            raise ValueError(f"no tree of {size} entries in a journal of {self.last + 1}")
        return Frontier(size, self._store.nodes(edge_rows(size)))

    def newest_notes(self) -> list[bytes]:
        """The statements of all keys, then the newest checkpoint.

        Raises:
            JournalBroken: the file is damaged.
        """
        notes = [note for _, note in self._store.key_notes()]
        last = self._store.last_checkpoint()
        return notes if last is None else [*notes, last[1]]

    @property
    def last(self) -> int:
        """Number of the last entry."""
        return self._store.last()

    def takeovers(self) -> list[Takeover]:
        """Read the statements of the keys.

        Verify first.

        Raises:
            JournalBroken: the file is damaged.
        """
        return [Takeover.read(Note(note)) for _, note in self._store.key_notes()]

    def prove_growth(self, first: int, second: int) -> list[bytes]:
        """The proof that the first entries are the beginning of more of them (RFC 6962 section 2.1.2).

        Args:
            first: a number of entries, from 1, the header included: the size in a checkpoint.
            second: a number of entries not less than that.

        Raises:
            ValueError: there are not so many.
            JournalBroken: the file is damaged.
        """
        if second > self.last + 1:
            raise ValueError(f"no tree of {second} entries in a journal of {self.last + 1}")
        return stored_tree(self._store).consistency(first, second)

    def prove(self, first: int, last: int, round_no: int | None = None) -> EntryProof:
        """The proof of an entry, or of all entries of a round, to be checked without the journal.

        Args:
            first: number of the first entry, from 1.

        Raises:
            ValueError: one of them is not here.
            Unproved: no single signature of their own key covers them.
            JournalBroken: the file is damaged.
        """
        if not 1 <= first <= last <= self.last:
            raise ValueError(f"no such entry in a journal of {self.last}")
        return prove_stored(self._store, first, last, round_no)

    def last_line_of(self, number: int) -> int:
        """The number of the last line of an entry.

        Raises:
            JournalBroken: the file is damaged.
        """
        return line_of(self._store, number, -1)

    def single_file(self) -> Path:
        """The copy with all entries in one file, which other processes may open in place."""
        self._store.empty_log()
        return self._store.path

    def verify(
        self,
        witness: NoteSource | None = None,
        first_key: str | None = None,
        watch: Watch = unwatched,
        follow: Callable[[Iterable[Entry]], None] = exhausted,
    ) -> Checked:
        """Verify everything: header, numbers, lines, tree, signatures, pages, snapshots.

        A journal cut off with all its later signatures still verifies: compare it with a witness (docs/journal.md).

        Raises:
            JournalBroken: with the first invalid entry.
            WitnessFailed: the witness cannot be read.
        """
        witnessed = None if witness is None else witness.read(self.header.origin)
        return verify_store(self._store, witnessed, first_key, watch, follow)


def prove_stored(store: Store, first: int, last: int, round_no: int | None = None) -> EntryProof:
    """The proof of stored entries, see `Evidence.prove`; each row is read once.

    Raises:
        Unproved: no single signature of their own key covers them.
        JournalBroken
    """
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
    """A journal that no table has open, for reading. Its files are not changed, not even by recovery.

    The copy is in ``TMPDIR`` until the end of the block.

    Raises:
        JournalFailed: the files cannot be read, or there is no room for the copy.
        JournalError: it is missing, busy, damaged, or not a journal.
    """
    with tempfile.TemporaryDirectory(prefix="cardshoe-") as folder:
        copy = Path(folder) / "copy.journal"
        with readers_lock(path):
            copy_pair(path, copy, "Name a folder with enough room in the variable TMPDIR.")
        store = Store(copy, shown_as=path)
        try:
            store.quick_check()  # first of all: pages that belong to many rows would be read again and again
            yield Evidence(store)
        finally:
            store.abandon()
