"""Inputs with a key: applied once within a day; repeats receive the first answer.

Also after a restart, and over a change of log.
"""

import logging
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

import msgspec
from msgspec import UNSET

from cardshoe.journal import Entry, JournalError
from cardshoe.table.log.log_before import log_before
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.sealing import CannotOpen, Sealer
from cardshoe.table.log.table_journal import OpenLog
from regulations.events.codec import decode_input, encode
from regulations.events.inputs import AnyInput

KEPT: Final = timedelta(hours=24)
_MARK: Final = b'"key":"'
logger: Final = logging.getLogger(__name__)


class Earlier(msgspec.Struct, frozen=True):
    lines: Sequence[bytes]
    is_other: bool


class _Known(msgspec.Struct, frozen=True):
    at: str
    opened: bytes
    lines: Sequence[bytes]


class _Readable(Protocol):
    @property
    def last(self) -> int:
        """Number of the last entry."""

    def entries(self, first: int = 1) -> Iterator[Entry]:
        """The entries from a number on."""


class KeyedInputs:
    """The keys of a table's last day, in the table's thread alone."""

    def __init__(self, log: OpenLog) -> None:
        self._known: Final[OrderedDict[str, _Known]] = OrderedDict()
        for key, known in _entries(log, _day_before(_time(log.last.event))):
            self._known[key] = known

    def find(self, event: AnyInput, now: str) -> Earlier | None:
        """The lines of a key's first input; ``None``: new key."""
        if event.key is UNSET:
            return None
        self._forget(_day_before(now))
        found = self._known.get(event.key)
        if found is None:
            return None
        return Earlier(found.lines, _bare(event) != _bare(decode_input(found.opened)))

    def note(self, taken: LoggedInput) -> None:
        """Record an accepted input with its key."""
        if taken.opened.key is not UNSET:
            self._known[taken.opened.key] = _Known(_time(taken.opened), encode(taken.opened), taken.lines)

    def _forget(self, since: str) -> None:
        while self._known and next(iter(self._known.values())).at < since:
            self._known.popitem(last=False)


def _entries(log: OpenLog, since: str) -> Iterator[tuple[str, _Known]]:
    path, header = log.journal.path, log.journal.header
    logs = [list(_keyed(log.journal, Sealer(log.keys, header.origin), since))]
    try:
        while header.created_at > since:
            with log_before(path, header) as evidence:
                if evidence is None:
                    break
                path, header = evidence.path, evidence.header
                logs.append(list(_keyed(evidence, Sealer(log.keys, header.origin), since)))
    except JournalError as error:
        logger.warning("%s An input that is sent again, and was taken in that log, would be taken twice", error)
    for one in reversed(logs):
        yield from one


def _keyed(journal: _Readable, sealer: Sealer, since: str) -> Iterator[tuple[str, _Known]]:
    for entry in journal.entries(_first_since(journal, since)):
        if _MARK in entry.lines[0]:
            event = _opened(decode_input(entry.lines[0]), sealer)
            if event.key is not UNSET:
                yield event.key, _Known(_time(event), encode(event), entry.lines)


def _first_since(journal: _Readable, since: str) -> int:
    low, high = 1, max(1, journal.last)
    while low < high:
        middle = (low + high) // 2
        at = _times.decode(next(journal.entries(middle)).lines[0]).at
        low, high = (middle + 1, high) if at < since else (low, middle)
    return low


class _Time(msgspec.Struct):
    at: str = ""


_times: Final = msgspec.json.Decoder(_Time)


def _day_before(now: str) -> str:
    day = datetime.fromisoformat(now).astimezone(UTC) - KEPT
    return day.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _time(event: AnyInput) -> str:
    return event.at if isinstance(event.at, str) else ""


def _opened(event: AnyInput, sealer: Sealer) -> AnyInput:
    try:
        return event if event.sealed is UNSET else sealer.open(event)
    except CannotOpen:
        return event  # it equals nothing that anybody says: the key is taken


def _bare(event: AnyInput) -> AnyInput:
    return msgspec.structs.replace(event, seq=UNSET, at=UNSET, round=UNSET, article=UNSET, origin=UNSET, key=UNSET)
