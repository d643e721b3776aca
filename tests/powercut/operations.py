"""Operations on the files of one folder, as the disk sees them."""

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

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
        flags: SQLite's, or 0 for a sync of our own.
    """

    file: int
    flags: int = 0


@dataclass(frozen=True, slots=True)
class FolderSynced:
    """All names given and removed so far are durable."""


class Stored(NamedTuple):
    """How much of a journal is there, or must be.

    Attributes:
        seq: the last entry; 0: the header alone; -1: no journal.
    """

    seq: int = -1
    keys: int = 0
    checkpoints: int = 0

    def joined(self, other: "Stored") -> "Stored":
        """As much as either."""
        return Stored(*map(max, self, other))

    def holds(self, other: "Stored") -> bool:
        """True if nothing of the other is missing."""
        return all(mine >= wanted for mine, wanted in zip(self, other, strict=True))

    def __str__(self) -> str:
        return f"entry {self.seq}, {self.keys} keys, {self.checkpoints} checkpoints"


NOTHING: Final = Stored()
"""No journal was acknowledged, or none is there."""


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """Not of the disk: from here on the table, or a witness, has been told.

    Attributes:
        stored: what must be there whatever happens.
    """

    stored: Stored


@dataclass(frozen=True, slots=True)
class Erased:
    """Not of the disk: from here on a private key counts as erased."""

    secret: bytes


Operation: TypeAlias = Bound | Unbound | Written | Resized | Synced | FolderSynced | Acknowledged | Erased
