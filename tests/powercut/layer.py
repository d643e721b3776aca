"""A layer under the database library and `os` that records what a journal does to its folder."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

import apsw
import pytest

from tests.powercut.operations import (
    Bound,
    FolderSynced,
    Operation,
    Resized,
    Synced,
    Unbound,
    Written,
)

Name: TypeAlias = str | apsw.URIFilename | None

PLENTY_BYTES: Final = 1 << 30
DIRECTORY_SYNCED_WITH: Final = apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_SUPER_JOURNAL | apsw.SQLITE_OPEN_WAL
"""The library's own files sync the folder together with the first sync of a file that was opened as one of these to be
created (os_unix.c, UNIXFILE_DIRSYNC); `strace` shows it."""


class Observer(Protocol):
    """Who wants to know."""

    def before(self, act: str, name: str) -> None:
        """Something is about to be done to the file of that name; may end the process."""

    def after(self, act: str, name: str, operation: Operation) -> None:
        """It was done."""


@dataclass
class Folder:
    """The folder that is watched, and which file each of its names leads to."""

    path: Path
    observer: Observer
    free_bytes: int = PLENTY_BYTES
    names: dict[str, int] = field(default_factory=dict)
    next_file: int = 1

    def name_of(self, path: object) -> str | None:
        """The name within this folder; ``None`` for everything else."""
        if not isinstance(path, str | os.PathLike):
            return None
        found = Path(os.fsdecode(path))
        return found.name if found.parent == self.path else None

    def bind_new(self, name: str) -> Bound:
        """A new file under a name."""
        self.names[name] = self.next_file
        self.next_file += 1
        return Bound(name, self.names[name])


@contextmanager
def under(folder: Folder) -> Iterator[None]:
    """Everything done in the folder within the block is observed."""
    files = WatchedFiles(folder)
    try:
        with pytest.MonkeyPatch.context() as patch:
            for name, function in SystemCalls(folder).replacements().items():
                patch.setattr(os, name, function)
            yield
    finally:
        files.unregister()


@contextmanager
def little_room() -> Iterator[None]:
    """The disk is nearly full within the block: then opening a journal writes nothing."""
    found = os.statvfs

    def nearly_full(path: Any) -> os.statvfs_result:  # noqa: ANN401  as os.statvfs
        return with_free(found(path), 1 << 20)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "statvfs", nearly_full)
        yield


def with_free(found: os.statvfs_result, free_bytes: int) -> os.statvfs_result:
    """The same answer of the system with another number of free bytes."""
    fields = list(found)
    fields[4] = free_bytes // found.f_frsize  # f_bavail
    return os.statvfs_result(fields)


def epoch_of(name: str) -> int | None:
    """The number of the shoe game whose key a file of that name is; ``None``: it is no key's."""
    _, found, tail = name.rpartition("-key-")
    return int(tail) if found and tail.isdecimal() else None


class WatchedFiles(apsw.VFS):
    """The library's own files; each call is observed. The default while it is registered."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.base = apsw.vfs_names()[0]
        super().__init__("powercut", self.base, makedefault=True)

    def xOpen(self, name: Name, flags: list[int]) -> "WatchedFile | apsw.VFSFile":  # noqa: N802  SQLite's name
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        known = self.folder.name_of(path)
        if known is None:
            return apsw.VFSFile(self.base, name, flags)
        wanted = flags[0]
        is_new = known not in self.folder.names
        if is_new and wanted & apsw.SQLITE_OPEN_CREATE:
            self.folder.observer.before("create", known)
        file = WatchedFile(self.folder, self.base, known, name, flags)
        if is_new:
            self.folder.observer.after("create", known, self.folder.bind_new(known))
        file.attach(syncs_folder=bool(wanted & apsw.SQLITE_OPEN_CREATE and wanted & DIRECTORY_SYNCED_WITH))
        return file

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802  SQLite's name and order
        known = self.folder.name_of(filename)
        if known is not None:
            self.folder.observer.before("delete", known)
        super().xDelete(filename, syncdir)
        if known is not None:
            self.folder.names.pop(known, None)
            self.folder.observer.after("delete", known, Unbound(known))
            if syncdir:
                self.folder.observer.after("sync", "folder", FolderSynced())


class WatchedFile(apsw.VFSFile):
    """One file that the library has open."""

    def __init__(self, folder: Folder, base: str, known: str, name: Name, flags: list[int]) -> None:
        super().__init__(base, name, flags)
        self.folder, self.name = folder, known
        self.file = 0
        self.syncs_folder = False

    def attach(self, *, syncs_folder: bool) -> None:
        """Now that its name is known to lead to it."""
        self.file, self.syncs_folder = self.folder.names[self.name], syncs_folder

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802  SQLite's name
        self.folder.observer.before("write", self.name)
        super().xWrite(data, offset)
        self.folder.observer.after("write", self.name, Written(self.file, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802  SQLite's name
        self.folder.observer.before("truncate", self.name)
        super().xTruncate(newsize)
        self.folder.observer.after("truncate", self.name, Resized(self.file, newsize))

    def xSync(self, flags: int) -> None:  # noqa: N802  SQLite's name
        self.folder.observer.before("sync", self.name)
        super().xSync(flags)
        self.folder.observer.after("sync", self.name, Synced(self.file, flags))
        if self.syncs_folder:
            self.syncs_folder = False
            self.folder.observer.after("sync", "folder", FolderSynced())


class SystemCalls:
    """The functions of `os` with which files are changed, each observed where it concerns the folder."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.opened: dict[int, str] = {}
        self.files: dict[int, int] = {}
        self.real = {
            name: getattr(os, name)
            for name in (
                "open", "close", "pwrite", "write", "ftruncate", "posix_fallocate", "fsync", "fdatasync",
                "link", "unlink", "remove", "rename", "replace", "statvfs",
            )
        }  # fmt: skip

    def replacements(self) -> dict[str, Callable[..., Any]]:
        """By the name in `os`."""
        return {
            "open": self.open,
            "close": self.close,
            "pwrite": self.pwrite,
            "write": self.write,
            "ftruncate": self.ftruncate,
            "posix_fallocate": self.posix_fallocate,
            "fsync": lambda fd: self.sync("fsync", fd),
            "fdatasync": lambda fd: self.sync("fdatasync", fd),
            "link": self.link,
            "unlink": lambda path, **more: self.unlink("unlink", path, **more),
            "remove": lambda path, **more: self.unlink("remove", path, **more),
            "rename": lambda source, target, **more: self.rename("rename", source, target, **more),
            "replace": lambda source, target, **more: self.rename("replace", source, target, **more),
            "statvfs": self.statvfs,
        }

    def open(self, path: Any, flags: int, *more: Any, **other: Any) -> int:  # noqa: ANN401  as os.open
        """As `os.open`."""
        known = self.folder.name_of(path)
        is_new = known is not None and bool(flags & os.O_CREAT) and known not in self.folder.names
        if known is not None and is_new:
            self.folder.observer.before("create", known)
        descriptor: int = self.real["open"](path, flags, *more, **other)
        if known is not None:
            if is_new:
                self.folder.observer.after("create", known, self.folder.bind_new(known))
            elif flags & os.O_TRUNC:
                self.folder.observer.after("truncate", known, Resized(self.folder.names[known], 0))
            if known in self.folder.names:
                self.opened[descriptor], self.files[descriptor] = known, self.folder.names[known]
        elif isinstance(path, str | os.PathLike) and Path(path) == self.folder.path:
            self.opened[descriptor] = "folder"
        return descriptor

    def close(self, descriptor: int) -> None:
        """As `os.close`."""
        self.opened.pop(descriptor, None)
        self.files.pop(descriptor, None)
        self.real["close"](descriptor)

    def pwrite(self, descriptor: int, data: bytes, offset: int) -> int:
        """As `os.pwrite`."""
        name = self.opened.get(descriptor)
        if name is None:
            written: int = self.real["pwrite"](descriptor, data, offset)
            return written
        self.folder.observer.before("write", name)
        written = self.real["pwrite"](descriptor, data, offset)
        self.folder.observer.after("write", name, Written(self.files[descriptor], offset, bytes(data[:written])))
        return written

    def write(self, descriptor: int, data: bytes) -> int:
        """As `os.write`, where the descriptor stands or, if it appends, at the end."""
        name = self.opened.get(descriptor)
        if name is None:
            written: int = self.real["write"](descriptor, data)
            return written
        self.folder.observer.before("write", name)
        written = self.real["write"](descriptor, data)
        offset = os.lseek(descriptor, 0, os.SEEK_CUR) - written
        self.folder.observer.after("write", name, Written(self.files[descriptor], offset, bytes(data[:written])))
        return written

    def ftruncate(self, descriptor: int, size: int) -> None:
        """As `os.ftruncate`."""
        self._resize("ftruncate", descriptor, size, size)

    def posix_fallocate(self, descriptor: int, offset: int, length: int) -> None:
        """As `os.posix_fallocate`, of a file's end."""
        self._resize("posix_fallocate", descriptor, offset + length, offset, length)

    def _resize(self, function: str, descriptor: int, size: int, *arguments: int) -> None:
        name = self.opened.get(descriptor)
        if name is not None:
            self.folder.observer.before("resize", name)
        self.real[function](descriptor, *arguments)
        if name is not None:
            self.folder.observer.after("resize", name, Resized(self.files[descriptor], size))

    def sync(self, function: str, descriptor: int) -> None:
        """As `os.fsync` and `os.fdatasync`."""
        name = self.opened.get(descriptor)
        if name is not None:
            self.folder.observer.before("sync", name)
        self.real[function](descriptor)
        if name is not None:
            operation = FolderSynced() if name == "folder" else Synced(self.files[descriptor])
            self.folder.observer.after("sync", name, operation)

    def link(self, source: Any, target: Any, **other: Any) -> None:  # noqa: ANN401  as os.link
        """As `os.link`."""
        old, new = self.folder.name_of(source), self.folder.name_of(target)
        if new is not None:
            self.folder.observer.before("link", new)
        self.real["link"](source, target, **other)
        if old is not None and new is not None:
            self.folder.names[new] = self.folder.names[old]
            self.folder.observer.after("link", new, Bound(new, self.folder.names[new]))

    def unlink(self, function: str, path: Any, **other: Any) -> None:  # noqa: ANN401  as os.unlink
        """As `os.unlink` and `os.remove`."""
        known = self.folder.name_of(path)
        if known is not None:
            self.folder.observer.before("delete", known)
        self.real[function](path, **other)
        if known is not None:
            self.folder.names.pop(known, None)
            self.folder.observer.after("delete", known, Unbound(known))

    def rename(self, function: str, source: Any, target: Any, **other: Any) -> None:  # noqa: ANN401  as os.rename
        """As `os.rename` and `os.replace`: two changes of names, of which a power cut may keep either."""
        old, new = self.folder.name_of(source), self.folder.name_of(target)
        if new is not None:
            self.folder.observer.before("rename", new)
        self.real[function](source, target, **other)
        if old is not None and new is not None:
            self.folder.names[new] = self.folder.names.pop(old)
            self.folder.observer.after("rename", new, Bound(new, self.folder.names[new]))
            self.folder.observer.after("rename", old, Unbound(old))

    def statvfs(self, path: Any) -> os.statvfs_result:  # noqa: ANN401  as os.statvfs
        """As `os.statvfs`, with the free bytes that the test wants."""
        return with_free(self.real["statvfs"](path), self.folder.free_bytes)
