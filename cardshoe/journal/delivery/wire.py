"""Traffic between uplink and collector: batches, and signed receipts. Pure.

A batch is a JSON head and its entries, separated by blank lines; a receipt is a signed note
(c2sp.org/signed-note).
"""

import base64
import re
from typing import Annotated, Final, Literal, Self

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from cardshoe.journal.file.header import FINGERPRINT_DIGITS
from cardshoe.journal.proof.note import BadNote, Note, SigningKey, VerifyKey, sign, unbase64
from cardshoe.journal.proof.tree import HASH_BYTES

VERSION: Final = 1
BATCH_ENTRIES: Final = 200
BATCH_BYTES: Final = 512 * 1024
"""Limit of an uplink's batch; one entry alone may be longer."""
BODY_BYTES: Final = 2 * 1024 * 1024
EVIDENCE_BYTES: Final = 512 * 1024
"""A staff list as evidence: some 2,500 people."""
NOTES_MAX: Final = 64
LOGS_MAX: Final = 4096
NONE: Final = -1
"""The floor has no entry of the log, not even the header."""

Log = Annotated[str, Meta(pattern=rf"^[0-9a-f]{{{FINGERPRINT_DIGITS}}}\Z")]
Hash = Annotated[str, Meta(pattern=rf"^([0-9a-f]{{{2 * HASH_BYTES}}})?\Z")]
Number = Annotated[int, Meta(ge=0, lt=1 << 53)]
Sender = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]
Code = Literal[
    "malformed",  # no batch, or entries that cannot follow each other
    "not_yours",  # it speaks of another table than its certificate does
    "not_enrolled",  # the floor does not have this table on its list
    "revoked",  # the certificate was revoked, or nobody knows whether it was
    "behind",  # the floor wants other entries first; `mark` says after which
    "keys",  # the statement of a key is missing; `epoch` says up to which there is one
    "other_sender",  # another uplink sends for this table
    "stopped",  # an alarm has stopped this log
    "busy",  # one request of a table at a time
    "too_long",  # a body of more than BODY_BYTES, or one that took too long
    "database",  # it cannot be stored now
]


class Head(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The head of a batch.

    Attributes:
        first: first entry; 0 is the header.
        before: root over all earlier entries, hexadecimal; empty before the header.
    """

    batch: Literal[1] = VERSION
    table: str
    log: Log
    sender: Sender
    first: Number
    before: Hash
    last: Number
    notes: Annotated[list[str], Meta(max_length=NOTES_MAX)] = []


class Batch(Struct, frozen=True):
    head: Head
    entries: list[bytes]

    @property
    def end(self) -> int:
        """Number after the last entry."""
        return self.head.first + len(self.entries)

    def encoded(self) -> bytes:
        """The request body."""
        return b"\n".join([msgspec.json.encode(self.head) + b"\n", *self.entries])

    @classmethod
    def decode(cls, body: bytes) -> Self:
        """Parse a body."""
        if body[-1:] != b"\n":
            raise ValueError("it does not end with a line feed")
        head, *entries = body[:-1].split(b"\n\n")
        if len(entries) > BATCH_ENTRIES:
            raise ValueError(f"more than {BATCH_ENTRIES} entries")
        return cls(_head(head), [one + b"\n" for one in entries])


class OneLog(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    log: Log
    last: Number


class Has(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table's logs, sent by its uplink: a claim; the floor trusts its own signatures alone.

    Attributes:
        persons: the staff list that it has, empty: none.
    """

    has: Literal[1] = VERSION
    table: str
    sender: Sender
    logs: Annotated[list[OneLog], Meta(max_length=LOGS_MAX)]
    persons: Annotated[str, Meta(max_length=EVIDENCE_BYTES)] | UnsetType = UNSET

    @classmethod
    def decode(cls, body: bytes) -> "Has":
        """Parse a body."""
        try:
            return msgspec.json.decode(body, type=cls)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise ValueError(str(error)) from error


class Stands(Struct, frozen=True, kw_only=True):
    """The floor's position in a log.

    Attributes:
        mark: signed receipt; empty: none.
        epoch: last stored key; -1: none.
        stopped: the reason; empty: not stopped.
        cosigned: signature line of the floor's witness; empty: none.
        persons: SHA-256 of the table's staff list; empty: none.
    """

    mark: str = ""
    epoch: int = -1
    stopped: str = ""
    cosigned: str = ""
    persons: str = ""


class Marks(Struct, frozen=True, kw_only=True):
    key: str
    witness: str
    logs: list[Stands]
    persons: str = ""
    list: str = ""


class Refusal(Struct, frozen=True, kw_only=True):
    code: Code
    reason: str
    stands: Stands = Stands()


_heads: Final = msgspec.json.Decoder(Head)
_MARK: Final = re.compile(r"cardshoe/mark\n([^\n]+)\n([0-9a-f]{32}) (0|[1-9][0-9]{0,17})\n([^\n]+)\nat ([^\n]+)\n")


class Mark(Struct, frozen=True, kw_only=True):
    """The floor has a log up to here without gap, committed.

    Attributes:
        at: of the signature, RFC 3339, UTC.
    """

    table: str
    log: str
    entry: int
    root: bytes
    at: str

    def signed(self, key: SigningKey) -> bytes:
        """The signed note; it holds the table's id as JSON text."""
        name, root = msgspec.json.encode(self.table).decode(), base64.b64encode(self.root).decode()
        return sign(f"cardshoe/mark\n{name}\n{self.log} {self.entry}\n{root}\nat {self.at}\n", key)

    @classmethod
    def read(cls, data: bytes, key: VerifyKey) -> Self:
        """Read a note."""
        note = Note(data)
        note.check_only(key)
        found = _MARK.fullmatch(note.text)
        if found is None:
            raise BadNote("not a floor's mark")
        name, log, entry, root, at = found.groups()
        try:
            table = msgspec.json.decode(name, type=str)
        except msgspec.DecodeError as error:
            raise BadNote(f"not a table's name: {error}") from error
        digest = unbase64(root)
        if len(digest) != HASH_BYTES:
            raise BadNote(f"a hash of {len(digest)} bytes")
        return cls(table=table, log=log, entry=int(entry), root=digest, at=at)


def _head(data: bytes) -> Head:
    try:
        return _heads.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(str(error)) from error
