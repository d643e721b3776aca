"""Holders of signed notes outside the journal."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

from cardshoe.journal import Journal, JournalBroken, WitnessFile
from cardshoe.journal.proof.note import Note
from cardshoe.journal.proof.statements import read_statement


class WitnessTarget(Protocol):
    name: str

    def missing(self, journal: Journal) -> Sequence[bytes]:
        """The notes that it lacks, at the start; an absent witness lacks the newest note.

        Raises:
            JournalBroken: it holds a note that the journal lacks: cut off, forked, or old.
            WitnessFailed: its notes cannot be determined.
        """

    def begin(self, journal: Journal) -> Sequence[bytes]:
        """The notes of a new journal; sends no query."""

    def append(self, notes: Sequence[bytes]) -> None:
        """Store these notes durably, in the witness's thread.

        Raises:
            WitnessFailed: not all were stored; they are passed again.
        """

    def close(self) -> None:
        """Release its resources."""


class FileTarget:
    """A file on another disk or a USB drive."""

    def __init__(self, path: Path, name: str = "") -> None:
        self.name = name or str(path)
        self._file: Final = WitnessFile(path)

    def missing(self, journal: Journal) -> Sequence[bytes]:
        """The notes that the file lacks."""
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
        """Append them, durably."""
        self._file.append(notes)

    def close(self) -> None:
        """No resources are held."""


def not_in(journal: Journal, witness: str, notes: Sequence[bytes]) -> JournalBroken:
    size = min(read_statement(Note(note)).size for note in notes)
    signatures = "1 signature" if len(notes) == 1 else f"{len(notes)} signatures"
    return JournalBroken(
        journal.path,
        None,
        f"the witness {witness} holds {signatures} that the journal lacks, the first over entries up to {size - 1}: "
        f"the journal was cut off, or is an old copy",
    )
