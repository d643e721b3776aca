"""What is done to the files of one folder, as the disk sees it."""

from dataclasses import dataclass
from typing import Final, TypeAlias

SECTOR_BYTES: Final = 512
"""What a disk writes whole or not at all."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A name now leads to a file: it was created, linked, or renamed to."""

    name: str
    file: int


@dataclass(frozen=True, slots=True)
class Unbound:
    """A name is gone."""

    name: str


@dataclass(frozen=True, slots=True)
class Written:
    """Bytes were written."""

    file: int
    offset: int
    data: bytes

    @property
    def end(self) -> int:
        """Behind the last byte."""
        return self.offset + len(self.data)


@dataclass(frozen=True, slots=True)
class Resized:
    """A file was cut, or made longer with zeros."""

    file: int
    size: int


@dataclass(frozen=True, slots=True)
class Synced:
    """All that was written to a file so far is durable.

    Attributes:
        file: the file.
        flags: SQLite's, or 0 for a sync of our own.
    """

    file: int
    flags: int = 0


@dataclass(frozen=True, slots=True)
class FolderSynced:
    """All names given and removed so far are durable."""


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """Not of the disk: from here on the table has told somebody.

    Attributes:
        seq: the last entry that must be there whatever happens; 0: the journal itself must be.
    """

    seq: int


Operation: TypeAlias = Bound | Unbound | Written | Resized | Synced | FolderSynced | Acknowledged
