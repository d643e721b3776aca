"""The journal of a table: written by one thread of one process, durable before anybody is answered."""

import contextlib
import errno
import os
import secrets
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

import msgspec

from table.journal.chain import BEFORE_HEADER, Chain, Entry, NotNext, digest_of
from table.journal.errors import JournalError, JournalExists, JournalFailed, JournalFull, LinesRefused
from table.journal.header import Header, decode_header, encode_header
from table.journal.reader import check_count, check_mark, checked_entries, followed, naming, read_header, verify_store
from table.journal.room import LOW_BYTES, Ballast, Room, free_space
from table.journal.store import Store
from table.journal.wal import WAL_BYTES, enlarge, sync, wal_of


class Journal:
    """An open journal, the only writer of its file. Made by `create` or `open`; closes at the end of a ``with`` block.

    The table's thread alone uses it. After the first failure of the disk every call raises `JournalFailed`: what a
    failed write or sync has left behind is unknown, and trying again could acknowledge what is not there.

    Attributes:
        path: the file.
        header: entry 0.
    """

    def __init__(self, store: Store) -> None:
        self.path = store.shown_as
        self._store = store
        self._failed: JournalFailed | None = None
        self._closed = False
        self._ballast = Ballast(self.path)
        store.quick_check()
        first, self.header = read_header(store)
        check_count(store)
        before_shoe = check_mark(store, first)
        with naming(self.path):
            self._chain = Chain.after(before_shoe)
        self._shoe_start = before_shoe.seq + 1
        for _ in followed(self.path, self._chain, store.entries(self._shoe_start)):
            pass
        self._prepare_disk()

    @classmethod
    def create(cls, path: Path, header: Header) -> Self:
        """Make a new journal and open it. Either the whole file is there under its name, or none.

        Args:
            path: the file, by custom ``*.journal``.
            header: what it is about; a ``journal_id`` is drawn if it has none.

        Raises:
            JournalExists: there is something of that name, or the write-ahead log of what was there.
            LinesRefused: the header has a field of a wrong type.
            JournalFailed: the folder is missing or cannot be written to.
        """
        if not header.journal_id:
            header = msgspec.structs.replace(header, journal_id=secrets.token_hex(16))
        line = encode_header(header)
        try:
            decode_header(line)
        except ValueError as error:
            raise LinesRefused(path, 0, f"a header that could not be read again: {error}") from error
        _make_file(path, Entry(0, "header", line, digest_of(BEFORE_HEADER, 0, "header", line)))
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a journal after whatever happened to it: recover it, check it, make it ready.

        Checked are the settings, the structure of every page, the header, that no number is missing, and chain and
        order of the open shoe. `verify` checks the chain from the beginning.

        Raises:
            JournalMissing, JournalBusy, NotAJournal, JournalBroken, SettingRefused, JournalFailed: see there.
        """
        store = Store(path)
        try:
            return cls(store)
        except BaseException:
            store.abandon()
            raise

    @property
    def last_seq(self) -> int:
        """Number of the last entry; 0 if there is only the header."""
        return self._chain.seq

    @property
    def last_digest(self) -> bytes:
        """Digest of the last entry, 32 bytes: it stands for everything up to here."""
        return self._chain.digest

    @property
    def shoe_start(self) -> int:
        """Number of the first entry of the open shoe (1 before the first `begin_shoe`)."""
        return self._shoe_start

    def append(self, lines: Iterable[tuple[Literal["input", "output"], bytes]]) -> None:
        """Store inputs, each followed by its outputs, in one transaction. They are durable when this returns.

        Args:
            lines: kind and bytes in their order; each input is followed by its outputs, of which the last is ``next``.
                Each line is one JSON object whose ``seq`` continues the journal.

        Raises:
            LinesRefused: the lines are not that. Nothing was written; the journal is as before.
            JournalFailed: the disk failed; whether the lines are stored is unknown. See the class.
        """
        self._check_usable()
        chain = self._chain.copy()
        try:
            entries = [chain.add(kind, line) for kind, line in lines]
            chain.check_end()
        except NotNext as error:
            raise LinesRefused(self.path, error.seq, error.reason) from error
        if not entries:
            raise LinesRefused(self.path, chain.seq + 1, "no lines")
        with self._poisoning():
            self._store.insert(entries)
        self._chain = chain

    def entries(self, from_seq: int = 1) -> Iterator[Entry]:
        """The entries from a number on, each checked against the one before it while it is read.

        Args:
            from_seq: the first number wanted, from 1.

        Raises:
            JournalBroken: with the first entry that does not hold.
            JournalFailed: see the class.
        """
        self._check_usable()
        with self._poisoning():
            yield from checked_entries(self._store, max(1, from_seq))

    def verify(self) -> None:
        """Verify the whole journal from its header on (3 s for 1 000 000 entries).

        Raises:
            JournalBroken: with the first entry that does not hold.
            JournalFailed: see the class.
        """
        self._check_usable()
        with self._poisoning():
            verify_store(self._store)

    def begin_shoe(self) -> None:
        """Remember that what comes now belongs to a new shoe, and make a `checkpoint`.

        Raises:
            JournalFailed: see the class.
        """
        self._check_usable()
        with self._poisoning():
            self._store.set_mark(self.last_seq, self.last_digest)
        self._shoe_start = self.last_seq + 1
        self.checkpoint()

    def checkpoint(self) -> None:
        """Copy the write-ahead log into the database; takes milliseconds, so between shoes.

        Raises:
            JournalFailed: see the class.
        """
        self._check_usable()
        with self._poisoning():
            self._store.checkpoint()

    def room(self) -> Room:
        """Is there room to go on? Ask between rounds: unless ``enough``, finish the round and open no further one.

        Raises:
            JournalFailed: the folder cannot be asked.
        """
        self._check_usable()
        return self._ballast.assess(self._free_space())

    def close(self) -> None:
        """Make one file of it and close; a second call does nothing. After a failure the files are left as they are.

        Raises:
            JournalFailed: the disk failed; the entries are safe, in the file and its write-ahead log.
        """
        if self._closed:
            return
        self._closed = True
        if self._failed is not None:
            self._store.abandon()
            return
        with self._poisoning():
            self._store.close()
        self._ballast.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _check_usable(self) -> None:
        if self._failed is not None:
            raise self._failed.with_traceback(None)
        if self._closed:
            raise JournalFailed(self.path, "already closed", "Open it again.", self.last_seq)

    @contextlib.contextmanager
    def _poisoning(self) -> Iterator[None]:
        """Whatever interrupts the block, this object is of no further use; a Ctrl-C too, for it may come in between."""
        try:
            yield
        except GeneratorExit:
            raise
        except BaseException as error:
            if isinstance(error, JournalFull):
                self._failed = JournalFull(self.path, self.last_seq)
            else:
                problem = error.problem if isinstance(error, JournalError) else f"interrupted by {error!r}"
                self._failed = JournalFailed(self.path, problem, last_seq=self.last_seq)
            if isinstance(error, JournalFailed):
                raise self._failed from error
            raise

    def _free_space(self) -> int:
        try:
            return free_space(self.path.parent)
        except OSError as error:
            raise JournalFailed(self.path, f"its folder cannot be asked for free space: {error.strerror}") from error

    def _prepare_disk(self) -> None:
        """Make durable what was found, then the ballast and a large write-ahead log where there is room for them.

        The last entries may come from a process that was killed before it had synced them. The table acts on them from
        now on, so they must not go with a power cut.
        """
        wal = wal_of(self.path)
        try:
            sync(wal)
            sync(wal.parent)
        except OSError as error:
            raise JournalFailed(self.path, f"what it holds cannot be made durable: {error.strerror}") from error
        if self._free_space() < LOW_BYTES + WAL_BYTES:
            return
        self._ballast.hold()
        try:
            enlarge(wal)
        except OSError as error:
            # Somebody else took the room: the log grows when it must. Anything else is a bad disk.
            if error.errno not in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
                raise JournalFailed(self.path, f"the write-ahead log cannot be enlarged: {error.strerror}") from error


def _make_file(path: Path, header: Entry) -> None:
    """Make a finished database under a passing name, then give it its own."""
    if os.path.lexists(path):
        raise JournalExists(path, "there is already something of this name")
    if wal_of(path).exists():
        raise JournalExists(
            path,
            f"there is {path.name}-wal, the write-ahead log of a journal that is gone",
            "Bring the journal back beside it, or move the log away as evidence and try again.",
        )
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".creating", dir=path.parent)
        os.close(descriptor)
        passing = Path(name)
        try:
            Store.build(passing, header, shown_as=path)
            os.link(passing, path)
        finally:
            passing.unlink()
            wal_of(passing).unlink(missing_ok=True)
        sync(path.parent)
    except FileExistsError as error:
        raise JournalExists(path, "there is already something of this name") from error
    except FileNotFoundError as error:
        raise JournalFailed(path, "the folder does not exist", "Make it first, on a local disk.") from error
    except OSError as error:
        raise JournalFailed(path, f"cannot be made: {error.strerror or error}") from error
