"""An uplink's record of a journal, in ``NAME.journal-floor``: the delivered part, and the floor's newest mark.

A cache: the floor's answer decides. It spares opening each closed journal at a start.
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
    """Of one journal.

    Attributes:
        size: bytes of the file before it was read; 0 of a log that is still open.
        changed_ns: when it was changed last before it was read, in nanoseconds, as the file system has it; 0 as above.
    """

    log: str
    last: int
    finished: bool
    mark: str
    size: int
    changed_ns: int


def read(journal: Path, folder: Path) -> Kept | None:
    """Read the record of a closed journal; ``None``: none, or another journal's."""
    with contextlib.suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError):
        kept = msgspec.json.decode(read_plain(_file(journal, folder), _BYTES), type=Kept)
        found = journal.stat()
        if (found.st_size, found.st_mtime_ns) == (kept.size, kept.changed_ns):
            return kept
    return None


def write(journal: Path, folder: Path, kept: Kept) -> None:
    """Replace the record; a failure is only logged."""
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
