"""The journal of a table: one writing thread, durable before any answer."""

import contextlib
import errno
import hashlib
import os
import secrets
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeVar

import msgspec

from cardshoe.journal.file.atomic_files import check_free
from cardshoe.journal.file.chain import Chain, Entry, OutOfOrder, header_entry
from cardshoe.journal.file.disk_space import LOW_BYTES, Ballast, DiskSpace, free_space
from cardshoe.journal.file.errors import (
    JournalBroken,
    JournalBusy,
    JournalError,
    JournalExists,
    JournalFailed,
    JournalFull,
    LinesRefused,
)
from cardshoe.journal.file.file_holders import claim, file_id, release
from cardshoe.journal.file.header import Header, decode_header, encode_header
from cardshoe.journal.file.keyring import Keyring
from cardshoe.journal.file.store import Store
from cardshoe.journal.file.wal import WAL_BYTES, enlarge, sync, wal_of
from cardshoe.journal.proof.entry_proof import EntryProof, Unproved
from cardshoe.journal.proof.note import BadNote, Note
from cardshoe.journal.proof.signatures import Numbered, Signatures
from cardshoe.journal.proof.statements import Takeover, read_statement
from cardshoe.journal.reading.read_only import prove_stored
from cardshoe.journal.reading.reader import (
    chain_after,
    check_count,
    checked_entries,
    entry_of_line,
    followed,
    read_header,
    read_signatures,
    read_snapshots,
    verify_store,
)
from cardshoe.journal.writing.consistency_steps import ConsistencyStep, holds, newest_note, steps_after
from cardshoe.journal.writing.signer import JournalSigner

READERS_S: Final = 2.0
"""Longest wait for a reader of a journal that was just made."""
Found = TypeVar("Found")
NoteListener = Callable[[bytes], None]
"""Receives durable notes in the table's thread; must not wait."""


class Journal:
    """An open journal, its file's only writer, for the table's thread alone.

    After a disk failure every call raises `JournalFailed`: a retry could acknowledge entries that are not
    stored.

    Attributes:
        header: entry 0.
        signer: ``None``: unsigned, or no further signatures.
    """

    def __init__(self, store: Store, keyring: Keyring | None = None) -> None:
        self.path = store.shown_as
        self._store = store
        self._failed: JournalFailed | None = None
        self._poisoning = _Poisoning(self._poison)
        self._closed = False
        self._ballast = Ballast(self.path)
        store.quick_check()
        _, self.header = read_header(store)
        check_count(store)
        keys = store.key_notes()
        self._shoe_start = _begins(keys[-1]) if keys else 1
        self._chain = chain_after(store, self._shoe_start - 1)
        signatures = read_signatures(store, self.header, self._shoe_start)
        for _ in followed(self.path, self._chain, store.entries(self._shoe_start), signatures):
            pass
        self.stood = next(reversed(read_snapshots(store, signatures)), None)
        """The table's last stored state at opening; ``None``: never stored."""
        self._listeners: list[NoteListener] = []
        self._signed_size = 0 if signatures is None else signatures.proved_size
        self.signer = None if keyring is None else self._resume(keyring, signatures)
        self._prepare_disk()
        if self.signer is not None:
            # Not before the statement that the newest key has taken over is durable for certain.
            self.signer.erase_others()

    @classmethod
    def create(
        cls, path: Path, header: Header, keyring: Keyring | None = None, before: JournalSigner | None = None
    ) -> Self:
        """Create and open a journal, whole or not at all; ``before`` certifies its first key.

        Raises:
            JournalFailed: the folder is missing or not writable.
            JournalExists: the name, or an earlier write-ahead log, exists.
            LinesRefused: a header field has a wrong type.
        """
        if not header.journal_id:
            header = msgspec.structs.replace(header, journal_id=secrets.token_hex(16))
        _check_header(path, header)
        if keyring is None:
            _make_file(path, header_entry(encode_header(header)))
            return cls._open_new(path)
        check_free(path)
        notary = JournalSigner.first(keyring, header.origin)
        try:
            entry = header_entry(encode_header(msgspec.structs.replace(header, key=str(notary.public))))
            _make_file(path, entry, notary.opening(entry.node, header.created_at, before))
        except BaseException:
            if not os.path.lexists(path):  # else it is there under its name, and is nothing without its key
                keyring.discard()
            raise
        return cls._open_new(path, keyring)

    @classmethod
    def _open_new(cls, path: Path, keyring: Keyring | None = None) -> Self:
        until_s = time.monotonic() + READERS_S
        try:
            while True:
                try:
                    return cls.open(path, keyring)
                except JournalBusy:  # another process reads it, which found the name before the lock
                    if time.monotonic() > until_s:
                        raise
                    threading.Event().wait(0.01)
        except BaseException:
            release(file_id(path))
            raise

    @classmethod
    def open(cls, path: Path, keyring: Keyring | None = None) -> Self:
        """Open a journal after any interruption.

        Checks settings, pages, header, numbers, keys and the open shoe; `verify` checks all.

        Raises:
            KeyMissing: the keyring lacks the journal's key.
            JournalError: missing, busy, damaged, not a journal, or cannot be read.
        """
        store = Store(path)
        try:
            return cls(store, keyring)
        except BaseException:
            store.abandon()
            raise

    @property
    def last(self) -> int:
        """Number of the last entry; 0: the header alone."""
        return self._chain.number

    @property
    def last_seq(self) -> int:
        return self._chain.seq

    @property
    def root(self) -> bytes:
        """Root over all entries, 32 bytes."""
        return self._chain.edge.root()

    @property
    def origin(self) -> str:
        """The journal's name in its notes."""
        return self.header.origin

    @property
    def unsigned(self) -> int:
        """Entries at the end without a signature; 0 if unsigned."""
        return 0 if self.signer is None else self._chain.edge.size - self._signed_size

    def listen(self, listener: NoteListener) -> None:
        """Add a listener to signed, durable notes."""
        self._listeners.append(listener)

    def notes(self) -> Iterator[bytes]:
        """The signed notes as stored."""
        self._check_usable()
        with self._poisoning:
            yield from (note for _, note in self._store.key_notes())
            yield from (note for _, note in self._store.checkpoints())

    def newest_note(self) -> bytes:
        """The last signed note; empty: unsigned."""
        self._check_usable()
        with self._poisoning:
            return newest_note(self._store)

    def way_from(self, held: bytes | None) -> list[ConsistencyStep] | None:
        """Proofs from a follower's note to the newest; ``None``: unknown note."""
        self._check_usable()
        if held is not None:
            read_statement(Note(held))
        return self._looked_up(
            lambda: None if held is not None and not holds(self._store, held) else steps_after(self._store, held)
        )

    @property
    def checkpoints(self) -> int:
        """Number of the last checkpoint; 0 before the first."""
        return 0 if self.signer is None else self.signer.number

    @property
    def shoe_start(self) -> int:
        """First entry of the open shoe; 1 before `begin_shoe` and unsigned."""
        return self._shoe_start

    def append(self, entries: Iterable[bytes], sign_at: str | None = None) -> None:
        """Store entries in one transaction, durable when this returns.

        Args:
            entries: canonical JSON lines; ``seq`` continues the journal.
            sign_at: RFC 3339, UTC: add a checkpoint.

        Raises:
            JournalFailed: the disk failed; the outcome is unknown.
            LinesRefused: nothing was written.
        """
        self._check_usable()
        chain = self._chain.copy()
        try:
            added = [chain.add(data) for data in entries]
        except OutOfOrder as error:
            raise LinesRefused(self.path, error.number, error.reason) from error
        if not added:
            raise LinesRefused(self.path, chain.number + 1, "no entries")
        self._store_signed(chain, added, sign_at)

    def sign(self, at: str) -> None:
        """Store a checkpoint over all entries; no-op if unsigned; ``at``: RFC 3339, UTC."""
        self._check_usable()
        if self.signer is not None:
            self._store_signed(self._chain, [], at)

    def entries(self, first: int = 1) -> Iterator[Entry]:
        """Entries from a number (from 1) on, each checked against the tree.

        Raises:
            JournalFailed: see the class.
            JournalBroken: with the first invalid entry.
        """
        self._check_usable()
        with self._poisoning:
            yield from checked_entries(self._store, max(1, first))

    def stored(self, first: int, last: int) -> list[Entry]:
        """Stored entries from 0, not verified; those beyond the end are omitted.

        Raises:
            JournalBroken: one is missing; recording can continue.
        """
        return self._looked_up(lambda: list(map(self._store.entry, range(first, min(last, self.last) + 1))))

    def prove(self, first: int, last: int, round_no: int) -> EntryProof:
        """The proof of a round, see `Evidence.prove`.

        Raises:
            Unproved: no single signature of their own key covers them.
            ValueError: an entry is missing.
        """
        if not 1 <= first <= last <= self.last:
            raise ValueError(f"no such entry in a journal of {self.last}")
        return self._looked_up(lambda: prove_stored(self._store, first, last, round_no))

    def _looked_up(self, look: Callable[[], Found]) -> Found:
        self._check_usable()
        with self._poisoning:
            try:
                return look()
            except (JournalBroken, BadNote, Unproved) as error:
                broken = error
        raise broken

    def entry_of(self, seq: int) -> int:
        """The entry of a line; the last one for a later line."""
        self._check_usable()
        with self._poisoning:
            return entry_of_line(self._store, seq)

    def verify(self) -> None:
        """Verify the whole journal (3 s for 1 000 000 entries).

        Raises:
            JournalBroken: with the first invalid entry.
        """
        self._check_usable()
        with self._poisoning:
            verify_store(self._store)

    def begin_shoe(self, at: str = "", state: bytes | None = None) -> None:
        """Change the key for a new shoe, and flush the log.

        The next key is on disk before the journal names it; the old one is erased afterwards.
        """
        self._check_usable()
        size = self._chain.edge.size
        if self.signer is not None:
            with self._poisoning:
                digest = None if state is None else hashlib.sha256(state).digest()
                following, statement = self.signer.certify_next(size, self.root, at, digest)
                self._store.store_takeover(statement, state)
                following.erase_others()
                self.signer, self._signed_size, self._shoe_start = following, size, size
                self._notify(statement)
        self.flush_wal()

    def flush_wal(self) -> None:
        """Copy the write-ahead log into the database; takes milliseconds, so between shoes."""
        self._check_usable()
        with self._poisoning:
            self._store.flush_wal()

    def room(self) -> DiskSpace:
        """Check free space between rounds: unless ``enough``, open no further round.

        Raises:
            JournalFailed: the folder cannot be read.
        """
        self._check_usable()
        return self._ballast.assess(self._free_space())

    def close(self) -> None:
        """Close into one file; idempotent.

        Raises:
            JournalFailed: entries are safe in the file and its write-ahead log.
        """
        if self._closed:
            return
        self._closed = True
        if self._failed is not None:
            self._store.abandon()
            return
        with self._poisoning:
            self._store.close()
        self._ballast.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _store_signed(self, chain: Chain, entries: list[Entry], sign_at: str | None) -> None:
        with self._poisoning:
            checkpoint = None
            if sign_at is not None and self.signer is not None:
                checkpoint = self.signer.checkpoint(chain.edge.size, chain.edge.root(), sign_at)
            self._store.insert(entries, checkpoint)
            self._chain = chain
            if checkpoint is not None:
                self._signed_size = chain.edge.size
                self._notify(checkpoint)

    def _notify(self, note: Numbered) -> None:
        for listener in self._listeners:
            listener(note[1])

    def _resume(self, keyring: Keyring, signatures: Signatures | None) -> JournalSigner:
        if signatures is None:
            raise JournalBroken(self.path, 0, "the header names no key: this journal is unsigned")
        number = next((number for number, _ in self._store.checkpoints_backwards()), 0)
        return JournalSigner.resume(keyring, signatures.keys, number)

    def _check_usable(self) -> None:
        if self._failed is not None:
            raise self._failed.with_traceback(None)
        if self._closed:
            raise JournalFailed(self.path, "already closed", "Open it again.", self.last)

    def _poison(self, error: BaseException) -> None:
        if isinstance(error, JournalFull):
            self._failed = JournalFull(self.path, self.last)
        else:
            problem = error.problem if isinstance(error, JournalError) else f"interrupted by {error!r}"
            self._failed = JournalFailed(self.path, problem, last=self.last)
        if isinstance(error, JournalFailed):
            raise self._failed from error

    def _free_space(self) -> int:
        try:
            return free_space(self.path.parent)
        except OSError as error:
            raise JournalFailed(self.path, f"its folder cannot be asked for free space: {error.strerror}") from error

    def _prepare_disk(self) -> None:
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


class _Poisoning:
    """Receives every error that interrupts a block, Ctrl-C included."""

    __slots__ = ("_poison",)

    def __init__(self, poison: Callable[[BaseException], None]) -> None:
        self._poison = poison

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> None:
        if error is not None and not isinstance(error, GeneratorExit):
            self._poison(error)


def _begins(key: Numbered) -> int:
    try:
        return max(1, Takeover.read(Note(key[1])).size)
    except BadNote:
        return 1  # verifying the succession names it


def _check_header(path: Path, header: Header) -> None:
    try:
        decode_header(encode_header(header))
    except ValueError as error:
        raise LinesRefused(path, 0, f"a header that could not be read again: {error}") from error


def _make_file(path: Path, header: Entry, key: Numbered | None = None) -> None:
    check_free(path)
    try:
        with contextlib.ExitStack() as undo:
            descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".creating", dir=path.parent)
            os.close(descriptor)
            passing = Path(name)
            try:
                Store.build(passing, header, shown_as=path, key=key)
                sync(path.parent)  # its log is gone for good: a second name with a log would be refused
                own = file_id(passing)
                claim(own)  # or a reader in this process could lock it first, and drop our lock
                undo.callback(release, own)
                os.link(passing, path)
            finally:
                passing.unlink()
                wal_of(passing).unlink(missing_ok=True)
            sync(path.parent)
            undo.pop_all()
    except FileExistsError as error:
        raise JournalExists(path, "there is already something of this name") from error
    except FileNotFoundError as error:
        raise JournalFailed(path, "the folder does not exist", "Make it first, on a local disk.") from error
    except OSError as error:
        raise JournalFailed(path, f"cannot be made: {error.strerror or error}") from error
