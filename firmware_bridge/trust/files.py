"""Files that are written atomically, and secret ones."""

import contextlib
import errno
import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from drivers.plain_file import SMALL_BYTES, read_plain
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import KeyRefused
from firmware_bridge.trust.exposure import exposure

SECRET: Final = 0o600
PUBLIC: Final = 0o644


def read(path: Path, most_bytes: int = SMALL_BYTES) -> bytes:
    """The bytes of a file.

    Raises:
        KeyRefused: unreadable, no plain file, or longer than ``most_bytes``.
    """
    try:
        return read_plain(path, most_bytes)
    except OSError as error:
        code = TrustCode.FILE_DAMAGED if error.errno == errno.EFBIG else TrustCode.FILE_UNREADABLE
        raise KeyRefused(code, f"{path}: {error.strerror or error}") from error


def read_secret(path: Path) -> bytes:
    """The bytes of a file that only its owner may read.

    Raises:
        KeyRefused: unreadable, or another user can read or replace it.
    """
    found = exposure(path)
    if found is not None:
        raise KeyRefused(TrustCode.FILE_OPEN_TO_OTHERS, str(found))
    return read(path)


def create(path: Path, data: bytes, mode: int) -> None:
    """Write a new file; durable at return.

    Raises:
        KeyRefused: it exists, or cannot be written.
    """
    if path.exists():
        raise KeyRefused(TrustCode.FILE_EXISTS, f"{path} exists")
    replace(path, data, mode)


def replace(path: Path, data: bytes, mode: int) -> None:
    """Whole or not at all; durable at return.

    Raises:
        KeyRefused: the file cannot be written.
    """
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        passing = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as file:
                os.fchmod(descriptor, mode)
                file.write(data)
                file.flush()
                os.fsync(descriptor)
            passing.replace(path)
        except BaseException:
            passing.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)
    except OSError as error:
        raise KeyRefused(TrustCode.FILE_UNREADABLE, f"{path} cannot be written: {error.strerror or error}") from error


def sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Wait for another process that changes the folder.

    Raises:
        KeyRefused: the folder is missing, or may not be written.
    """
    try:
        descriptor = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, SECRET)
    except OSError as error:
        raise KeyRefused(TrustCode.FILE_UNREADABLE, f"{folder}: {error.strerror or error}") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
