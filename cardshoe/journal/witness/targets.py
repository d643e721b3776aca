"""Holders of signed notes outside the journal, and how notes get there."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

from cardshoe.journal import Journal, JournalBroken, WitnessFile
from cardshoe.journal.proof.note import Note
from cardshoe.journal.proof.statements import read_statement


class WitnessTarget(Protocol):
    """A witness as the table sees it."""

    name: str

    def missing(self, journal: Journal) -> Sequence[bytes]:
        """The notes that it lacks; called once at the start, in its thread.

        An absent witness does not stop the start: it returns the newest note as missing.

        Raises:
            JournalBroken: it holds a note that the journal does not: cut off, forked, or an old copy.
            WitnessFailed: its notes cannot be determined, though it is not just absent.
        """

    def begin(self, journal: Journal) -> Sequence[bytes]:
        """The notes of a new journal for it; asks nothing."""

    def append(self, notes: Sequence[bytes]) -> None:
        """Has it hold these notes, for good; called in the witness's own thread.

        Raises:
            WitnessFailed: not all were stored; they are passed again.
        """

    def close(self) -> None:
        """Lets go of what it needed."""


class FileTarget:
    """A file on another disk or a memory stick."""

    def __init__(self, path: Path, name: str = "") -> None:
        self.name = name or str(path)
        self._file: Final = WitnessFile(path)

    def missing(self, journal: Journal) -> Sequence[bytes]:
        """The notes that the file lacks.

        Raises:
            JournalBroken: the file holds a note that the journal does not.
            WitnessFailed: the file exists and cannot be read.
        """
        # By their texts: what else somebody wrote below one is no matter of the journal.
        stored = {Note(note).text: note for note in journal.notes()}
        held = {Note(note).text: note for note in self._file.read(journal.origin)}
        if lacking := [note for text, note in held.items() if text not in stored]:
            raise not_in(journal, self.name, lacking)
        return [note for text, note in stored.items() if text not in held]

    def begin(self, journal: Journal) -> Sequence[bytes]:
        """All notes of the journal."""
        return list(journal.notes())

    def append(self, notes: Sequence[bytes]) -> None:
        """Appends them, durably.

        Raises:
            WitnessFailed: the witness cannot be read or written.
        """
        self._file.append(notes)

    def close(self) -> None:
        """Nothing is held open."""


def not_in(journal: Journal, witness: str, notes: Sequence[bytes]) -> JournalBroken:
    """The error for a journal that lacks notes which a witness holds."""
    size = min(read_statement(Note(note)).size for note in notes)
    signatures = "1 signature" if len(notes) == 1 else f"{len(notes)} signatures"
    return JournalBroken(
        journal.path,
        None,
        f"the witness {witness} holds {signatures} that the journal lacks, the first over entries up to {size - 1}: "
        f"the journal was cut off, or is an old copy",
    )
