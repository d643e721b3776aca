"""The request to a witness, as c2sp.org/tlog-witness has it."""

import base64
import re
from typing import Final, Self

import msgspec

from cardshoe.journal.proof.note import BadNote, unbase64
from cardshoe.journal.proof.tree import HASH_BYTES

MAX_PROOF: Final = 63
"""Hashes in a proof; no tree that fits into this universe needs more."""

_OLD: Final = re.compile(rb"old (0|[1-9][0-9]{0,17})")


class Submission(msgspec.Struct, frozen=True):
    """A note for a witness.

    Attributes:
        old: the size in the last note that the witness holds, 0 if it holds none.
        path: the proof that the tree of that size is the beginning of the note's (RFC 6962 section 2.1.2).
    """

    old: int
    path: list[bytes]
    note: bytes

    def encoded(self) -> bytes:
        """The body of the request."""
        lines = [f"old {self.old}", *(base64.b64encode(node).decode() for node in self.path)]
        return "\n".join([*lines, "", ""]).encode() + self.note

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Read the body of a request.

        Raises:
            BadNote: it is malformed.
        """
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
