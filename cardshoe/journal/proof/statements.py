"""Signed statements: checkpoints (c2sp.org/tlog-checkpoint), and key succession.

Accepted only in canonical form.
"""

import base64
import re
from typing import Final, Self

import msgspec

from cardshoe.journal.proof.note import BadNote, Note, SigningKey, VerifyKey, sign, unbase64
from cardshoe.journal.proof.tree import HASH_BYTES

_NUMBER: Final = "(0|[1-9][0-9]{0,17})"
_CHECKPOINT: Final = re.compile(rf"([^\n]+)\n{_NUMBER}\n([^\n]+)\ncheckpoint {_NUMBER} key {_NUMBER} at ([^\n]*)\n")
_TAKEOVER: Final = re.compile(
    rf"([^\n]+)\nkey {_NUMBER}\n{_NUMBER}\n([^\n]+)\n([^\n]+)\nat ([^\n]*)\n(?:state ([^\n]+)\n)?"
)


def origin_of(journal_id: str) -> str:
    return f"cardshoe/journal/{journal_id}"


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """The tree at one moment.

    Attributes:
        number: from 1, without gap.
        at: wall clock, RFC 3339, UTC; no proof of the time.
    """

    origin: str
    size: int
    root: bytes
    number: int
    epoch: int
    at: str

    def text(self) -> str:
        """Origin, size, root, and one extension line."""
        root = base64.b64encode(self.root).decode()
        return f"{self.origin}\n{self.size}\n{root}\ncheckpoint {self.number} key {self.epoch} at {self.at}\n"

    def signed(self, key: SigningKey) -> bytes:
        """The signed note."""
        return sign(self.text(), key)

    @classmethod
    def read(cls, note: Note) -> Self:
        """Parse a checkpoint; signatures are not checked."""
        found = _CHECKPOINT.fullmatch(note.text)
        if found is None:
            raise BadNote("not a checkpoint of a journal")
        origin, size, root, number, epoch, at = found.groups()
        return cls(origin=origin, size=int(size), root=_hash(root), number=int(number), epoch=int(epoch), at=at)


class Takeover(msgspec.Struct, frozen=True, kw_only=True):
    """A key succeeds the one before.

    Attributes:
        epoch: 0 for the first key, without gap.
        state: SHA-256 of its snapshot; ``None``: none.
    """

    origin: str
    epoch: int
    size: int
    root: bytes
    key: VerifyKey
    at: str
    state: bytes | None = None

    def text(self) -> str:
        """Differs from a checkpoint: its second line is no number."""
        root = base64.b64encode(self.root).decode()
        state = "" if self.state is None else f"state {base64.b64encode(self.state).decode()}\n"
        return f"{self.origin}\nkey {self.epoch}\n{self.size}\n{root}\n{self.key}\nat {self.at}\n{state}"

    def signed(self, before: SigningKey | None, new: SigningKey) -> bytes:
        """The note, signed by both keys: the new one proves possession."""
        return sign(self.text(), new) if before is None else sign(self.text(), before, new)

    @classmethod
    def read(cls, note: Note) -> Self:
        """Parse a key's statement; signatures are not checked."""
        found = _TAKEOVER.fullmatch(note.text)
        if found is None:
            raise BadNote("not a statement of a journal's key")
        origin, epoch, size, root, key, at, state = found.groups()
        return cls(
            origin=origin,
            epoch=int(epoch),
            size=int(size),
            root=_hash(root),
            key=VerifyKey.parse(key),
            at=at,
            state=None if state is None else _hash(state),
        )


def _hash(text: str) -> bytes:
    data = unbase64(text)
    if len(data) != HASH_BYTES:
        raise BadNote(f"a hash of {len(data)} bytes")
    return data


def read_statement(note: Note) -> Checkpoint | Takeover:
    return Takeover.read(note) if _TAKEOVER.fullmatch(note.text) else Checkpoint.read(note)
