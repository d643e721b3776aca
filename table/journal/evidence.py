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
from table.journal.reader import checked_entries, read_header, verify_store
from table.journal.store import Store
from table.journal.wal import wal_of


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
        """The entries from a number on, each checked against the one before it while it is read.

        Raises:
            JournalBroken: with the first entry that does not hold.
        """
        yield from checked_entries(self._store, max(1, from_seq))

    def verify(self) -> tuple[int, bytes]:
        """Verify everything: header, numbers, order, chain, pages, mark.

        Returns:
            Number and digest of the last entry. Compare them with what was noted elsewhere: a journal whose last
            entries were cut off verifies (docs/journal.md).

        Raises:
            JournalBroken: with the first entry that does not hold.
        """
        return verify_store(self._store)


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
