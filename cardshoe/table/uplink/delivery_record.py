"""An uplink's record of a journal, ``NAME.journal-floor``.

A cache that spares opening closed journals; the floor's answer decides.
"""

import contextlib
import logging
import os
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from cardshoe.process.plain_file import read_plain

_BYTES: Final = 65_536
logger: Final = logging.getLogger(__name__)


class Kept(Struct, frozen=True, kw_only=True):
    """A journal's record; ``size`` and ``changed_ns`` before it was read, 0: still open."""

    log: str
    last: int
    finished: bool
    mark: str
    size: int
    changed_ns: int


def read(journal: Path, folder: Path) -> Kept | None:
    with contextlib.suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError):
        kept = msgspec.json.decode(read_plain(_file(journal, folder), _BYTES), type=Kept)
        found = journal.stat()
        if (found.st_size, found.st_mtime_ns) == (kept.size, kept.changed_ns):
            return kept
    return None


def write(journal: Path, folder: Path, kept: Kept) -> None:
    file = _file(journal, folder)
    passing = file.with_name(f".{file.name}.new")
    try:
        descriptor = os.open(passing, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o640)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(msgspec.json.encode(kept) + b"\n")
        passing.replace(file)
    except OSError as error:
        logger.warning("%s: the floor's mark cannot be kept: %s", file, error.strerror or error)


def _file(journal: Path, folder: Path) -> Path:
    return folder / f"{journal.name}-floor"
