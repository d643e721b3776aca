"""A witness's folder: ``witness-key`` (0600), ``trusted``, ``ID.notes``, ``ID.evidence``."""

import fcntl
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key

from cardshoe.journal import WitnessFile
from cardshoe.journal.file.wal import sync
from cardshoe.journal.file.witness_file import END
from cardshoe.journal.proof.cosignature import Cosigner
from cardshoe.journal.proof.note import BadNote, VerifyKey
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.plain_file import read_plain

MAX_EVIDENCE_BYTES: Final = 1 << 20

MAX_UNREGISTERED: Final = 1000
"""Limit of unregistered logs: each takes a file, and anyone can create one."""

_ORIGIN: Final = re.compile(r"cardshoe/journal/([A-Za-z0-9_-]{1,64})")


class WitnessStore:
    """A witness's folder."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreUnusable(folder, error) from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self.close()
            raise Stop(f"{folder}: another witness has it", "Give each a folder of its own.", Exit.USAGE) from error

    def close(self) -> None:
        """Release the folder."""
        os.close(self._lock)

    def cosigner(self) -> Cosigner:
        """The witness's key, created at the first start."""
        path = self._folder / "witness-key"
        try:
            private = private_key(path)
        except OSError as error:
            raise StoreUnusable(path, error) from error
        return Cosigner(f"cardshoe/witness/{private.public_key().public_bytes_raw().hex()[:16]}", private)

    def first_key(self, origin: str) -> VerifyKey | None:
        return _first_key(self._folder, origin)

    def trust_at_its_word(self, key: VerifyKey) -> bool:
        """Add the first key of an unregistered log, durably; False: too many."""
        if sum(" " not in line for line in _lines(self._folder)) >= MAX_UNREGISTERED:
            return False
        trust(self._folder, key)
        return True

    def trust_next(self, key: VerifyKey, before: str) -> bool:
        """Add the first key of the log after another, durably; False: it has one."""
        if any(one.endswith(f" {before}") for one in _lines(self._folder)):
            return False
        trust(self._folder, key, before)
        return True

    def notes(self, origin: str) -> WitnessFile:
        """The notes of a log; its name must satisfy `is_name`."""
        return WitnessFile(self._folder / f"{_stem(origin)}.notes")

    def store_evidence(self, origin: str, note: bytes, reason: str) -> bool:
        """Store a contradicting note durably; True if new and there is room."""
        file = WitnessFile(self._folder / f"{_stem(origin)}.evidence")
        with suppress(FileNotFoundError):
            if file.path.stat().st_size >= MAX_EVIDENCE_BYTES:
                return False
        if note in file.read(origin):
            return False
        file.append([reason.encode() + END, note])
        return True


def is_name(origin: str) -> bool:
    return _ORIGIN.fullmatch(origin) is not None


def trusted(folder: Path) -> list[VerifyKey]:
    return _keys(folder, "")


def _first_key(folder: Path, origin: str) -> VerifyKey | None:
    return next(iter(_keys(folder, f"{origin}+")), None)


def _keys(folder: Path, beginning: str) -> list[VerifyKey]:
    try:
        return [VerifyKey.parse(line.split(" ")[0]) for line in _lines(folder) if line.startswith(beginning)]
    except BadNote as error:
        raise _no_list(folder, error) from error


def _lines(folder: Path) -> list[str]:
    path = folder / "trusted"
    try:
        *lines, _torn = path.read_text("utf-8").split("\n")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreUnusable(path, error) from error
    except UnicodeDecodeError as error:
        raise _no_list(folder, error) from error
    return lines


def _no_list(folder: Path, error: Exception) -> Stop:
    path = folder / "trusted"
    return Stop(f"{path}: not a list of keys: {error}", "Each line begins with a key: NAME+ID+KEY.", Exit.USAGE)


def trust(folder: Path, key: VerifyKey, before: str = "") -> bool:
    """Add a log's first key, durably; True if new."""
    if not is_name(key.name):
        raise Stop(f"{key.name}: not a journal's name", "It is the key that `cardshoe run` prints.", Exit.USAGE)
    known = _first_key(folder, key.name)
    if known is not None:
        if known == key:
            return False
        raise Stop(
            f"{key.name}: a different first key is trusted, {known}",
            "A journal has one first key. A second one means that the journal was made again: keep both as evidence.",
            Exit.USAGE,
        )
    path = folder / "trusted"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _add_line(path, f"{key} {before}".rstrip().encode() + b"\n")
    except OSError as error:
        raise StoreUnusable(path, error) from error
    return True


def private_key(path: Path) -> Ed25519PrivateKey:
    return _load_key(path) if path.exists() else _make_key(path)


def _stem(origin: str) -> str:
    found = _ORIGIN.fullmatch(origin)
    if found is None:
        raise ValueError(f"{origin!r} is not a journal's name")
    return found[1]


def _load_key(path: Path) -> Ed25519PrivateKey:
    try:
        key = load_pem_private_key(read_plain(path), None)
    except (ValueError, TypeError) as error:
        raise _no_key(path) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise _no_key(path)
    return key


def _make_key(path: Path) -> Ed25519PrivateKey:
    key = Ed25519PrivateKey.generate()
    passing = path.with_name(f"{path.name}.creating")
    passing.unlink(missing_ok=True)
    _append(passing, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()), 0o600)
    passing.rename(path)
    sync(path.parent)
    return key


def _add_line(path: Path, line: bytes) -> None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
    with os.fdopen(descriptor, "r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # `cardshoe witness trust` beside the service
        # A rest without a line end is of a line for which the disk had no room.
        file.truncate(file.read().rfind(b"\n") + 1)
        file.seek(0, os.SEEK_END)
        file.write(line)
        file.flush()
        os.fsync(descriptor)
    sync(path.parent)


def _append(path: Path, data: bytes, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, mode)
    try:
        while data:
            data = data[os.write(descriptor, data) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    sync(path.parent)


def _no_key(path: Path) -> Stop:
    return Stop(f"{path}: not an Ed25519 key", "Bring the file back, or remove it: a new one is then made.", Exit.USAGE)


class StoreUnusable(Stop):
    def __init__(self, path: Path, error: OSError) -> None:
        remedy = "Name a folder that can be written with --state, and see that there is room."
        super().__init__(f"{path}: {error.strerror or error}", remedy, Exit.USAGE)
