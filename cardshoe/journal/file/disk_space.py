"""Free disk space, and a reserve file beside the journal: the ballast.

Deleted when the disk is nearly full, it makes room to finish the round and record the reason.
"""

import contextlib
import enum
import os
from pathlib import Path
from typing import Final

import msgspec

from cardshoe.journal.file.wal import WAL_BYTES

BALLAST_BYTES: Final = 2 * 1024 * 1024
"""Two of the longest rounds: 150 commits of 6.5 KiB are 1 MiB."""

LOW_BYTES: Final = 32 * 1024 * 1024
"""Below this no round opens: two shoe games (8 MiB each) and a copy."""


BEGIN_BYTES: Final = LOW_BYTES + BALLAST_BYTES + WAL_BYTES
"""Below this no log begins: the table would close at once."""


class DiskSpaceState(enum.StrEnum):
    ENOUGH = "enough"
    LOW = "low"  # finish the round, open no further one
    BALLAST_RELEASED = "ballast_released"  # the same, and the reserve is in use


class DiskSpace(msgspec.Struct, frozen=True):
    state: DiskSpaceState
    free_bytes: int


def free_space(folder: Path) -> int:
    """Bytes that this user may still write; disk quotas are not seen."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize


class Ballast:
    def __init__(self, journal: Path) -> None:
        self.path = journal.with_name(f"{journal.name}-ballast")

    def held(self) -> bool:
        try:
            return self.path.stat().st_size == BALLAST_BYTES
        except OSError:
            return False

    def hold(self) -> bool:
        """Create the reserve; True if it exists now."""
        if self.held():
            return True
        try:
            descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o640)
            try:
                # Blocks that are allocated, not a hole; where the file system cannot, zeros are written.
                os.posix_fallocate(descriptor, 0, BALLAST_BYTES)
            finally:
                os.close(descriptor)
        except OSError:
            self.release()
            return False
        return self.held()

    def release(self) -> None:
        """Delete the reserve."""
        with contextlib.suppress(OSError):
            self.path.unlink()

    def assess(self, free_bytes: int) -> DiskSpace:
        """Check the free space; create or delete the ballast."""
        if free_bytes >= LOW_BYTES:
            return DiskSpace(DiskSpaceState.ENOUGH if self.hold() else DiskSpaceState.LOW, free_bytes)
        if free_bytes < BALLAST_BYTES:
            self.release()
        return DiskSpace(DiskSpaceState.LOW if self.held() else DiskSpaceState.BALLAST_RELEASED, free_bytes)
