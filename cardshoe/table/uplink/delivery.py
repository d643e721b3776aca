"""Deliver one log in batches from the floor's receipt on."""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from cardshoe.journal import Entry, Evidence
from cardshoe.journal.delivery.wire import BATCH_BYTES, BATCH_ENTRIES, NONE, NOTES_MAX, Batch, Head, Mark, Stands
from cardshoe.journal.proof.note import BadNote, Note
from cardshoe.journal.proof.statements import Takeover, read_statement
from cardshoe.journal.proof.tree import Frontier, leaf_hash
from cardshoe.table.uplink.transport import FloorTransport, FloorUnavailable, UplinkRejected

KEYS_AGAIN: Final = 3


class Behind(Exception):
    """The floor has less of the log than assumed: restart at its receipt."""


class Delivery:
    """Delivers one log to one floor.

    Attributes:
        mark: newest receipt; ``None``: none.
        signed_note: newest note with the floor's cosignature; empty: none.
    """

    def __init__(self, carrier: FloorTransport, table: str, log: str, sender: str, stands: Stands) -> None:
        self._carrier: Final = carrier
        self._table: Final = table
        self.log: Final = log
        self._sender: Final = sender
        self.stands = stands
        self.mark: Mark | None = carrier.mark(stands, table, log)
        self._edge = Frontier()
        self._epoch = stands.epoch
        self._keys: dict[int, tuple[int, bytes]] = {}
        self._checkpoint: tuple[int, bytes] | None = None
        self.signed_note = b""

    @property
    def last(self) -> int:
        """The floor's last entry; -1: none."""
        return NONE if self.mark is None else self.mark.entry

    @property
    def size(self) -> int:
        """Number of committed entries, the header included."""
        return self._edge.size

    def begin(self, evidence: Evidence) -> None:
        """Continue at the floor's position."""
        self._edge = evidence.edge(self.last + 1) if self.last >= 0 else Frontier()
        for note in evidence.newest_notes():
            self.note(note)

    def note(self, data: bytes) -> bool:
        """Add a signed note; True if all keys up to it are known."""
        try:
            said = read_statement(Note(data))
        except BadNote:
            return True  # none of ours: a table sends no other
        if isinstance(said, Takeover):
            if said.epoch > self._epoch:
                self._keys[said.epoch] = (said.size, data)
                self._checkpoint = None  # of an earlier key: after the statement of the next, a witness takes none
        elif said.epoch >= max(self._keys, default=self._epoch):
            self._checkpoint = (said.size, data)
        return all(epoch in self._keys for epoch in range(self._epoch + 1, said.epoch + 1))

    def stored(self, evidence: Evidence, last: int) -> Iterator[list[bytes]]:
        """The missing entries, in portions."""
        header = [evidence.genesis] if self.last < 0 else []
        yield from portions(_data([*header], evidence.entries(self.last + 1), last))

    def send(self, entries: list[bytes], last: int, *, with_all_notes: bool = True) -> None:
        """Send entries after the receipt, and newer notes.

        Raises:
            FloorUnavailable: not delivered, or outcome unknown.
            Behind: the floor lacks earlier entries.
            UplinkRejected: the floor rejects the batch.
        """
        edge = self._edge.copy()
        for data in entries:
            edge.add(leaf_hash(data))
        for _ in range(KEYS_AGAIN):
            batch = self._batch(entries, max(last, edge.size - 1), with_all_notes=with_all_notes)
            try:
                stands = self._carrier.send(batch)
            except UplinkRejected as refused:
                if refused.refusal.code == "keys":
                    self._epoch = refused.refusal.stands.epoch
                    continue
                if refused.refusal.code == "behind":
                    raise Behind from refused
                raise
            self._taken(batch, edge, stands)
            return
        raise Behind

    def _batch(self, entries: list[bytes], last: int, *, with_all_notes: bool) -> Batch:
        first = self._edge.size
        fitting = [note for note in self._wanted(with_all_notes=with_all_notes) if note[0] <= first + len(entries)]
        notes = [note for _, note in fitting[:NOTES_MAX]]
        head = Head(
            table=self._table,
            log=self.log,
            sender=self._sender,
            first=first,
            before=self._edge.root().hex() if first else "",
            last=last,
            notes=[note.decode() for note in notes],
        )
        return Batch(head, entries)

    def _wanted(self, *, with_all_notes: bool) -> list[tuple[int, bytes]]:
        keys = [note for epoch, note in sorted(self._keys.items()) if epoch > self._epoch]
        return [*keys, *([self._checkpoint] if self._checkpoint is not None and with_all_notes else [])]

    def _taken(self, batch: Batch, edge: Frontier, stands: Stands) -> None:
        mark = self._carrier.mark(stands, self._table, self.log)
        if mark is None or mark.entry < edge.size - 1:
            raise Behind
        if mark.entry == edge.size - 1 and mark.root != edge.root():
            raise FloorUnavailable("the floor has signed a mark over other entries than were sent")
        self._edge, self.mark, self.stands = edge, mark, stands
        self._epoch = max(self._epoch, stands.epoch)
        if stands.cosigned and batch.head.notes:
            self.signed_note = batch.head.notes[-1].encode() + stands.cosigned.encode() + b"\n"
        self._keys = {epoch: note for epoch, note in self._keys.items() if epoch > self._epoch}
        if self._checkpoint is not None and self._checkpoint[1].decode() in batch.head.notes:
            self._checkpoint = None


def portions(entries: Iterable[bytes]) -> Iterator[list[bytes]]:
    portion: list[bytes] = []
    held = 0
    for data in entries:
        if portion and (len(portion) == BATCH_ENTRIES or held + len(data) > BATCH_BYTES):
            yield portion
            portion, held = [], 0
        portion.append(data)
        held += len(data)
    if portion:
        yield portion


class _At(msgspec.Struct):
    at: str = ""


_at: Final = msgspec.json.Decoder(_At)


def at_of(data: bytes) -> str:
    return _at.decode(data.partition(b"\n")[0]).at


def _data(header: list[Entry], entries: Iterable[Entry], last: int) -> Iterator[bytes]:
    for entry in header:
        yield entry.data
    for entry in entries:
        if entry.number > last:
            return
        yield entry.data
