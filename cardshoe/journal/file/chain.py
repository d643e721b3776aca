"""The Merkle tree over a log's entries (`docs/journal.md`). No file access.

Entry ``n`` is leaf ``n``; entry 0 is the header.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from cardshoe.journal.file.errors import JournalBroken
from cardshoe.journal.file.line import NonCanonicalLine, read_lines
from cardshoe.journal.file.passed_over import EVENT as PASSED_OVER
from cardshoe.journal.file.passed_over import PassedOver
from cardshoe.journal.proof.tree import Frontier, leaf_hash

PASSES: Final = f'{{"event":"{PASSED_OVER}",'.encode()
"""Only entries that pass over another begin so."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """A stored entry: the header, an input with its answers, or a `PassedOver`.

    Attributes:
        number: 0: the header.
        node: root of the largest complete subtree that ends here, 32 bytes.
    """

    number: int
    data: bytes
    node: bytes

    @property
    def lines(self) -> list[bytes]:
        """Lines without line feeds."""
        return lines_of(self.data)

    @property
    def passes_over(self) -> bool:
        return self.data.startswith(PASSES)


class OutOfOrder(Exception):
    def __init__(self, number: int, reason: str) -> None:
        super().__init__(reason)
        self.number = number
        self.reason = reason


class Chain:
    """Follows a log entry by entry."""

    __slots__ = ("edge", "last", "seq")

    def __init__(self, edge: Frontier, seq: int = 0, last: bytes | None = b"") -> None:
        self.edge = edge
        self.seq = seq
        self.last = last

    @classmethod
    def after(cls, entry: Entry, edge: Frontier) -> "Chain":
        """The chain after a trusted entry."""
        if not entry.number:
            return cls(edge)
        seq = _read(entry.number, entry.data)[-1][1]
        return cls(edge, seq, b"" if entry.passes_over else leaf_hash(entry.data))

    @property
    def number(self) -> int:
        """The last entry."""
        return self.edge.size - 1

    def copy(self) -> "Chain":
        """An independent chain."""
        return Chain(self.edge.copy(), self.seq, self.last)

    def add(self, data: bytes) -> Entry:
        """The entry that ``data`` becomes."""
        number, seq = self.edge.size, self.seq
        if data[-1:] != b"\n":
            raise OutOfOrder(number, "it does not end with a line feed")
        passes = False
        for event, said in _read(number, data):
            seq += 1
            if said != seq:
                raise OutOfOrder(number, f'line {seq} says "seq":{said}')
            if event == PASSED_OVER:
                passes = True
        leaf = leaf_hash(data)
        if passes:
            self._check_passes(number, data[:-1])
        self.seq, self.last = seq, b"" if passes else leaf
        return Entry(number, data, self.edge.add(leaf))

    def _check_passes(self, number: int, line: bytes) -> None:
        try:
            said = PassedOver.read(line)
        except ValueError as error:
            raise OutOfOrder(number, str(error)) from error
        if said.entry != number - 1 or self.last not in (None, said.hash):
            raise OutOfOrder(number, f"it passes over entry {said.entry}, which is not the input before it")

    def check(self, entry: Entry) -> None:
        """Follow a stored entry."""
        number = self.edge.size
        if entry.number != number:
            there = entry.number > number
            raise OutOfOrder(number, f"missing; the next one there is {entry.number}" if there else "is stored twice")
        if self.add(entry.data).node != entry.node:
            raise OutOfOrder(number, _altered(number))


def data_of(lines: Iterable[bytes]) -> bytes:
    return b"\n".join((*lines, b""))


def lines_of(data: bytes) -> list[bytes]:
    return data[:-1].split(b"\n")


def header_entry(line: bytes) -> Entry:
    data = data_of([line])
    return Entry(0, data, leaf_hash(data))


def check_header(header: Entry) -> Chain:
    """The chain after entry 0."""
    if header.number != 0 or leaf_hash(header.data) != header.node:
        raise OutOfOrder(0, "the node does not fit: the header was altered")
    return Chain(Frontier(1, [header.node]))


def verify_chain(entries: Iterable[Entry], header: Entry, path: Path = Path("journal")) -> bytes:
    """Verify header, numbers, lines and tree of a whole log, not its signatures.

    Raises:
        JournalBroken: names the first invalid entry.
    """
    try:
        chain = check_header(header)
        for entry in entries:
            chain.check(entry)
    except OutOfOrder as error:
        raise JournalBroken(path, error.number, error.reason) from error
    return chain.edge.root()


def _altered(number: int) -> str:
    first = number + 1 - ((number + 1) & -(number + 1))
    if first == number:
        return "the node does not fit: this entry was altered"
    return f"the node does not fit: this entry was altered, or one from {first} on together with its own node"


def _read(number: int, data: bytes) -> list[tuple[str, int]]:
    try:
        return read_lines(data)
    except NonCanonicalLine as error:
        raise OutOfOrder(number, f"not a line of the table log: {error}") from error
