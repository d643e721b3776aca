"""The log of a device's updates: a journal of its own.

Each entry is durable and signed before its act; the table's log is closed meanwhile.
"""

import logging
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Final, Self

import msgspec
from msgspec import Meta, Struct

from cardshoe.journal import UPDATES, Header, Journal, JournalBroken, Keyring, WitnessFailed, read_only
from cardshoe.journal import Entry as Stored
from cardshoe.journal.file.chain import data_of
from cardshoe.journal.witness.targets import WitnessTarget
from firmware_bridge.update.codes import UpdateCode
from firmware_bridge.update.errors import UpdateRefused
from firmware_bridge.update.record import UpdateEntry
from firmware_bridge.update.states import UpdateState, UpdateStep, UpdateTrigger

logger: Final = logging.getLogger(__name__)

SUFFIX: Final = ".updates.journal"
EDITION: Final = "1"


class _UpdateLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="event", tag="update"):
    seq: Annotated[int, Meta(gt=0)]
    device: str
    entry: UpdateEntry


class _Next(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="event", tag="next"):
    seq: int
    state: UpdateState
    do: UpdateStep | None


_decoder: Final = msgspec.json.Decoder(_UpdateLine)


def path_of(folder: Path, device: str) -> Path:
    return folder / f"{device}{SUFFIX}"


class UpdateLog:
    """The log of a device's updates, created with the first entry."""

    def __init__(
        self, path: Path, table_id: str, device: str, at: str, witnesses: Sequence[WitnessTarget] = ()
    ) -> None:
        self.path: Final = path
        self._device: Final = device
        self._journal: Final = Journal.open(path, Keyring(path)) if path.exists() else _begun(path, table_id, at)
        self._witnesses: Final = witnesses
        self._told: Final[set[str]] = set()
        try:
            self.entries: Final[list[UpdateEntry]] = _entries(self._journal.entries())
            self._waiting: Final = [(witness, list(witness.missing(self._journal))) for witness in witnesses]
        except BaseException:
            self._close()
            raise
        for _, notes in self._waiting:
            self._journal.listen(notes.append)
        self._tell()

    @property
    def first_key(self) -> str | None:
        return self._journal.header.key

    def record(self, entry: UpdateEntry) -> None:
        """Store an entry, durable and signed.

        After an error the act must not be done.

        Raises:
            JournalFailed: the disk failed.
        """
        if entry.trigger is UpdateTrigger.STAGE and self.entries:
            self._journal.begin_shoe(entry.at)
        self._journal.append([_data(self._journal.last_seq + 1, self._device, entry)], sign_at=entry.at)
        self.entries.append(entry)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._tell()
        finally:
            self._close()

    def _tell(self) -> None:
        for witness, notes in self._waiting:
            try:
                if notes:
                    witness.append(notes)
                    notes.clear()
            except WitnessFailed as error:
                if str(error) not in self._told:
                    logger.warning("%s", error)
                self._told.add(str(error))

    def _close(self) -> None:
        for witness in self._witnesses:
            witness.close()
        self._journal.close()


def read_log(path: Path) -> Sequence[UpdateEntry]:
    """The entries of a log; its files are not changed.

    Raises:
        JournalError: it cannot be read, or is invalid.
        UpdateRefused: an invalid entry (``record_damaged``).
    """
    if not path.exists():
        return ()
    with read_only(path) as evidence:
        return _entries(evidence.entries())


def followed(path: Path, stored: Iterable[Stored]) -> None:
    """Verify all updates of a log by their rules."""
    from firmware_bridge.update.machine import fault_of  # noqa: PLC0415  each table starts with this module

    before = None
    for one in stored:
        try:
            said = _said(one)
        except UpdateRefused as refused:
            raise JournalBroken(path, one.number, refused.what) from refused
        fault = fault_of(before, said.entry)
        if fault is None and one.data != _data(said.seq, said.device, said.entry):
            fault = (
                "the entry is not written as this program writes it, or the rules of an update do not give its answer"
            )
        if fault is not None:
            raise JournalBroken(path, one.number, fault)
        before = said.entry


def _begun(path: Path, table_id: str, at: str) -> Journal:
    program = f"cardshoe {version('cardshoe')}"
    header = Header(table_id=table_id, game=UPDATES, edition=EDITION, program=program, created_at=at)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Journal.create(path, header, Keyring(path))


def _data(seq: int, device: str, entry: UpdateEntry) -> bytes:
    line = msgspec.json.encode(_UpdateLine(seq=seq, device=device, entry=entry))
    return data_of([line, msgspec.json.encode(_Next(seq=seq + 1, state=entry.state, do=entry.act))])


def _entries(stored: Iterable[Stored]) -> list[UpdateEntry]:
    return [_said(one).entry for one in stored]


def _said(stored: Stored) -> _UpdateLine:
    try:
        return _decoder.decode(stored.lines[0])
    except msgspec.MsgspecError as error:
        what = f"entry {stored.number} is not one of an update: {error}"
        raise UpdateRefused(UpdateCode.RECORD_DAMAGED, what) from error
