"""The words of both verifiers about a file that somebody altered."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest

from cardshoe.journal import JournalBroken, WitnessFile, read_only
from tests.cardshoe.journal.sealed import by_the_verifier
from tests.tamper.agree import ours, theirs

Edit = Callable[[Path], object]
HOLDS: Final = (True, None)
NONE: Final = None
"""It does not hold, and no entry is to blame."""


def refused(path: Path, witness: Path) -> tuple[str, str]:
    """The words of our verifier and the separate one about a file that neither may hold for whole."""
    with pytest.raises(JournalBroken) as caught, read_only(path) as evidence:
        evidence.verify(WitnessFile(witness))
    status, said = by_the_verifier(path, "--witness", witness)
    assert status == 4, said
    return caught.value.problem, said


def judged(verifier: ModuleType, path: Path, witness: Path | None = None) -> tuple[bool, int | None]:
    """The verdict of both verifiers on a journal: True if it holds, and the first bad entry."""
    (mine, said), (other, told) = ours(path, witness), theirs(verifier, path, witness)
    assert mine == other, f"ours: {said}; theirs: {told}"
    return mine


def script(text: str) -> Edit:
    """Ordinary tools change tables and pages of the file."""

    def edit(path: Path) -> None:
        with closing(sqlite3.connect(path)) as database:
            database.executescript(text)

    return edit
