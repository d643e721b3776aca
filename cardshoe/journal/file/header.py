"""Entry 0: the journal's header."""

import hashlib
import re
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from cardshoe.journal.file.line import NonCanonicalLine, read_object
from cardshoe.journal.proof.note import VerifyKey, is_key
from cardshoe.journal.proof.statements import origin_of

FINGERPRINT_DIGITS: Final = 32
"""128 bits: unique across casinos."""
UPDATES: Final = "firmware_update"
"""The game in the header of a journal of device updates."""


class Previous(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table's log before this one.

    Attributes:
        root: over all its entries, hexadecimal.
        key: its last key, which signs this log's first.
    """

    log: str
    size: int
    root: str
    key: str


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="event", tag="journal"):
    """The head of a journal; its JSON is entry 0.

    Attributes:
        created_at: RFC 3339, UTC, microseconds.
        key: first signing key; empty: unsigned.
        imported: SHA-256 of the imported table log; a table's own has none.
        journal_id: random; empty: filled in by ``Journal.create``.
    """

    table_id: str
    game: str
    edition: str
    program: str
    created_at: str
    options: dict[str, Any] = {}
    journal_id: str = ""
    key: str = ""
    imported: str | UnsetType = UNSET
    rules: int | UnsetType = UNSET
    previous: Previous | UnsetType = UNSET

    @property
    def origin(self) -> str:
        """The journal's name in its notes."""
        return origin_of(self.journal_id)

    @property
    def key_before(self) -> VerifyKey | None:
        """The key that certifies the first one; ``None``: the table's first log."""
        return None if self.previous is UNSET else VerifyKey.parse(self.previous.key)

    @property
    def fingerprint(self) -> str:
        """The log's name for programs: SHA-256 of its first key, shortened."""
        return hashlib.sha256(self.key.encode()).hexdigest()[:FINGERPRINT_DIGITS]


_decoder = msgspec.json.Decoder(Header)
_FIELDS: Final = ["event", *(field.encode_name for field in msgspec.structs.fields(Header))]
_ID: Final = re.compile(r"[0-9a-f]{32}")
_ROOT: Final = re.compile(r"[0-9a-f]{64}")
_KEY: Final = re.compile(r"cardshoe/journal/[0-9a-f]{32}\+\S+")
_PREVIOUS: Final = ["log", "size", "root", "key"]


def encode_header(header: Header) -> bytes:
    return msgspec.json.encode(header)


def decode_header(line: bytes) -> Header:
    """Parse the line of entry 0."""
    said = read_object(line)
    may_lack = {"imported", "previous", *(["rules"] if said.get("game") == UPDATES else [])}
    if list(said) != [name for name in _FIELDS if name in said or name not in may_lack]:
        raise NonCanonicalLine("not the fields of a header, in their order")
    header = _decoder.decode(line)
    if header.previous is not UNSET and not _is_previous(said["previous"]):
        raise NonCanonicalLine("its previous is not a log, a size, a root and a key")
    if not _ID.fullmatch(header.journal_id):
        raise NonCanonicalLine("its journal_id is not 32 hexadecimal digits")
    return header


def _is_previous(said: dict[str, Any]) -> bool:
    return (
        list(said) == _PREVIOUS
        and _ID.fullmatch(said["log"]) is not None
        and said["size"] >= 1
        and _ROOT.fullmatch(said["root"]) is not None
        and _KEY.fullmatch(said["key"]) is not None
        and is_key(said["key"])
    )
