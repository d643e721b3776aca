"""A mutant: one small mistake in one file of the law."""

import hashlib
from dataclasses import dataclass
from functools import cached_property

LONGEST = 160
"""Characters of a line that are shown and compared; a longer one is cut."""


@dataclass(frozen=True)
class Edit:
    """A stretch of a file and what stands there instead, in bytes."""

    start: int
    end: int
    text: bytes


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """One small mistake in one file.

    Attributes:
        ordinal: tells equal mistakes of one function apart, from 0.
    """

    file: str
    operator: str
    where: str
    line: int
    before: str
    after: str
    ordinal: int
    edit: Edit

    @cached_property
    def content(self) -> tuple[str, str, str, str, str]:
        """Its identity, wherever it has moved in its file."""
        return self.file, self.operator, self.where, self.before, self.after

    @cached_property
    def name(self) -> str:
        """A short name that stays while the mutant's lines do."""
        return hashlib.sha256("\0".join((*self.content, str(self.ordinal))).encode()).hexdigest()[:16]

    def applied_to(self, source: bytes) -> bytes:
        """The file with the mistake in it."""
        return source[: self.edit.start] + self.edit.text + source[self.edit.end :]

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.operator} in {self.where}: {self.before}  ->  {self.after}"


def in_one_line(text: bytes) -> str:
    """Source text in one line, cut where it is long."""
    line = " ".join(text.decode().split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST // 2]} ... {line[-LONGEST // 2 :]}"
