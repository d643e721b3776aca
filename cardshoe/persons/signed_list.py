"""The floor's signed, versioned staff list for a table.

A signed note (c2sp.org/signed-note) with one canonical form.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Final, Self

import msgspec
from msgspec import Meta, Struct

from cardshoe.journal.proof.note import BadNote, Note, SigningKey, VerifyKey, sign
from cardshoe.persons.registry import ID, Person
from regulations.events.vocabulary import Role

LIST_BYTES: Final = 2 * 1024 * 1024
VERSION_MAX: Final = 999_999_999
KEY_NAME: Final = "cardshoe/persons"
_MAGIC: Final = "cardshoe/persons"
_TIME: Final = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"
_TEXT: Final = re.compile(
    rf"{_MAGIC}\n([^\n]+)\n([1-9][0-9]{{0,8}}) ({_TIME}) ({_TIME})\n((?:[^\n]+\n)*)", re.ASCII | re.DOTALL
)
TableName = Annotated[str, Meta(min_length=1, max_length=200)]
Id = Annotated[str, Meta(pattern=rf"^{ID.pattern}\Z")]
Kept = Annotated[str, Meta(pattern=r"^(\$argon2id\$v=19\$m=\d{1,7},t=\d{1,2},p=\d{1,2}(\$[A-Za-z0-9+/]{1,100}){2})?\Z")]
"""The hash of a PIN, with bounded memory cost; empty if disabled."""


class ListEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A person on a list; unknown fields make it unreadable.

    Attributes:
        pin: argon2id hash; empty if disabled.
        tables: of sign-in; ``None``: all.
    """

    id: Id
    role: Role
    pin: Kept = ""
    disabled: bool = False
    tables: list[TableName] | None = None

    @property
    def person(self) -> Person:
        """The person as a table stores it."""
        return Person(id=self.id, role=self.role, pin=self.pin, disabled=self.disabled)


class ListEdition(Struct, frozen=True, order=True):
    version: int = 0
    issued: str = ""


class SignedList(Struct, frozen=True, kw_only=True):
    """A signed staff list.

    Attributes:
        table: ``None``: the floor's own list.
        version: from 1 to `VERSION_MAX`.
        issued: RFC 3339, UTC.
    """

    table: str | None
    version: int
    issued: str
    until: str
    entries: list[ListEntry]

    @property
    def edition(self) -> ListEdition:
        """Version and time of signing."""
        return ListEdition(self.version, self.issued)

    def follows(self, before: "SignedList") -> bool:
        """True if newer, or the same version and people: restored floors reuse versions."""
        if self.version == before.version and self.entries != before.entries:
            return False
        return self.edition > before.edition

    @property
    def persons(self) -> Mapping[str, Person]:
        """Staff by id."""
        return {one.id: one.person for one in self.entries}

    @property
    def text(self) -> str:
        """The signed text."""
        table = msgspec.json.encode(self.table).decode()
        lines = "".join(msgspec.json.encode(one).decode() + "\n" for one in self.entries)
        return f"{_MAGIC}\n{table}\n{self.version} {self.issued} {self.until}\n{lines}"

    def signed(self, key: SigningKey) -> bytes:
        """The note."""
        return sign(self.text, key)

    def for_table(self, table: str) -> Self:
        own = [
            msgspec.structs.replace(one, tables=None)
            for one in self.entries
            if one.disabled or one.tables is None or table in one.tables
        ]
        return msgspec.structs.replace(self, table=table, entries=own)

    @classmethod
    def read(cls, data: bytes, key: VerifyKey, table: str | None) -> Self:
        """Read a list signed by a floor's key; ``table`` ``None``: its own.

        Raises:
            BadNote: no list, another key, or another table.
        """
        if len(data) > LIST_BYTES:
            raise BadNote(f"more than {LIST_BYTES} bytes")
        note = Note(data)
        note.check_only(key)
        found = _TEXT.fullmatch(note.text)
        if found is None:
            raise BadNote("no list of persons")
        name, version, issued, until, lines = found.groups()
        try:
            entries = [_entry.decode(line) for line in lines.splitlines()]
            said = cls(
                table=msgspec.json.decode(name, type=str | None),
                version=int(version),
                issued=issued,
                until=until,
                entries=entries,
            )
            datetime.fromisoformat(issued)
            datetime.fromisoformat(until)
        except (ValueError, msgspec.MsgspecError, RecursionError) as error:
            raise BadNote(f"no list of persons: {error}") from error
        if said.text != note.text:
            raise BadNote("a list of persons in another way than it is written")
        if said.table != table:
            raise BadNote(f"the list of another table, {name[:80]}")
        ids = [one.id for one in entries]
        if ids != sorted(set(ids)):
            raise BadNote("ids that do not follow each other")
        if any(one.disabled is bool(one.pin) or (one.tables is not None and table is not None) for one in entries):
            raise BadNote("a person with a PIN who is disabled, or without one who is not, or of other tables")
        return said


_entry: Final = msgspec.json.Decoder(ListEntry)
