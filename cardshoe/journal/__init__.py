"""The journal: a durable, signed, append-only Merkle tree of a table's log.

The only package that imports apsw; `docs/journal.md` defines the format.
"""

from cardshoe.journal.file.chain import Entry, verify_chain
from cardshoe.journal.file.disk_space import DiskSpace, DiskSpaceState
from cardshoe.journal.file.errors import (
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
from cardshoe.journal.file.header import UPDATES, Header
from cardshoe.journal.file.keyring import Keyring
from cardshoe.journal.file.watching import Watch, unwatched
from cardshoe.journal.file.witness_file import NoteSource, WitnessFile
from cardshoe.journal.reading.backups import backup
from cardshoe.journal.reading.read_only import Evidence, read_only
from cardshoe.journal.reading.reader import Checked, Stood
from cardshoe.journal.writing.consistency_steps import ConsistencyStep
from cardshoe.journal.writing.journal import Journal

__all__ = [
    "UPDATES",
    "Checked",
    "ConsistencyStep",
    "DiskSpace",
    "DiskSpaceState",
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
    "KeyMissing",
    "Keyring",
    "LinesRefused",
    "NotAJournal",
    "NotWitnessed",
    "NoteSource",
    "SettingRefused",
    "Stood",
    "Watch",
    "WitnessFailed",
    "WitnessFile",
    "backup",
    "read_only",
    "unwatched",
    "verify_chain",
]
