"""The request to a witness (c2sp.org/tlog-witness)."""

import base64
import re
from typing import Final, Self

import msgspec

from cardshoe.journal.proof.note import BadNote, unbase64
from cardshoe.journal.proof.tree import HASH_BYTES

MAX_PROOF: Final = 63

_OLD: Final = re.compile(rb"old (0|[1-9][0-9]{0,17})")


class Submission(msgspec.Struct, frozen=True):
    """A note for a witness.

    Attributes:
        old: size in the witness's last note; 0: none.
        path: consistency proof from that size (RFC 6962 section 2.1.2).
    """

    old: int
    path: list[bytes]
    note: bytes

    def encoded(self) -> bytes:
        """The request body."""
        lines = [f"old {self.old}", *(base64.b64encode(node).decode() for node in self.path)]
        return "\n".join([*lines, "", ""]).encode() + self.note

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Parse a request body."""
        head, found, note = data.partition(b"\n\n")
        first, *proof = head.split(b"\n")
        old = _OLD.fullmatch(first)
        if not found or old is None:
            raise BadNote("not `old SIZE`, a proof, an empty line and a note")
        if len(proof) > MAX_PROOF:
            raise BadNote(f"more than {MAX_PROOF} lines of proof")
        return cls(int(old[1]), [_hash(line) for line in proof], note)


def _hash(line: bytes) -> bytes:
    if not line.isascii():
        raise BadNote("a line of proof that is not base64")
    data = unbase64(line.decode())
    if len(data) != HASH_BYTES:
        raise BadNote(f"a line of proof with {len(data)} bytes")
    return data
