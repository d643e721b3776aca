"""The journal's own entry that two people have passed over an input which the program cannot process."""

import re
from typing import Final, Self

import msgspec

from cardshoe.journal.file.own_entry import HASH, NUMBER, TEXT, fields_of, written

EVENT: Final = "passed_over"
"""The ``event`` of its line; no line of the table log has it."""

_LINE: Final = re.compile(
    rf'\{{"event":"{EVENT}","seq":{NUMBER},"at":"{TEXT}","entry":{NUMBER},"hash":{HASH},'
    rf'"by":\["{TEXT}","{TEXT}"\]\}}'
)


class PassedOver(msgspec.Struct, frozen=True, kw_only=True):
    r"""The content of the entry. It follows the input and its outputs, and no output follows it.

    Attributes:
        seq: its number.
        at: the time, RFC 3339, UTC.
        entry: the input that is passed over, with its outputs: the last one before.
        hash: the hash of that entry as a leaf of the tree, 32 bytes.
        by: the ids of the two people, different, printable and without ``"`` and ``\``.
    """

    seq: int
    at: str
    entry: int
    hash: bytes
    by: tuple[str, str]

    def line(self) -> bytes:
        """Its bytes, of which there is one form.

        Raises:
            ValueError: what it says cannot be written.
        """
        first, second = self.by
        text = (
            f'{{"event":"{EVENT}","seq":{self.seq},"at":"{self.at}","entry":{self.entry},"hash":"{self.hash.hex()}",'
            f'"by":["{first}","{second}"]}}'
        )
        return written(text, self.read)

    @classmethod
    def read(cls, line: bytes) -> Self:
        """Read a line.

        Raises:
            ValueError: it is no such entry.
        """
        seq, at, entry, digest, *by = fields_of(line, _LINE)
        said = cls(seq=int(seq), at=at, entry=int(entry), hash=bytes.fromhex(digest), by=(by[0], by[1]))
        if said.entry >= said.seq or by[0] == by[1]:
            raise ValueError("it passes over an entry that is not before it, or one person says so twice")
        return said
