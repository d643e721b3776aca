"""Reading a closed journal, or that of a killed process, without touching it.

Opening a database whose write-ahead log still holds commits would recover it and so change the evidence. Therefore the
file and its log are copied, and the copy is opened. Writers are kept out while copying.
"""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cardshoe.journal.file.atomic_files import copy_pair
from cardshoe.journal.file.chain import OWN, Entry
from cardshoe.journal.file.file_holders import readers_lock
from cardshoe.journal.file.retirement import Retirement
from cardshoe.journal.file.store import Store, stored_tree
from cardshoe.journal.file.watching import Watch, unwatched
from cardshoe.journal.file.witness_file import NoteSource
from cardshoe.journal.proof.entry_proof import FORM, EntryProof, ProvedEntry, covering
from cardshoe.journal.proof.note import Note
from cardshoe.journal.proof.statements import Checkpoint, Takeover
from cardshoe.journal.proof.tree import Frontier, edge_rows
from cardshoe.journal.reading.reader import (
    Checked,
    Stood,
    checked_entries,
    read_header,
    read_retired,
    read_signatures,
    read_snapshots,
    verify_store,
)


class Evidence:
    """A copy of a journal, for reading.

    Attributes:
        path: the journal it is a copy of, for messages.
        header: entry 0.
        genesis: entry 0 as stored.
        segment: which part of the log it holds.
        attested: what a part carries about its retirement.
    """

    def __init__(self, store: Store) -> None:
        self.path = store.shown_as
        self._store = store
        self.segment, self.attested = store.segment, store.attested
        self.genesis, self.header = read_header(store)

    def entries(self, from_seq: int = 1) -> Iterator[Entry]:
        """The entries from a number on, each checked against the tree before it while it is read.

        Raises:
            JournalBroken: with the first entry that does not hold; or a part holds less than it must.
        """
        if not self.segment.is_whole:
            read_retired(self._store, read_signatures(self._store, self.header))
        yield from checked_entries(self._store, max(1, from_seq))

    def notes(self) -> Iterator[bytes]:
        """The signed notes as stored: the statements of the keys, then the checkpoints.

        Raises:
            JournalBroken: a row cannot be read.
        """
        yield from (note for _, note in self._store.key_notes())
        yield from (note for _, note in self._store.checkpoints())

    def snapshots(self) -> list[Stood]:
        """Where the table stood at its changes of keys, as far as it was stored; each as it was signed.

        Raises:
            JournalBroken: one is not, or the succession of the keys does not hold.
        """
        return read_snapshots(self._store, read_signatures(self._store, self.header))

    def edge(self, size: int) -> Frontier:
        """The right edge of the tree over the first entries: what a follower goes on from.

        Args:
            size: how many entries, the header included, from 1.

        Raises:
            ValueError: there are not so many, or the last of them is not in this part.
            JournalBroken: a row is missing.
        """
        if not 1 <= size <= self.last_seq + 1:
            raise ValueError(f"no tree of {size} entries in a journal of {self.last_seq + 1}")
        self._check_reach(size)
        return Frontier(size, self._store.nodes(edge_rows(size)))

    def newest_notes(self) -> list[bytes]:
        """The statements of all keys, then the newest checkpoint: what a follower needs who has every entry.

        Raises:
            JournalBroken: a row cannot be read.
        """
        notes = [note for _, note in self._store.key_notes()]
        last = self._store.last_checkpoint()
        return notes if last is None else [*notes, last[1]]

    @property
    def last_seq(self) -> int:
        """Number of the last entry."""
        return self._store.last_seq()

    def last_retirement(self) -> Retirement | None:
        """The newest entry about retired shoe games, carried out or not; verify first.

        Raises:
            JournalBroken: the row cannot be read.
        """
        return self._store.last_retirement()

    def takeovers(self) -> list[Takeover]:
        """Read the statements of the keys; verify first.

        Raises:
            JournalBroken: a row cannot be read.
        """
        return [Takeover.read(Note(note)) for _, note in self._store.key_notes()]

    def prove(self, seq: int) -> tuple[bytes, list[bytes]]:
        """The proof that an entry is in the tree over all of them: its line, and the audit path of RFC 6962.

        Args:
            seq: its number; 0 for the header.

        Raises:
            ValueError: there is no such entry.
            JournalBroken: a row is missing.
        """
        self._check_reach(seq)
        path = stored_tree(self._store).inclusion(seq, self._store.last_seq() + 1)
        return self._store.entry(seq).line, path

    def prove_growth(self, first: int, second: int) -> list[bytes]:
        """The proof that the first entries are the beginning of more of them (RFC 6962 section 2.1.2).

        Args:
            first: a number of entries, from 1, the header included: the size in a checkpoint.
            second: a number of entries not less than that.

        Raises:
            ValueError: there are not so many.
            JournalBroken: a row is missing.
        """
        last = self._store.last_seq()
        if second > last + 1:
            raise ValueError(f"no tree of {second} entries in a journal of {last + 1}")
        self._check_reach(first)
        return stored_tree(self._store).consistency(first, second)

    def prove_entries(self, first: int, last: int | None = None, round_no: int | None = None) -> EntryProof:
        """The proof of an entry, or of all lines of a round, to be checked without the journal; verify first.

        Args:
            first: number of the first entry, from 1.
            last: number of the last one; left out: the first.
            round_no: the round that they are.

        Raises:
            ValueError: one of them is not here.
            Unproved: no one signature of their own key covers them.
            JournalBroken: a row is missing.
        """
        last = first if last is None else last
        if not 1 <= first <= last <= self._store.last_seq():
            raise ValueError(f"no such entry in a journal of {self._store.last_seq()}")
        self._check_reach(first)
        takeovers = self.takeovers()
        said = covering(first, last, takeovers, self._store.checkpoints())
        begins = max(one.size for one in takeovers if one.size <= first)
        before = first
        while round_no is not None and before > begins and (before == first or self._store.entry(before).kind in OWN):
            before -= 1
        tree, notes = stored_tree(self._store), self._store.key_notes()
        checkpoint = self._store.checkpoint_note(said.number) if isinstance(said, Checkpoint) else None

        def proved(seq: int) -> ProvedEntry:
            path = [node.hex() for node in tree.inclusion(seq, said.size)]
            return ProvedEntry(seq=seq, line=self._store.entry(seq).line.decode(), path=path)

        return EntryProof(
            proof=FORM,
            header=self.genesis.line.decode(),
            keys=[note.decode() for _, note in notes[: said.epoch + 1]],
            checkpoint=(checkpoint or b"").decode(),
            round=round_no,
            before=[proved(seq) for seq in range(before, first)],
            entries=[proved(seq) for seq in range(first, last + 1)],
        )

    def _check_reach(self, seq: int) -> None:
        if not self.segment.reaches(seq):
            raise ValueError(f"what came before entry {self.segment.size} is not in this part of the journal")

    def verify(
        self, witness: NoteSource | None = None, first_key: str | None = None, watch: Watch = unwatched
    ) -> Checked:
        """Verify everything: header, numbers, order, tree, signatures, pages, mark.

        Args:
            witness: what holds its notes outside.
            first_key: its first key as text, if that is known from elsewhere.
            watch: looks on.

        Returns:
            What holds, and up to where. A journal whose last entries were cut off with all that was signed of them
            verifies: compare with what a witness holds (docs/journal.md).

        Raises:
            JournalBroken: with the first entry that does not hold.
            WitnessFailed: the witness cannot be read.
        """
        witnessed = None if witness is None else witness.read(self.header.origin)
        return verify_store(self._store, witnessed, first_key, watch)


@contextlib.contextmanager
def read_only(path: Path) -> Iterator[Evidence]:
    """A journal that no table has open, for reading. Its files are not changed, not even by recovery.

    The copy lies in the system's folder for passing files (``TMPDIR``) and is deleted at the end of the block.

    Args:
        path: the journal.

    Raises:
        JournalMissing, JournalBusy, NotAJournal, JournalBroken, SettingRefused: see there.
        JournalFailed: the files cannot be read, or there is no room for the copy.
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
