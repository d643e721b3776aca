"""The journal's own entry that two people have passed over an input which the program cannot process."""

import re
from typing import Final, Self

import msgspec

EVENT: Final = "passed_over"
"""The ``event`` of its line; no line of the table log has it."""

_NUMBER: Final = "([1-9][0-9]{0,17})"
_TEXT: Final = r'([^"\\\x00-\x1f\x7f]+)'
_LINE: Final = re.compile(
    rf'\{{"event":"{EVENT}","seq":{_NUMBER},"at":"{_TEXT}","entry":{_NUMBER},"hash":"([0-9a-f]{{64}})",'
    rf'"by":\["{_TEXT}","{_TEXT}"\]\}}'
)


class PassedOver(msgspec.Struct, frozen=True, kw_only=True):
    r"""The one line of the entry, which follows the entry that it passes over.

    Attributes:
        seq: the number of the line.
        at: the time, RFC 3339, UTC.
        entry: the entry that is passed over: an input with its answers, the last one before.
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
        self.read(text.encode())
        return text.encode()

    @classmethod
    def read(cls, line: bytes) -> Self:
        """Read a line.

        Raises:
            ValueError: it is no such line.
        """
        found = _LINE.fullmatch(line.decode())
        if found is None:
            raise ValueError("not a line of an entry that passes over another")
        seq, at, entry, digest, *by = found.groups()
        if by[0] == by[1]:
            raise ValueError("one person passes over it twice")
        return cls(seq=int(seq), at=at, entry=int(entry), hash=bytes.fromhex(digest), by=(by[0], by[1]))
