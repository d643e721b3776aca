"""The journal's own entry that shoe games are retired, and the proof of it that every part of a journal carries.

It is stored and signed before anything is cut. Without it a part would prove no more than that it was a part: whoever
has the file can take shoe games away from either end, and what is left leads to the same signed roots.
"""

import re
from collections.abc import Sequence
from typing import Final, Self

import msgspec

from cardshoe.journal.file.own_entry import HASH, NUMBER, TEXT, fields_of, written
from cardshoe.journal.file.segment import Segment
from cardshoe.journal.file.witness_file import END, notes_in
from cardshoe.journal.proof.note import BadNote
from cardshoe.journal.proof.signatures import Numbered, SignatureBroken, Signatures
from cardshoe.journal.proof.statements import Takeover
from cardshoe.journal.proof.tree import HASH_BYTES, includes, leaf_hash

EVENT: Final = "retired"
"""The ``event`` of its line; no line of the table log has it."""

_LINE: Final = re.compile(
    rf'\{{"event":"{EVENT}","seq":{NUMBER},"at":"{TEXT}","first":{NUMBER},"size":{NUMBER},'
    rf'"root":{HASH},"by":"{TEXT}"\}}'
)


class Retirement(msgspec.Struct, frozen=True, kw_only=True):
    r"""The content of the entry. It stands where an input may stand, and no output follows.

    Attributes:
        seq: its number.
        at: the time, RFC 3339, UTC.
        first: the first entry that moves into the archive; 1, or where the rest began.
        size: how many entries are retired with that in all, the header included: so the first one that stays.
        root: the root of the tree over those.
        by: who asked, printable and without ``"`` and ``\``.
    """

    seq: int
    at: str
    first: int
    size: int
    root: bytes
    by: str

    def line(self) -> bytes:
        """Its bytes, of which there is one form.

        Raises:
            ValueError: what it says cannot be written.
        """
        text = (
            f'{{"event":"{EVENT}","seq":{self.seq},"at":"{self.at}","first":{self.first},"size":{self.size},'
            f'"root":"{self.root.hex()}","by":"{self.by}"}}'
        )
        return written(text, self.read)

    @classmethod
    def read(cls, line: bytes) -> Self:
        """Read a line.

        Raises:
            ValueError: it is no such entry.
        """
        seq, at, first, size, root, by = fields_of(line, _LINE)
        said = cls(seq=int(seq), at=at, first=int(first), size=int(size), root=bytes.fromhex(root), by=by)
        if not said.first < said.size <= said.seq:
            raise ValueError("it retires entries that are not before it")
        return said


class Attested(msgspec.Struct, frozen=True, kw_only=True):
    """The entry as a part carries it: a copy, and what proves that it was signed.

    Attributes:
        line: its line.
        path: its audit path (RFC 6962 section 2.1.1), 32 bytes each.
        notes: the statements of keys after the last one of the part up to that of the signing key, then the
            checkpoint; each followed by a blank line, as in a witness's file.
    """

    line: bytes
    path: bytes
    notes: bytes

    @classmethod
    def of(cls, line: bytes, path: Sequence[bytes], notes: Sequence[bytes]) -> Self:
        """Puts it together."""
        return cls(line=line, path=b"".join(path), notes=b"".join(note + END for note in notes))

    def verified(self, origin: str, keys: Sequence[Numbered], signatures: Signatures) -> Retirement:
        """Prove the retirement and return it.

        Args:
            origin: the journal's name in its notes.
            keys: the statements of keys in the part.
            signatures: which has verified them.

        Raises:
            SignatureBroken: it is not proved.
        """
        try:
            said = Retirement.read(self.line)
            *later, checkpoint = self._notes(origin)
            if later:
                whole = [*keys, *((len(keys) + n, note) for n, note in enumerate(later))]
                signatures = Signatures(origin, signatures.keys[0], whole, [])
            signed = signatures.read_one(checkpoint)
        except (BadNote, ValueError) as error:
            raise SignatureBroken(f"what is retired is not told by a signed entry: {error}") from error
        path = [self.path[at : at + HASH_BYTES] for at in range(0, len(self.path), HASH_BYTES)]
        # The key of its own shoe game: a later one could have signed another past.
        begins = signatures.takeovers[signed.epoch].size
        if not begins <= said.seq < signed.size or not includes(
            said.seq, signed.size, leaf_hash(self.line), path, signed.root
        ):
            raise SignatureBroken(f"the entry about what is retired is not among those of checkpoint {signed.number}")
        return said

    def _notes(self, origin: str) -> list[bytes]:
        notes = notes_in(self.notes, origin)
        if b"".join(note + END for note in notes) != self.notes:
            raise ValueError("between its notes stands something else")
        return notes


def check_part(said: Retirement, segment: Segment, end: Takeover) -> None:
    """See that a part begins and ends where the entry says.

    Args:
        said: the entry, proved.
        segment: the part.
        end: the statement of the key that took over after what is retired: in a rest where it begins, in an archive
            where it ends.

    Raises:
        SignatureBroken: it holds less, or more.
    """
    first = segment.size if segment.archived else said.first
    if (first, end.size, end.root) != (said.first, said.size, said.root):
        raise SignatureBroken(
            f"entry {said.seq} retires entries {said.first} to {said.size - 1}, and this "
            + (f"is an archive of {first} to {end.size - 1}" if segment.archived else f"rest begins with {end.size}")
        )
