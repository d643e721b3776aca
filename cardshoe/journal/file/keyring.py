"""A journal's private keys, one file each, deleted after succession.

Mode 0600, PKCS#8 in PEM. Overwritten before unlinking; SSDs may keep the bytes (docs/journal.md).
"""

import contextlib
import os
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from cardshoe.journal.file.errors import JournalFailed, KeyMissing
from cardshoe.process.plain_file import read_plain


class Keyring:
    def __init__(self, journal: Path) -> None:
        self.journal = journal
        real = journal.resolve()
        self._folder = real.parent
        self._stem = f"{real.name}-key-"

    def path(self, epoch: int) -> Path:
        """The file of a key."""
        return self._folder / f"{self._stem}{epoch}"

    def held(self) -> list[int]:
        """Epochs whose keys are here."""
        tails = (path.name.removeprefix(self._stem) for path in self._folder.glob("*-key-*"))
        return sorted(int(tail) for tail in tails if tail.isdecimal())

    def make(self, epoch: int) -> Ed25519PrivateKey:
        """Create a durable key; replaces a file left by an interrupted change."""
        key = Ed25519PrivateKey.generate()
        data = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        try:
            self._erase(epoch)
            descriptor = os.open(self.path(epoch), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            try:
                _write_all(descriptor, data)
            finally:
                os.close(descriptor)
            self._sync_folder()
        except OSError as error:
            raise JournalFailed(self.journal, f"its key cannot be stored: {error.strerror or error}") from error
        return key

    def load(self, epoch: int) -> Ed25519PrivateKey:
        """The key of an epoch."""
        path = self.path(epoch)
        try:
            key = load_pem_private_key(read_plain(path), None)
        except FileNotFoundError as error:
            raise KeyMissing(self.journal, epoch, self.held()) from error
        except OSError as error:
            raise JournalFailed(self.journal, f"{path.name} cannot be read: {error.strerror or error}") from error
        except (ValueError, TypeError) as error:
            raise KeyMissing(self.journal, epoch, self.held(), f"{path.name} holds no key") from error
        if not isinstance(key, Ed25519PrivateKey):
            raise KeyMissing(self.journal, epoch, self.held(), f"{path.name} holds a key of another kind")
        return key

    def erase_others(self, epoch: int) -> None:
        try:
            for other in self.held():
                if other != epoch:
                    self._erase(other)
            self._sync_folder()
        except OSError as error:
            raise JournalFailed(self.journal, f"an old key cannot be erased: {error.strerror or error}") from error

    def discard(self) -> None:
        """Erase all keys of a journal that was not completed."""
        with contextlib.suppress(OSError):
            for epoch in self.held():
                self._erase(epoch)

    def _erase(self, epoch: int) -> None:
        path = self.path(epoch)
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return
        try:
            _write_all(descriptor, bytes(os.fstat(descriptor).st_size))
        finally:
            os.close(descriptor)
        path.unlink()

    def _sync_folder(self) -> None:
        descriptor = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    written = 0
    while written < len(data):
        written += os.pwrite(descriptor, data[written:], written)
    os.fsync(descriptor)
