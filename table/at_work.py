"""A table at work, and the update of one of its devices: never both, whichever begins first.

The journal alone keeps them apart for the instant in which it is looked at; an update lasts minutes. Both therefore
hold a lock of the system beside the journals for as long as they run; it ends with the process, however that ends.
"""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from table.exits import Exit, Stop
from table.table_journal import stem_of


@contextlib.contextmanager
def at_work(folder: Path, table_id: str, *, updates: bool = False) -> Iterator[None]:
    """While the block runs, no update of a device of the table does; or, for an update, neither table nor update.

    Args:
        folder: of the table's journals; made if it is missing.
        table_id: the table.
        updates: whether it is the update of a device.

    Raises:
        Stop: the other is at work, or the folder cannot be written.
    """
    path = folder / f".{stem_of(table_id)}.at-work"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise Stop(
            f"{path}: {error.strerror}", "Name a folder that can be written in [journal].", Exit.USAGE
        ) from error
    try:
        try:
            # Two tables are told apart by their journal, which says who has it; so they share this.
            fcntl.flock(descriptor, (fcntl.LOCK_EX if updates else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError as error:
            who = (
                "this table is at work, or another device of it is updated" if updates else "a device is being updated"
            )
            raise Stop(f"{path}: {who}", "Wait until that has ended, then try again.", Exit.FAILURE) from error
        yield
    finally:
        os.close(descriptor)
