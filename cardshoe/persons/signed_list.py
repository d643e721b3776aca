"""The floor's signed, versioned staff list for a table.

A signed note (c2sp.org/signed-note): name, table, version, times, a line for each person by id. Each list has one
byte-for-byte form.
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
"""Of a list: some ten thousand persons."""
VERSION_MAX: Final = 999_999_999
"""The highest version of a list."""
KEY_NAME: Final = "cardshoe/persons"
"""With what the name of a key that signs lists begins."""
_MAGIC: Final = "cardshoe/persons"
_TIME: Final = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"
_TEXT: Final = re.compile(
    rf"{_MAGIC}\n([^\n]+)\n([1-9][0-9]{{0,8}}) ({_TIME}) ({_TIME})\n((?:[^\n]+\n)*)", re.ASCII | re.DOTALL
)
TableName = Annotated[str, Meta(min_length=1, max_length=200)]
Id = Annotated[str, Meta(pattern=rf"^{ID.pattern}\Z")]
Kept = Annotated[str, Meta(pattern=r"^(\$argon2id\$v=19\$m=\d{1,7},t=\d{1,2},p=\d{1,2}(\$[A-Za-z0-9+/]{1,100}){2})?\Z")]
"""The hash of a PIN; a disabled person has an empty one. Its memory cost is bounded."""


class ListEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A person on a list; the list is not read if it has a field that this build does not know.

    Attributes:
        pin: its hash, argon2id; empty for a disabled person.
        tables: those at which the person may sign in; ``None``: all.
    """

    id: Id
    role: Role
    pin: Kept = ""
    disabled: bool = False
    tables: list[TableName] | None = None

    @property
    def person(self) -> Person:
        """As a table knows a person."""
        return Person(id=self.id, role=self.role, pin=self.pin, disabled=self.disabled)


class ListEdition(Struct, frozen=True, order=True):
    """Which of two lists is the newer one."""

    version: int = 0
    issued: str = ""


class SignedList(Struct, frozen=True, kw_only=True):
    """A signed list of persons, in the order of their ids.

    Attributes:
        table: the table; ``None`` in the floor's own list.
        version: from 1 to `VERSION_MAX`.
        issued: when it was signed, RFC 3339, UTC.
    """

    table: str | None
    version: int
    issued: str
    until: str
    entries: list[ListEntry]

    @property
    def edition(self) -> ListEdition:
        """Which one it is."""
        return ListEdition(self.version, self.issued)

    def follows(self, before: "SignedList") -> bool:
        """True if it may come after another: it is newer, or has the same version and names the same persons.

        Persons are compared too: a floor restored from a backup reuses versions with other persons.
        """
        if self.version == before.version and self.entries != before.entries:
            return False
        return self.edition > before.edition

    @property
    def persons(self) -> Mapping[str, Person]:
        """Who is known by it, by id."""
        return {one.id: one.person for one in self.entries}

    @property
    def text(self) -> str:
        """The text that is signed."""
        table = msgspec.json.encode(self.table).decode()
        lines = "".join(msgspec.json.encode(one).decode() + "\n" for one in self.entries)
        return f"{_MAGIC}\n{table}\n{self.version} {self.issued} {self.until}\n{lines}"

    def signed(self, key: SigningKey) -> bytes:
        """The note."""
        return sign(self.text, key)

    def for_table(self, table: str) -> Self:
        """The list for one table: its persons who may sign in, and everyone who is disabled, wherever that was."""
        own = [
            msgspec.structs.replace(one, tables=None)
            for one in self.entries
            if one.disabled or one.tables is None or table in one.tables
        ]
        return msgspec.structs.replace(self, table=table, entries=own)

    @classmethod
    def read(cls, data: bytes, key: VerifyKey, table: str | None) -> Self:
        """Read a list that a floor's key has signed for a table; ``None`` for the floor's own list.

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
