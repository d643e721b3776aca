"""Follow the signatures over a growing tree."""

from collections.abc import Iterable, Sequence
from typing import Final

from cardshoe.journal.proof.note import BadNote, Note, VerifyKey
from cardshoe.journal.proof.statements import Checkpoint, Takeover

Numbered = tuple[int, bytes]
"""The number of a checkpoint or the epoch of a key, and its note."""

NEVER: Final = 1 << 62


class SignatureBroken(Exception):
    """A missing, foreign or mismatched signature.

    Attributes:
        first: first doubtful entry; ``None``: the notes are wrong.
    """

    def __init__(self, reason: str, first: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.first = first


class Signatures:
    """The notes of one journal, compared with its growing tree.

    Args:
        before: the last key of the log before, which certifies the first.
    """

    def __init__(
        self,
        origin: str,
        first_key: VerifyKey,
        takeovers: Sequence[Numbered],
        checkpoints: Iterable[Numbered],
        start: int = 0,
        start_number: int = 1,
        before: VerifyKey | None = None,
    ) -> None:
        self.origin = origin
        self._before = [] if before is None else [before]
        self.takeovers: list[Takeover] = []
        self.keys: list[VerifyKey] = []
        for epoch, data in takeovers:
            self._succeed(epoch, data, first_key)
        if not self.keys:
            raise SignatureBroken("key 0 is missing: this journal is unsigned")
        self._epoch = next((one.epoch for one in self.takeovers if one.size >= start), len(self.keys))
        self._checkpoints = iter(checkpoints)
        self._last: Checkpoint | None = None
        self._number = start_number
        self.checkpoints = 0
        self.proved_size = 0
        self._checkpoint = self._next_checkpoint()
        while self._checkpoint is not None and self._checkpoint.size < start:
            self._last, self._checkpoint = self._checkpoint, self._next_checkpoint()
        self.next_size = self._nearest()
        if self.next_size == 0:
            # Nobody will ask for a tree of nothing: the first key takes over behind the header.
            raise SignatureBroken("the statement of key 0 was signed for another header", 0)

    def check(self, size: int, root: bytes) -> None:
        """Compare the signed root for this size."""
        while self._epoch < len(self.takeovers) and self.takeovers[self._epoch].size == size:
            self._compare(f"the statement of key {self._epoch}", self.takeovers[self._epoch].root, size, root)
            self._epoch += 1
        while self._checkpoint is not None and self._checkpoint.size == size:
            self._compare(f"checkpoint {self._checkpoint.number}", self._checkpoint.root, size, root)
            self._last = self._checkpoint
            self.checkpoints += 1
            self._checkpoint = self._next_checkpoint()
        self.next_size = self._nearest()

    def has_signed(self, note: Note, said: Checkpoint | Takeover) -> bool:
        """True if this journal's keys signed a note as required; others may have too."""
        before = self.keys[max(0, said.epoch - 1) : said.epoch]
        signers = [*before, said.key] if isinstance(said, Takeover) else self.keys[said.epoch :][:1]
        return bool(signers) and all(map(note.carries, signers))

    def read_one(self, data: bytes) -> Checkpoint:
        """A checkpoint signed within its key's time; its root is not compared."""
        note = Note(data)
        return self._check(note, Checkpoint.read(note))

    def finish(self, size: int) -> None:
        """Check that no larger tree was signed: entries would have been cut off."""
        if self.next_size != NEVER:
            raise SignatureBroken(f"missing: entries up to {self.next_size - 1} were signed", size)

    def _compare(self, what: str, signed: bytes, size: int, root: bytes) -> None:
        if signed != root:
            first = self.proved_size
            entries = f"entry {first}" if size - first == 1 else f"one of the entries {first} to {size - 1}"
            raise SignatureBroken(f"{entries} is not what {what} was signed for", first)
        self.proved_size = size

    def _nearest(self) -> int:
        takeover = self.takeovers[self._epoch].size if self._epoch < len(self.takeovers) else NEVER
        return min(takeover, self._checkpoint.size if self._checkpoint is not None else NEVER)

    def _succeed(self, epoch: int, data: bytes, first_key: VerifyKey) -> None:
        if epoch != len(self.keys):
            raise SignatureBroken(f"key {len(self.keys)} is missing")
        try:
            found = self._takeover(epoch, data, first_key)
        except BadNote as error:
            raise SignatureBroken(f"the statement of key {epoch}: {error.reason}") from error
        self.takeovers.append(found)
        self.keys.append(found.key)

    def _takeover(self, epoch: int, data: bytes, first_key: VerifyKey) -> Takeover:
        note = Note(data)
        found = Takeover.read(note)
        if (found.origin, found.epoch) != (self.origin, epoch):
            raise BadNote(f"it is about key {found.epoch} of {found.origin}")
        if found.key.name != self.origin:
            raise BadNote("its key has another name than the journal")
        if not self.keys and found.key != first_key:
            raise BadNote("it is not the key that the header names")
        note.check_only(*(self.keys or self._before)[-1:], found.key)
        if self.takeovers and found.size < self.takeovers[-1].size:
            raise BadNote("it takes over before the key before it did")
        return found

    def _next_checkpoint(self) -> Checkpoint | None:
        row = next(self._checkpoints, None)
        if row is None:
            return None
        number, data = row
        if number != self._number:
            raise SignatureBroken(f"checkpoint {self._number} is missing")
        self._number += 1
        try:
            return self._read_checkpoint(number, data)
        except BadNote as error:
            raise SignatureBroken(f"checkpoint {number}: {error.reason}") from error

    def _read_checkpoint(self, number: int, data: bytes) -> Checkpoint:
        note = Note(data)
        found = Checkpoint.read(note)
        if found.number != number:
            raise BadNote(f"it is checkpoint {found.number} of {found.origin}")
        self._check(note, found)
        if self._last is not None and (found.size, found.epoch) < (self._last.size, self._last.epoch):
            raise BadNote("it is of a smaller tree than the one before it")
        return found

    def _check(self, note: Note, found: Checkpoint) -> Checkpoint:
        if found.origin != self.origin:
            raise BadNote(f"it is checkpoint {found.number} of {found.origin}")
        if found.epoch >= len(self.keys):
            raise BadNote(f"there is no key {found.epoch}")
        note.check_only(self.keys[found.epoch])
        begins = self.takeovers[found.epoch].size
        ends = self.takeovers[found.epoch + 1].size if found.epoch + 1 < len(self.takeovers) else NEVER
        if not begins <= found.size <= ends:
            raise BadNote(f"signed by key {found.epoch} out of its turn")
        return found
