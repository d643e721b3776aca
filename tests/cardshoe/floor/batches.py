"""Batches by hand, of a journal that was read, for what an uplink never sends."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cardshoe.journal import read_only
from cardshoe.journal.delivery.wire import Batch, Has, Head, OneLog
from cardshoe.journal.proof.note import Note
from cardshoe.journal.proof.statements import read_statement
from cardshoe.journal.proof.tree import Frontier, leaf_hash

SENDER: Final = "0" * 31 + "1"
OTHER: Final = "0" * 31 + "2"


class Journal:
    """A closed journal, taken apart.

    Args:
        path: the file.

    Attributes:
        lines: all of them, the header first.
        notes: its statements of keys and checkpoints, by the sizes that they are signed over.
        log: the fingerprint.
        table: the table's id.
    """

    def __init__(self, path: Path) -> None:
        with read_only(path) as evidence:
            self.lines: Final = [evidence.genesis.line, *(entry.line for entry in evidence.entries())]
            self.log: Final = evidence.header.fingerprint
            self.table: Final = evidence.header.table_id
            notes = [(read_statement(Note(note)).size, note.decode()) for note in evidence.notes()]
        self.notes: Final = notes

    def root(self, size: int) -> str:
        """The root over the first lines, as a batch names it."""
        edge = Frontier()
        for line in self.lines[:size]:
            edge.add(leaf_hash(line))
        return edge.root().hex() if size else ""

    def batch(
        self,
        first: int,
        end: int,
        *,
        lines: Sequence[bytes] | None = None,
        notes: Sequence[str] | None = None,
        sender: str = SENDER,
        table: str | None = None,
    ) -> Batch:
        """A batch of lines from one number to before another, with the notes over those; or with others in place."""
        if notes is None:
            notes = [note for size, note in self.notes if size <= end and note.split("\n")[1].startswith("key")]
        head = Head(
            table=self.table if table is None else table,
            log=self.log,
            sender=sender,
            first=first,
            before=self.root(first),
            last=len(self.lines) - 1,
            notes=list(notes),
        )
        return Batch(head, list(self.lines[first:end] if lines is None else lines))

    def has(self, last: int | None = None, first: int = 0, sender: str = SENDER) -> Has:
        one = OneLog(log=self.log, first=first, last=len(self.lines) - 1 if last is None else last)
        return Has(table=self.table, sender=sender, logs=[one])
