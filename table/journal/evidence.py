"""Reading a closed journal, or that of a killed process, without touching it.

Opening a database whose write-ahead log still holds commits would recover it and so change the evidence. Therefore the
file and its log are copied, and the copy is opened. Writers are kept out while copying.
"""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from table.journal.chain import Entry
from table.journal.errors import JournalFailed
from table.journal.holders import readers_lock
from table.journal.reader import Checked, Stood, checked_entries, read_header, read_seals, read_standings, verify_store
from table.journal.store import Store, stored_tree
from table.journal.wal import wal_of
from table.journal.witness_file import NoteSource


class Evidence:
    """A copy of a journal, for reading.

    Attributes:
        path: the journal it is a copy of, for messages.
        header: entry 0.
        genesis: entry 0 as stored.
    """

    def __init__(self, store: Store) -> None:
        self.path = store.shown_as
        self._store = store
        self.genesis, self.header = read_header(store)

    def entries(self, from_seq: int = 1) -> Iterator[Entry]:
        """The entries from a number on, each checked against the tree before it while it is read.

        Raises:
            JournalBroken: with the first entry that does not hold.
        """
        yield from checked_entries(self._store, max(1, from_seq))

    def notes(self) -> Iterator[bytes]:
        """The signed notes as stored: the statements of the keys, then the checkpoints.

        Raises:
            JournalBroken: a row cannot be read.
        """
        yield from (note for _, note in self._store.key_notes())
        yield from (note for _, note in self._store.checkpoints())

    def standings(self) -> list[Stood]:
        """Where the table stood at its changes of keys, as far as it was stored; each as it was signed.

        Raises:
            JournalBroken: one is not, or the succession of the keys does not hold.
        """
        return read_standings(self._store, read_seals(self._store, self.header))

    def prove(self, seq: int) -> tuple[bytes, list[bytes]]:
        """The proof that an entry is in the tree over all of them: its line, and the audit path of RFC 6962.

        Args:
            seq: its number; 0 for the header.

        Raises:
            ValueError: there is no such entry.
            JournalBroken: a row is missing.
        """
        *_, last = self._store.extent()
        path = stored_tree(self._store).inclusion(seq, last + 1)
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
        *_, last = self._store.extent()
        if second > last + 1:
            raise ValueError(f"no tree of {second} entries in a journal of {last + 1}")
        return stored_tree(self._store).consistency(first, second)

    def verify(self, witness: NoteSource | None = None, first_key: str | None = None) -> Checked:
        """Verify everything: header, numbers, order, tree, signatures, pages, mark.

        Args:
            witness: what holds its notes outside.
            first_key: its first key as text, if that is known from elsewhere.

        Returns:
            What holds, and up to where. A journal whose last entries were cut off with all that was signed of them
            verifies: compare with what a witness holds (docs/journal.md).

        Raises:
            JournalBroken: with the first entry that does not hold.
            WitnessFailed: the witness cannot be read.
        """
        witnessed = None if witness is None else witness.read(self.header.origin)
        return verify_store(self._store, witnessed, first_key)


@contextlib.contextmanager
def read_only(path: Path) -> Iterator[Evidence]:
    """A journal that no table has open, for reading. Its files are not changed, not even by recovery.

    The copy lies in the system's folder for passing files (``TMPDIR``) and is deleted at the end of the block.

    Raises:
        JournalMissing, JournalBusy, NotAJournal, JournalBroken, SettingRefused: see there.
        JournalFailed: the files cannot be read, or there is no room for the copy.
    """
    with tempfile.TemporaryDirectory(prefix="cardshoe-") as folder:
        copy = Path(folder) / "copy.journal"
        with readers_lock(path):
            _copy(path, path, copy)
            if wal_of(path).exists():
                _copy(path, wal_of(path), wal_of(copy))
        store = Store(copy, shown_as=path)
        try:
            yield Evidence(store)
        finally:
            store.abandon()


def _copy(journal: Path, source: Path, target: Path) -> None:
    try:
        shutil.copyfile(source, target)
    except OSError as error:
        raise JournalFailed(
            journal,
            f"cannot be copied to {target.parent}: {error.strerror or error}",
            "Name a folder with enough room in the variable TMPDIR.",
        ) from error
