"""A layer under the database library that notes every call for a file, and can fail at a chosen one."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import apsw

Act = Literal["write", "sync", "truncate"]
Question = Literal["open", "read", "size", "lock", "unlock", "reserved", "delete", "access"]
"""What else the library asks of a file."""


@dataclass(frozen=True)
class Call:
    """One call: what, and on which file."""

    act: Act | Question
    name: str


@dataclass
class WatchedDisk:
    """The recorded calls, and the call that shall fail.

    Attributes:
        fail_at: number of the change, from 0, that fails; none if negative.
    """

    calls: list[Call] = field(default_factory=list)
    asked: list[Call] = field(default_factory=list)
    fail_at: int = -1
    fail_asked_at: int = -1
    changes_before: int = 0
    failure: BaseException = field(default_factory=lambda: apsw.exception_for(apsw.SQLITE_IOERR_WRITE))

    def note(self, act: Act, name: str) -> None:
        """Remember a call; raises if it is the one that shall fail."""
        self.calls.append(Call(act, name))
        if len(self.calls) - 1 == self.fail_at:
            raise self.failure

    def ask(self, act: Question, name: object) -> None:
        """Remember another call; raises if it is the one that shall fail."""
        path = name.filename() if isinstance(name, apsw.URIFilename) else str(name or "")
        self.asked.append(Call(act, Path(path).name))
        if len(self.asked) - 1 == self.fail_asked_at:
            self.changes_before = len(self.calls)
            raise self.failure


class WatchedFiles(apsw.VFS):
    """The library's own files, each call noted first. The default while it is registered."""

    def __init__(self, disk: WatchedDisk) -> None:
        self.disk = disk
        self.base = apsw.vfs_names()[0]
        super().__init__("watched", self.base, makedefault=True)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> "WatchedFile":  # noqa: N802  # the name that SQLite calls it by
        self.disk.ask("open", name)
        return WatchedFile(self.disk, self.base, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802  the name that SQLite calls it by
        self.disk.ask("delete", filename)
        super().xDelete(filename, syncdir)

    def xAccess(self, pathname: str, flags: int) -> bool:  # noqa: N802  the name that SQLite calls it by
        self.disk.ask("access", pathname)
        return super().xAccess(pathname, flags)


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

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802  the name that SQLite calls it by
        self.disk.ask("read", self.name)
        return super().xRead(amount, offset)

    def xFileSize(self) -> int:  # noqa: N802  the name that SQLite calls it by
        self.disk.ask("size", self.name)
        return super().xFileSize()

    def xLock(self, level: int) -> None:  # noqa: N802  the name that SQLite calls it by
        self.disk.ask("lock", self.name)
        super().xLock(level)

    def xUnlock(self, level: int) -> None:  # noqa: N802  the name that SQLite calls it by
        self.disk.ask("unlock", self.name)
        super().xUnlock(level)

    def xCheckReservedLock(self) -> bool:  # noqa: N802  the name that SQLite calls it by
        self.disk.ask("reserved", self.name)
        return super().xCheckReservedLock()
