"""Installed builds of cardshoe, and the running one.

A table keeps its build (``.TABLE.build``) until it hands over between shoe games, even after a power cut
(docs/adr/0037).
"""

import contextlib
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import msgspec

from cardshoe.process.plain_file import read_plain
from cardshoe.table.log.journal_names import stem_of
from firmware_bridge.trust import files

CURRENT: Final = "current"
ABOUT: Final = "build.json"
NAME: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+~-]*")


class About(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    version: str
    rules: int


@dataclass(frozen=True, slots=True)
class Build:
    folder: Path
    about: About

    @classmethod
    def at(cls, folder: Path) -> Self | None:
        """The build in a folder; ``None``: none, or unreadable."""
        try:
            return cls(folder, msgspec.json.decode((folder / ABOUT).read_bytes(), type=About))
        except (OSError, msgspec.MsgspecError):
            return None

    @classmethod
    def running(cls) -> Self | None:
        """The running build; ``None``: a source tree."""
        return cls.at(Path(sys.prefix))

    @property
    def command(self) -> Path:
        """Its ``cardshoe``."""
        return self.folder / "bin" / "cardshoe"

    def other(self, name: str) -> "Build | None":
        """Another build by name; ``None``: this one, or missing."""
        if name == self.folder.name or not NAME.fullmatch(name):
            return None
        return Build.at(self.folder.parent / name)

    def successor(self) -> "Build | None":
        """The next build; ``None``: this one is current."""
        try:
            return self.other((self.folder.parent / CURRENT).readlink().name)
        except OSError:
            return None

    def become(self, arguments: Sequence[str]) -> None:
        """Replace this process by the build's command; returns only on failure."""
        sys.stdout.flush()
        sys.stderr.flush()
        with contextlib.suppress(OSError):
            os.execv(self.command, [str(self.command), *arguments])  # noqa: S606  no shell is wanted: one of our builds


class Keeper:
    """The record, beside the journals, of the build that has a table's log."""

    def __init__(self, folder: Path, table_id: str) -> None:
        self.path: Final = folder / f".{stem_of(table_id)}.build"

    def read(self) -> str:
        """The build's name; empty: none."""
        try:
            return read_plain(self.path).decode().strip()
        except (OSError, UnicodeDecodeError):
            return ""

    def take(self, build: Build) -> None:
        """Assign the log to a build, durably."""
        if self.read() != build.folder.name:
            files.replace(self.path, f"{build.folder.name}\n".encode(), files.PUBLIC)

    def release(self) -> None:
        """Release the log for any build."""
        self.path.unlink(missing_ok=True)
        files.sync_folder(self.path.parent)
