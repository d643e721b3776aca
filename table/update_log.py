"""The log of a device's updates: a journal of its own, for the table's is closed while a device is updated.

Each entry of the update (``firmware_bridge.update.record``) is an input, followed by a ``next`` that says what is done
then; both are durable and signed before it is. An update has a key of its own, as a shoe game has.
"""

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Final, Self

import msgspec
from msgspec import Meta, Struct

from firmware_bridge.update.codes import UpdateCode
from firmware_bridge.update.errors import UpdateRefused
from firmware_bridge.update.record import Entry
from firmware_bridge.update.states import Act, State, Trigger
from table.journal import Entry as Stored
from table.journal import Header, Journal, JournalBusy, Keyring, read_only
from table.table_journal import newest_journal

SUFFIX: Final = ".updates.journal"
GAME: Final = "firmware_update"
"""What stands in the header where a table's log has its game."""
EDITION: Final = "1"


class _Line(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="event", tag="update"):
    seq: Annotated[int, Meta(gt=0)]
    device: str
    entry: Entry


class _Next(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="event", tag="next"):
    seq: int
    state: State
    do: Act | None


_decoder: Final = msgspec.json.Decoder(_Line)


def path_of(folder: Path, device: str) -> Path:
    """Where the log of a device's updates lies.

    Args:
        folder: of the journals.
        device: its name in the configuration.
    """
    return folder / f"{device}{SUFFIX}"


class UpdateLog:
    """The log of a device's updates, open for writing; made with the first entry. Use in a ``with`` block.

    Args:
        path: the file.
        table_id: the table.
        device: the device's name.
        at: now, RFC 3339, UTC.

    Raises:
        JournalError: it cannot be used; another process has it open, perhaps.
        UpdateRefused: it holds what is no entry (``record_damaged``).

    Attributes:
        entries: what it holds, of all updates.
    """

    def __init__(self, path: Path, table_id: str, device: str, at: str) -> None:
        self.path: Final = path
        self._device: Final = device
        self._journal: Final = Journal.open(path, Keyring(path)) if path.exists() else _begun(path, table_id, at)
        try:
            self.entries: Final[list[Entry]] = _entries(self._journal.entries())
        except BaseException:
            self._journal.close()
            raise

    @property
    def first_key(self) -> str | None:
        """The key with which its signatures begin, to be noted elsewhere."""
        return self._journal.header.key

    def record(self, entry: Entry) -> None:
        """Keep an entry; durable and signed when this returns.

        Raises:
            JournalFailed: the disk failed; the log is of no further use, and nothing may be done.
        """
        if entry.trigger is Trigger.STAGE and self.entries:
            self._journal.begin_shoe(entry.at)
        seq = self._journal.last_seq + 1
        line = msgspec.json.encode(_Line(seq=seq, device=self._device, entry=entry))
        following = msgspec.json.encode(_Next(seq=seq + 1, state=entry.state, do=entry.act))
        self._journal.append([("input", line), ("output", following)], sign_at=entry.at)
        self.entries.append(entry)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.close()


def read_log(path: Path) -> Sequence[Entry]:
    """The entries of a log, read without touching it; none if there is no log.

    Raises:
        JournalError: it cannot be read, or does not hold.
        UpdateRefused: it holds what is no entry.
    """
    if not path.exists():
        return ()
    with read_only(path) as evidence:
        return _entries(evidence.entries())


def why_open(folder: Path, table_id: str) -> str | None:
    """What shows that a table is not closed; ``None``: it is, or never was open.

    Args:
        folder: of its journals.
        table_id: the table.

    Raises:
        JournalError: its newest journal cannot be read; then nobody knows.
    """
    path = newest_journal(folder, table_id)
    if path is None:
        return None
    last = b""
    try:
        with read_only(path) as evidence:
            for stored in evidence.entries():
                last = stored.line
    except JournalBusy as busy:
        return f"{path} is in use: {busy.problem}"
    do = msgspec.json.decode(last, type=_Prompt).do if last else "nothing"
    return None if do == "nothing" else f"{path} is not closed: its last prompt is {do}"


class _Prompt(Struct, frozen=True):
    do: str = ""


def _begun(path: Path, table_id: str, at: str) -> Journal:
    program = f"cardshoe {version('cardshoe')}"
    header = Header(table_id=table_id, game=GAME, edition=EDITION, program=program, created_at=at)
    path.parent.mkdir(parents=True, exist_ok=True)
    return Journal.create(path, header, Keyring(path))


def _entries(stored: Iterator[Stored]) -> list[Entry]:
    return [_entry(one) for one in stored if one.kind == "input"]


def _entry(stored: Stored) -> Entry:
    try:
        return _decoder.decode(stored.line).entry
    except msgspec.MsgspecError as error:
        what = f"line {stored.seq} is no entry of an update: {error}"
        raise UpdateRefused(UpdateCode.RECORD_DAMAGED, what) from error
