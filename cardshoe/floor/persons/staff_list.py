"""The casino's list of staff in ``state/persons``: ``key``, ``list``, ``changes``.

Its key (mode 0600) is separate, so that the receipts' key can change alone.
"""

import contextlib
import hashlib
import logging
import os
import pwd
import threading
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from cardshoe.journal.proof.note import BadNote, SigningKey
from cardshoe.journal.witness.store import private_key
from cardshoe.persons.files import alone, write_whole
from cardshoe.persons.registry import Person
from cardshoe.persons.signed_list import KEY_NAME, LIST_BYTES, ListEntry, SignedList
from cardshoe.process.clock import wall_time
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.plain_file import read_plain

FRESH: Final = 10
"""Part of the validity after which a list is signed again."""

logger: Final = logging.getLogger(__name__)


class Change(Struct, frozen=True, kw_only=True):
    version: int
    at: str
    by: str
    did: str


class Roll:
    """The list of a floor; from any thread.

    Raises:
        Stop: the key cannot be read or created.
    """

    def __init__(self, state: Path, valid_days: int, now: Callable[[], str] = wall_time) -> None:
        self.folder: Final = state / "persons"
        self._list: Final = self.folder / "list"
        self._changes: Final = self.folder / "changes"
        self._valid: Final = timedelta(days=valid_days)
        self._now: Final = now
        self._turn: Final = threading.Lock()
        self._stamp: tuple[int, ...] | None = None
        self._issued: SignedList | None = None
        self._persons: Mapping[str, Person] = {}
        self._digests: dict[str, str] = {}
        path = self.folder / "key"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with alone(self.folder):
                private = private_key(path)
        except OSError as error:
            raise self._stop(path, error.strerror or str(error)) from error
        self._key: Final = SigningKey(f"{KEY_NAME}/{private.public_key().public_bytes_raw().hex()[:16]}", private)

    @property
    def key(self) -> str:
        """The public key of the lists, as in each table.toml."""
        return str(self._key.public)

    # --- what there is -----------------------------------------------------------------------------------------------

    def issued(self) -> SignedList | None:
        """The newest list, reread on change; ``None``: no person yet."""
        with self._turn:
            return self._looked()

    def persons(self) -> Mapping[str, Person]:
        """Staff by id."""
        with self._turn:
            self._looked()
            return self._persons

    def for_table(self, table: str) -> bytes | None:
        """The signed list of one table; ``None``: no list."""
        issued = self.issued()
        return None if issued is None else issued.for_table(table).signed(self._key)

    def digest(self, table: str) -> str:
        """SHA-256 of a table's list, hexadecimal; empty: no list."""
        with self._turn:
            issued = self._looked()
            if issued is None:
                return ""
            found = self._digests.get(table)
            if found is None:
                # Signatures of Ed25519 are the same each time, so the list is not kept for every table.
                found = hashlib.sha256(issued.for_table(table).signed(self._key)).hexdigest()
                self._digests[table] = found
            return found

    def changes(self) -> list[Change]:
        """Versions with their authors, oldest first."""
        try:
            *lines, _rest = self._changes.read_bytes().split(b"\n")
            return [msgspec.json.decode(line, type=Change) for line in lines]
        except FileNotFoundError:
            return []
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise self._stop(self._changes, str(error)) from error

    # --- what changes ------------------------------------------------------------------------------------------------

    def change(self, by: str, change: Callable[[dict[str, ListEntry]], str], *, after: int = 0) -> SignedList:
        """Sign a new version, durably; after an error the list is unchanged.

        Args:
            after: a version to exceed, such as a table's newer list.

        Raises:
            Stop: unreadable, not writable, too long, or refused by `change`.
        """
        with self._writing():
            before = self.issued()
            entries = {} if before is None else {one.id: one for one in before.entries}
            did = change(entries)
            issued = self._made(max(after, 0 if before is None else before.version) + 1, entries)
            data = self._signed(issued)
            self._note(Change(version=issued.version, at=issued.issued, by=by, did=did))
            write_whole(self._list, data)
        return issued

    def renew(self) -> bool:
        """Sign the same version again when due; True: signed."""
        issued, now = self.issued(), datetime.fromisoformat(self._now())
        if issued is None or now < datetime.fromisoformat(issued.issued) + self._valid / FRESH:
            return False
        with self._writing():
            issued = self.issued()
            if issued is not None:
                renewed = self._made(issued.version, {one.id: one for one in issued.entries})
                write_whole(self._list, self._signed(renewed))
        return True

    # --- below -------------------------------------------------------------------------------------------------------

    def _looked(self) -> SignedList | None:
        try:
            found = self._list.stat()
            stamp = (found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size)
            if stamp != self._stamp:
                self._issued = SignedList.read(read_plain(self._list, LIST_BYTES), self._key.public, None)
                self._persons, self._digests, self._stamp = self._issued.persons, {}, stamp
        except FileNotFoundError:
            self._issued, self._persons, self._digests, self._stamp = None, {}, {}, None
        except OSError as error:
            raise self._stop(self._list, f"cannot be read: {error.strerror or error}") from error
        except BadNote as error:
            raise self._stop(self._list, f"is not what this floor has signed: {error.reason}") from error
        return self._issued

    def _made(self, version: int, entries: Mapping[str, ListEntry]) -> SignedList:
        now = self._now()
        until = datetime.fromisoformat(now).astimezone(UTC) + self._valid
        return SignedList(
            table=None,
            version=version,
            issued=now,
            until=f"{until:%Y-%m-%dT%H:%M:%S.%fZ}",
            entries=sorted(entries.values(), key=lambda one: one.id),
        )

    def _signed(self, issued: SignedList) -> bytes:
        data = issued.signed(self._key)
        try:
            SignedList.read(data, self._key.public, None)
        except BadNote as error:
            raise self._stop(self._list, f"nothing was changed: {error.reason}") from error
        return data

    def _note(self, change: Change) -> None:
        descriptor = os.open(self._changes, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "r+b") as file:
            # What stands behind the last line end is of a change for which there was no room, and no list came of it.
            file.truncate(file.read().rfind(b"\n") + 1)
            file.seek(0, os.SEEK_END)
            file.write(msgspec.json.encode(change) + b"\n")
            file.flush()
            os.fsync(descriptor)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            with alone(self.folder):
                yield
        except OSError as error:
            raise self._stop(self.folder, f"cannot be written: {error.strerror or error}") from error

    def _stop(self, path: Path, what: str) -> Stop:
        return Stop(f"{path}: {what}", "Check the folder `state`, or restore it from its backup.", Exit.USAGE)


def check_account(state: Path) -> None:
    """Check that a command runs under the floor's account, which cannot read other files.

    Raises:
        Stop: another account has the folder.
    """
    with contextlib.suppress(FileNotFoundError):
        owner = state.stat().st_uid
        if owner != os.geteuid():
            try:
                name = pwd.getpwuid(owner).pw_name
            except KeyError:
                name = f"#{owner}"
            raise Stop(f"{state} belongs to {name}", f"Run this as {name}: runuser -u {name} -- cardshoe …", Exit.USAGE)
