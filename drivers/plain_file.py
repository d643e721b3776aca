"""Files named by a person: opened without waiting, only if plain.

A pipe may never be written, a device may never end, and opening one may act on it.
"""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO, Final

SMALL_BYTES: Final = 1 << 20
"""More than any configuration, key, certificate or list."""


def must_be_plain(path: Path) -> None:
    """Before a library opens it by name.

    Raises:
        OSError: missing, or no plain file.
    """
    _check(path, path.stat())


def open_plain(path: Path) -> BinaryIO:
    """Open for reading.

    Raises:
        OSError: it cannot be opened, or is no plain file.
    """
    must_be_plain(path)
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY), "rb")
    try:
        _check(path, os.fstat(file.fileno()))  # another one may have taken its place
    except OSError:
        file.close()
        raise
    return file


def read_plain(path: Path, most_bytes: int = SMALL_BYTES) -> bytes:
    """The bytes of a file.

    Raises:
        OSError: as `open_plain`, or longer than ``most_bytes``.
    """
    with open_plain(path) as file:
        data = file.read(most_bytes + 1) or b""  # `None`: a file of the kernel with nothing to read yet
    if len(data) > most_bytes:
        raise OSError(errno.EFBIG, f"it has more than {most_bytes} bytes", str(path))
    return data


def _check(path: Path, found: os.stat_result) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is no plain file", str(path))
