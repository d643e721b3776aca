"""The hash chain over the lines of the log, and the order in which lines may follow each other.

``digest(n) = SHA-256(TAG || digest(n-1) || n as 8 bytes, big-endian || kind as 1 byte || line)``, where ``digest(-1)``
is 32 zero bytes, entry 0 is the header, and ``line`` the bytes as stored. `docs/journal.md` defines it for others.
Nothing here touches a file.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec

from table.journal.errors import JournalBroken

Kind: TypeAlias = Literal["header", "input", "output"]

TAG: Final = b"cardshoe journal entry 1"
"""Separates these digests from any other SHA-256; the 1 is the version of the chain."""

KIND_BYTES: Final[dict[Kind, bytes]] = {"header": b"\x00", "input": b"\x01", "output": b"\x02"}

BEFORE_HEADER: Final = bytes(32)
"""What stands for the digest before entry 0."""

SEQ_BYTES: Final = 8


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One stored line.

    Attributes:
        seq: 0 for the header, then 1, 2, 3 … without gap.
        kind: what the line is.
        line: the bytes as stored, without a line's end.
        digest: 32 bytes, over this and all entries before.
    """

    seq: int
    kind: Kind
    line: bytes
    digest: bytes


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


class _Head(msgspec.Struct):
    """What the journal reads of a line; all else is the regulations' business."""

    event: str
    seq: int


_head_of: Final = msgspec.json.Decoder(_Head).decode


def digest_of(before: bytes, seq: int, kind: Kind, line: bytes) -> bytes:
    """The digest of an entry, given the digest of the entry before."""
    return hashlib.sha256(TAG + before + seq.to_bytes(SEQ_BYTES, "big") + KIND_BYTES[kind] + line).digest()


class Chain:
    """Follows a log entry by entry.

    Attributes:
        seq: the last entry.
        digest: its digest.
        open_input: the input whose outputs have not yet ended with a ``next``; 0 if there is none.
    """

    __slots__ = ("digest", "open_input", "seq")

    def __init__(self, seq: int, digest: bytes, open_input: int = 0) -> None:
        self.seq = seq
        self.digest = digest
        self.open_input = open_input

    @classmethod
    def after(cls, entry: Entry) -> "Chain":
        """The chain as it stands after ``entry``, which is trusted: the header, or where an earlier check ended."""
        return cls(entry.seq, entry.digest, 0 if entry.kind == "header" or _ends_group(entry) else entry.seq)

    def copy(self) -> "Chain":
        """A chain that goes its own way from here."""
        return Chain(self.seq, self.digest, self.open_input)

    def add(self, kind: Kind, line: bytes) -> Entry:
        """The entry that ``line`` becomes.

        Raises:
            NotNext: the line is not numbered as the next one, or cannot follow the one before.
        """
        seq = self.seq + 1
        head = _head(seq, line)
        if kind == "input":
            if self.open_input:
                raise NotNext(seq, f"the outputs of input {self.open_input} do not end with a next")
            open_input = seq
        elif kind == "output":
            if not self.open_input:
                raise NotNext(seq, "an output that belongs to no input")
            open_input = 0 if head.event == "next" else self.open_input
        else:
            raise NotNext(seq, f"an entry of the kind {kind!r}")
        self.seq, self.digest, self.open_input = seq, digest_of(self.digest, seq, kind, line), open_input
        return Entry(seq, kind, line, self.digest)

    def check(self, entry: Entry) -> None:
        """Follow a stored entry.

        Raises:
            NotNext: it is not the next one, or not what was written.
        """
        if entry.seq != self.seq + 1:
            reason = f"missing; the next one there is {entry.seq}" if entry.seq > self.seq else "stands there twice"
            raise NotNext(self.seq + 1, reason)
        if self.add(entry.kind, entry.line).digest != entry.digest:
            raise NotNext(entry.seq, "the digest does not fit: this entry or the digest before it was altered")

    def check_end(self) -> None:
        """Check that the log may end here.

        Raises:
            NotNext: the outputs of the last input are not complete.
        """
        if self.open_input:
            raise NotNext(self.seq, f"the log ends before the outputs of input {self.open_input} do")


def check_header(header: Entry) -> Chain:
    """The chain after entry 0.

    Raises:
        NotNext: the header is not what was written.
    """
    if header.seq != 0 or header.kind != "header":
        raise NotNext(0, "the first entry is no header")
    if header.digest != digest_of(BEFORE_HEADER, 0, "header", header.line):
        raise NotNext(0, "the digest does not fit: the header was altered")
    return Chain.after(header)


def verify_chain(entries: Iterable[Entry], header: Entry, path: Path = Path("journal")) -> bytes:
    """Verify a whole log: header, numbers, order of inputs and outputs, digests.

    Args:
        entries: all entries from number 1 on.
        header: entry 0.
        path: named in the error.

    Returns:
        The digest of the last entry.

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
    return chain.digest


def _head(seq: int, line: bytes) -> _Head:
    if b"\n" in line:
        raise NotNext(seq, "a line's end within the line")
    try:
        head = _head_of(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NotNext(seq, f"no line of the table log: {error}") from error
    if head.seq != seq:
        raise NotNext(seq, f'the line says "seq":{head.seq}')
    return head


def _ends_group(entry: Entry) -> bool:
    return entry.kind == "output" and _head(entry.seq, entry.line).event == "next"
