"""A layer under the database library that notes what is written and synced, and can fail at a chosen call."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import apsw

Act = Literal["write", "sync", "truncate"]


@dataclass(frozen=True)
class Call:
    """One call: what, and on which file."""

    act: Act
    name: str


@dataclass
class WatchedDisk:
    """What happened, and what shall fail.

    Attributes:
        calls: in their order.
        fail_at: number of the call, from 0, that fails; none if negative.
        failure: what it raises.
    """

    calls: list[Call] = field(default_factory=list)
    fail_at: int = -1
    failure: BaseException = field(default_factory=lambda: apsw.exception_for(apsw.SQLITE_IOERR_WRITE))

    def note(self, act: Act, name: str) -> None:
        """Remember a call; raises if it is the one that shall fail."""
        self.calls.append(Call(act, name))
        if len(self.calls) - 1 == self.fail_at:
            raise self.failure


class WatchedFiles(apsw.VFS):
    """The library's own files, each call noted first. The default while it is registered."""

    def __init__(self, disk: WatchedDisk) -> None:
        self.disk = disk
        self.base = apsw.vfs_names()[0]
        super().__init__("watched", self.base, makedefault=True)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> "WatchedFile":  # noqa: N802  # the name that SQLite calls it by
        return WatchedFile(self.disk, self.base, name, flags)


class WatchedFile(apsw.VFSFile):
    """One open file."""

    def __init__(self, disk: WatchedDisk, base: str, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self.disk = disk
        full = name.filename() if isinstance(name, apsw.URIFilename) else name
        self.name = Path(full or "").name
        super().__init__(base, name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802  # the name that SQLite calls it by
        self.disk.note("write", self.name)
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802  # the name that SQLite calls it by
        self.disk.note("sync", self.name)
        super().xSync(flags)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802  # the name that SQLite calls it by
        self.disk.note("truncate", self.name)
        super().xTruncate(newsize)
