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
    """A closed journal, taken apart."""

    def __init__(self, path: Path) -> None:
        with read_only(path) as evidence:
            self.entries: Final = [evidence.genesis.data, *(entry.data for entry in evidence.entries())]
            self.log: Final = evidence.header.fingerprint
            self.table: Final = evidence.header.table_id
            notes = [(read_statement(Note(note)).size, note.decode()) for note in evidence.notes()]
        self.notes: Final = notes
        self._edge, self._added = Frontier(), 0

    def root(self, size: int) -> str:
        """The root over the first entries, as a batch names it."""
        if size < self._added:
            self._edge, self._added = Frontier(), 0
        for data in self.entries[self._added : size]:
            self._edge.add(leaf_hash(data))
        self._added = size
        return self._edge.root().hex() if size else ""

    def next_seq(self, number: int) -> int:
        """The number of the first line of an entry."""
        return 1 + sum(data.count(b"\n") for data in self.entries[1:number])

    def batch(
        self,
        first: int,
        end: int,
        *,
        entries: Sequence[bytes] | None = None,
        notes: Sequence[str] | None = None,
        sender: str = SENDER,
        table: str | None = None,
    ) -> Batch:
        """A batch of entries from one number to before another, with the notes over those; or with others in place."""
        if notes is None:
            notes = [note for size, note in self.notes if size <= end and note.split("\n")[1].startswith("key")]
        head = Head(
            table=self.table if table is None else table,
            log=self.log,
            sender=sender,
            first=first,
            before=self.root(first),
            last=len(self.entries) - 1,
            notes=list(notes),
        )
        return Batch(head, list(self.entries[first:end] if entries is None else entries))

    def has(self, last: int | None = None, sender: str = SENDER) -> Has:
        one = OneLog(log=self.log, last=len(self.entries) - 1 if last is None else last)
        return Has(table=self.table, sender=sender, logs=[one])
