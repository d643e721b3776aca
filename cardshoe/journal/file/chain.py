"""The Merkle tree over the lines of the log, and the order in which lines may follow each other.

The leaves are the lines as stored, the header first, so that entry ``n`` is leaf ``n``. An entry carries the largest
complete subtree that ends with it. What kind a line has follows from the order, so the tree binds it as well.
`docs/journal.md` defines it for others. Nothing here touches a file.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec

from cardshoe.journal.file.errors import JournalBroken
from cardshoe.journal.file.line import BadLine, read_line
from cardshoe.journal.file.passed_over import EVENT as PASSED_OVER
from cardshoe.journal.file.passed_over import PassedOver
from cardshoe.journal.file.retirement import EVENT as RETIRED
from cardshoe.journal.file.retirement import Retirement
from cardshoe.journal.proof.tree import Frontier, leaf_hash

Kind: TypeAlias = Literal["header", "input", "output", "retirement", "passed_over"]
OWN: Final = frozenset({"retirement", "passed_over"})
"""The kinds of the journal's own entries: they stand where an input may stand, and no output follows."""
OF_EVENT: Final[dict[str, Kind]] = {RETIRED: "retirement", PASSED_OVER: "passed_over"}
"""The kind of each event of the journal's own entries."""
_NONE: Final = (0, b"")
"""No input that could be passed over."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One stored line.

    Attributes:
        seq: 0 for the header, then 1, 2, 3 … without gap.
        kind: what the line is; ``retirement`` and ``passed_over`` are the journal's own.
        line: the bytes as stored, without a line's end.
        node: 32 bytes, the root of the largest complete subtree that ends with this entry.
    """

    seq: int
    kind: Kind
    line: bytes
    node: bytes


class NotNext(Exception):
    """A line that cannot stand here.

    Attributes:
        seq: the number it would have had.
        reason: why it cannot.
    """

    def __init__(self, seq: int, reason: str) -> None:
        super().__init__(reason)
        self.seq = seq
        self.reason = reason


class Chain:
    """Follows a log entry by entry.

    Attributes:
        seq: the last entry.
        edge: the tree over the entries up to it.
        open_input: the input whose outputs have not yet ended with a ``next``; 0 if there is none.
        last_input: number and leaf hash of the last input, which may still be passed over; ``None``: not known here.
    """

    __slots__ = ("edge", "last_input", "open_input", "seq")

    def __init__(self, edge: Frontier, open_input: int = 0, last_input: tuple[int, bytes] | None = None) -> None:
        self.seq = edge.size - 1
        self.edge = edge
        self.open_input = open_input
        self.last_input = last_input

    @classmethod
    def after(cls, entry: Entry, edge: Frontier) -> "Chain":
        """The chain as it stands after ``entry``, which is trusted: the header, or where an earlier check ended."""
        return cls(edge, 0 if entry.kind in {"header", *OWN} or _ends_group(entry) else entry.seq)

    @property
    def last_node(self) -> bytes:
        """The tree node of the last entry."""
        return self.edge.nodes[-1]

    def copy(self) -> "Chain":
        """A chain that goes its own way from here."""
        return Chain(self.edge.copy(), self.open_input, self.last_input)

    def add(self, kind: Kind, line: bytes) -> Entry:
        """The entry that ``line`` becomes.

        Raises:
            NotNext: the line is not numbered as the next one, or cannot follow the one before.
        """
        seq = self.seq + 1
        event = _event(seq, line)
        if (kind if kind in OWN else None) != OF_EVENT.get(event):
            raise NotNext(seq, f"a line with the event {event} cannot be of the kind {kind}")
        if (kind == "input" or kind in OWN) and self.open_input:
            raise NotNext(seq, f"the outputs of input {self.open_input} do not end with a next")
        leaf, last_input = leaf_hash(line), self.last_input
        if kind in OWN:
            last_input = self._own(seq, kind, line)
            open_input = 0
        elif kind == "input":
            open_input, last_input = seq, (seq, leaf)
        elif kind == "output":
            if not self.open_input:
                raise NotNext(seq, "an output that belongs to no input")
            open_input = 0 if event == "next" else self.open_input
        else:
            raise NotNext(seq, "an entry of unknown kind")
        self.seq, self.open_input, self.last_input = seq, open_input, last_input
        return Entry(seq, kind, line, self.edge.add(leaf))

    def _own(self, seq: int, kind: Kind, line: bytes) -> tuple[int, bytes] | None:
        """Check an entry of the journal's own; the input that may be passed over after it."""
        try:
            if kind == "retirement":
                Retirement.read(line)
                return self.last_input
            said = PassedOver.read(line)
        except ValueError as error:
            raise NotNext(seq, str(error)) from error
        if self.last_input not in (None, (said.entry, said.hash)):
            raise NotNext(seq, f"it passes over entry {said.entry}, which is not the last input before it")
        return _NONE

    def check(self, entry: Entry) -> None:
        """Follow a stored entry.

        Raises:
            NotNext: it is not the next one, or not what was written.
        """
        if entry.seq != self.seq + 1:
            reason = f"missing; the next one there is {entry.seq}" if entry.seq > self.seq else "stands there twice"
            raise NotNext(self.seq + 1, reason)
        if self.add(entry.kind, entry.line).node != entry.node:
            raise NotNext(entry.seq, _altered(entry.seq))

    def check_end(self) -> None:
        """Check that the log may end here.

        Raises:
            NotNext: the outputs of the last input are not complete.
        """
        if self.open_input:
            raise NotNext(self.seq, f"the log ends before the outputs of input {self.open_input} do")


def header_entry(line: bytes) -> Entry:
    """Entry 0 with its line."""
    return Entry(0, "header", line, leaf_hash(line))


def check_header(header: Entry) -> Chain:
    """The chain after entry 0.

    Raises:
        NotNext: the header is not what was written.
    """
    if header.seq != 0 or header.kind != "header":
        raise NotNext(0, "the first entry is not a header")
    if header != header_entry(header.line):
        raise NotNext(0, "the node does not fit: the header was altered")
    return Chain(Frontier(1, [header.node]), last_input=_NONE)


def verify_chain(entries: Iterable[Entry], header: Entry, path: Path = Path("journal")) -> bytes:
    """Verify a whole log by itself: header, numbers, order of inputs and outputs, tree. Signatures are not looked at.

    Args:
        entries: all entries from number 1 on.
        header: entry 0.
        path: named in the error.

    Returns:
        The root of the tree.

    Raises:
        JournalBroken: with the first entry that does not hold.
    """
    try:
        chain = check_header(header)
        for entry in entries:
            chain.check(entry)
        chain.check_end()
    except NotNext as error:
        raise JournalBroken(path, error.seq, error.reason) from error
    return chain.edge.root()


def _altered(seq: int) -> str:
    """The text for a node that does not fit: it covers the entries of a complete subtree."""
    first = seq + 1 - ((seq + 1) & -(seq + 1))
    if first == seq:
        return "the node does not fit: this entry was altered"
    return f"the node does not fit: this entry was altered, or one from {first} on together with its own node"


def _event(seq: int, line: bytes) -> str:
    try:
        event, number = read_line(line)
    except BadLine as error:
        raise NotNext(seq, f"not a line of the table log: {error}") from error
    if number != seq:
        raise NotNext(seq, f'the line says "seq":{number}')
    return event


def _ends_group(entry: Entry) -> bool:
    return entry.kind == "output" and _event(entry.seq, entry.line) == "next"
