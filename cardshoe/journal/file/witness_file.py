"""Signed notes in a file outside the journal, on another disk.

Each note ends with a blank line; a torn last one is ignored.
"""

import itertools
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from cardshoe.journal.file.errors import WitnessFailed
from cardshoe.journal.file.wal import sync
from cardshoe.journal.proof.note import DASH, BadNote, Note
from cardshoe.journal.proof.statements import read_statement
from cardshoe.process.plain_file import open_plain

END = b"\n"


class NoteSource(Protocol):
    """A source of the notes that a witness holds."""

    def read(self, origin: str) -> list[bytes]:
        """The whole notes of a journal, in order.

        Raises:
            WitnessFailed: the witness cannot be read or written.
        """


class WitnessFile:
    """The append-only file of a witness."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self, origin: str) -> list[bytes]:
        """The whole notes of a journal, in order; empty without a file."""
        return notes_in(self._data(), origin)

    def holds(self, text: str) -> bool:
        """True if a note has this text: a hundred times faster than reading."""
        data, wanted = self._data(), text.encode() + END
        return data.startswith(wanted) or END * 2 + wanted in data

    def _data(self) -> bytes:
        try:
            with open_plain(self.path) as file:
                return file.read()
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise WitnessFailed(self.path, f"cannot be read: {error.strerror or error}") from error

    def settle(self) -> None:
        """Sync notes that a killed process may have left."""
        try:
            if self.path.exists():
                sync(self.path)
                sync(self.path.parent)
        except OSError as error:
            raise WitnessFailed(self.path, f"cannot be made durable: {error.strerror or error}") from error

    def append(self, notes: Iterable[bytes]) -> None:
        """Append notes, durably.

        Raises:
            WitnessFailed: part may be written; append all again.
        """
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o640)
            try:
                size = os.fstat(descriptor).st_size
                # A line that was torn off must not run into the next one.
                torn = size and os.pread(descriptor, 2, max(0, size - 2)) != END * 2
                data = (END * 2 if torn else b"") + b"".join(note + END for note in notes)
                while data:
                    data = data[os.write(descriptor, data) :]
                os.fsync(descriptor)
                if not size:
                    sync(self.path.parent)  # perhaps its name is new
            finally:
                os.close(descriptor)
        except OSError as error:
            raise WitnessFailed(self.path, f"cannot be written: {error.strerror or error}") from error


def notes_in(data: bytes, origin: str) -> list[bytes]:
    dash = DASH.encode()
    # An editor may have written the line's ends when photos of codes were put together.
    blocks = [block.strip(b"\n") for block in data.replace(b"\r\n", b"\n").split(b"\n\n")]
    notes = []
    for text, signatures in itertools.pairwise(blocks):
        if text.startswith(dash) or not signatures.startswith(dash):
            continue
        note = text + b"\n\n" + signatures + b"\n"
        try:
            found = Note(note)
            if found.is_whole and read_statement(found).origin == origin:
                notes.append(note)
        except BadNote:
            continue
    return notes
