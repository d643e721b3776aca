"""The journal: an append-only file of the table's log, durable, a Merkle tree, signed. The only package that uses apsw.

`Journal` writes, `read_only` reads without touching; `docs/journal.md` describes the file so that others can read it.
"""

from table.journal.backups import backup
from table.journal.chain import Entry, Kind, verify_chain
from table.journal.errors import (
    JournalArchived,
    JournalBroken,
    JournalBusy,
    JournalError,
    JournalExists,
    JournalFailed,
    JournalFull,
    JournalMissing,
    KeyMissing,
    LinesRefused,
    NotAJournal,
    NotWitnessed,
    SettingRefused,
    WitnessFailed,
)
from table.journal.evidence import Evidence, read_only
from table.journal.growth import Step
from table.journal.header import UPDATES, Header
from table.journal.journal import Journal
from table.journal.keyring import Keyring
from table.journal.reader import Checked, Stood
from table.journal.room import Room, RoomState
from table.journal.watching import Watch, unwatched
from table.journal.witness_file import NoteSource, WitnessFile

__all__ = [
    "UPDATES",
    "Checked",
    "Entry",
    "Evidence",
    "Header",
    "Journal",
    "JournalArchived",
    "JournalBroken",
    "JournalBusy",
    "JournalError",
    "JournalExists",
    "JournalFailed",
    "JournalFull",
    "JournalMissing",
    "KeyMissing",
    "Keyring",
    "Kind",
    "LinesRefused",
    "NotAJournal",
    "NotWitnessed",
    "NoteSource",
    "Room",
    "RoomState",
    "SettingRefused",
    "Step",
    "Stood",
    "Watch",
    "WitnessFailed",
    "WitnessFile",
    "backup",
    "read_only",
    "unwatched",
    "verify_chain",
]
