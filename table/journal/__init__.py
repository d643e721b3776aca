"""The journal: an append-only file of the table's log, durable and chained. The only package that uses apsw.

`Journal` writes, `read_only` reads without touching; `docs/journal.md` describes the file so that others can read it.
"""

from table.journal.chain import Entry, Kind, verify_chain
from table.journal.errors import (
    JournalBroken,
    JournalBusy,
    JournalError,
    JournalExists,
    JournalFailed,
    JournalFull,
    JournalMissing,
    LinesRefused,
    NotAJournal,
    SettingRefused,
)
from table.journal.evidence import Evidence, read_only
from table.journal.header import Header
from table.journal.journal import Journal
from table.journal.room import Room, RoomState

__all__ = [
    "Entry",
    "Evidence",
    "Header",
    "Journal",
    "JournalBroken",
    "JournalBusy",
    "JournalError",
    "JournalExists",
    "JournalFailed",
    "JournalFull",
    "JournalMissing",
    "Kind",
    "LinesRefused",
    "NotAJournal",
    "Room",
    "RoomState",
    "SettingRefused",
    "read_only",
    "verify_chain",
]
