"""The entry by which two people pass over an unprocessable input."""

import re
from typing import Final, Self

import msgspec

EVENT: Final = "passed_over"

_NUMBER: Final = "([1-9][0-9]{0,17})"
_TEXT: Final = r'([^"\\\x00-\x1f\x7f]+)'
_LINE: Final = re.compile(
    rf'\{{"event":"{EVENT}","seq":{_NUMBER},"at":"{_TEXT}","entry":{_NUMBER},"hash":"([0-9a-f]{{64}})",'
    rf'"by":\["{_TEXT}","{_TEXT}"\]\}}'
)


class PassedOver(msgspec.Struct, frozen=True, kw_only=True):
    r"""The one line of the entry, which follows the passed-over one.

    Attributes:
        at: RFC 3339, UTC.
        hash: leaf hash of the passed-over entry, 32 bytes.
        by: two different ids, printable, without ``"`` and ``\``.
    """

    seq: int
    at: str
    entry: int
    hash: bytes
    by: tuple[str, str]

    def line(self) -> bytes:
        """Its canonical bytes."""
        first, second = self.by
        text = (
            f'{{"event":"{EVENT}","seq":{self.seq},"at":"{self.at}","entry":{self.entry},"hash":"{self.hash.hex()}",'
            f'"by":["{first}","{second}"]}}'
        )
        self.read(text.encode())
        return text.encode()

    @classmethod
    def read(cls, line: bytes) -> Self:
        """Parse a line."""
        found = _LINE.fullmatch(line.decode())
        if found is None:
            raise ValueError("not a line of an entry that passes over another")
        seq, at, entry, digest, *by = found.groups()
        if by[0] == by[1]:
            raise ValueError("one person passes over it twice")
        return cls(seq=int(seq), at=at, entry=int(entry), hash=bytes.fromhex(digest), by=(by[0], by[1]))
