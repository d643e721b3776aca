"""Stored entries and proofs for clients of the live socket.

The running log is read in the table's thread, a few rows at a time; closed ones in place.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import UNSET, Raw

from cardshoe.journal import Entry, Header, JournalError
from cardshoe.journal.proof.entry_proof import EntryProof, Unproved
from cardshoe.journal.proof.note import BadNote
from cardshoe.journal.reading.marked import marked
from cardshoe.journal.witness.tasks import Task
from cardshoe.table.live import messages as says
from cardshoe.table.live.request_handler import Table
from cardshoe.table.log.journal_names import journals_of
from cardshoe.table.log.table_journal import OpenLog

ENTRIES: Final = 64
BYTES: Final = 512 * 1024
ROUND_ENTRIES: Final = 512
NO_LOG: Final = "this table has no such log, or not here any more"
OTHER_LOG: Final = "the table has begun another log"
Told = says.SaidHistory | says.SaidProof | EntryProof
"""Proofs are verified where they are sent, not in the table's thread."""
Answered = Callable[[Told], None]
_FAILED: Final = (JournalError, Unproved, BadNote, ValueError)


class StoredLogs:
    """Reads the journals of a table."""

    def __init__(self, log: OpenLog, table: Table) -> None:
        self._of: Final = log
        self._table: Final = table
        self._folder: Final = log.journal.path.parent
        self._table_id: Final = log.journal.header.table_id
        self._headers: Final[dict[Path, Header]] = {}

    def take(self, request: says.Reading, running: str, answer: Answered) -> None:
        """Answer a request once, in this thread or the table's."""
        if request.log in (None, running):
            task = Task(partial(self._of_running, request))
            task.add_done_callback(lambda done: answer(done.result()))
            self._table.have_done(task)
        else:
            answer(self._of_closed(request, request.log or ""))

    def _of_running(self, request: says.Reading) -> Told:
        journal = self._of.journal
        if request.log not in (None, journal.header.fingerprint):
            return _fault(request, OTHER_LOG)
        try:
            match request:
                case says.AskHistory():
                    entries = journal.stored(request.first, request.first + ENTRIES - 1)
                    return _history(request, journal.header, journal.last, entries)
                case says.AskProof():
                    _check_length(request)
                    return journal.prove(request.first, request.last, request.round)
        except _FAILED as error:
            return _fault(request, str(error))

    def _of_closed(self, request: says.Reading, log: str) -> Told:
        try:
            if (path := self._path_of(log)) is None:
                return _fault(request, NO_LOG)
            with marked(path) as found:
                match request:
                    case says.AskHistory():
                        last = min(found.last, request.first + ENTRIES - 1)
                        head = [found.genesis] if request.first == 0 else []
                        entries = [*head, *found.between(max(1, request.first), last)]
                        return _history(request, found.header, found.last, entries)
                    case says.AskProof():
                        _check_length(request)
                        return found.prove(request.first, request.last, request.round)
        except _FAILED as error:
            return _fault(request, str(error))

    def _path_of(self, log: str) -> Path | None:
        running, unread = self._of.journal.path.name, None
        for path in reversed(journals_of(self._folder, self._table_id)):
            if path.name >= running:  # a newer one is being made
                continue
            try:
                if path not in self._headers:
                    with marked(path) as found:
                        self._headers[path] = found.header
            except JournalError as error:
                unread = error
                continue
            if self._headers[path].fingerprint == log:
                return path
        if unread is not None:
            raise unread
        return None


def _check_length(request: says.AskProof) -> None:
    if request.last - request.first >= ROUND_ENTRIES:
        raise ValueError(f"more than {ROUND_ENTRIES} entries")


def _history(request: says.AskHistory, header: Header, last: int, entries: Sequence[Entry]) -> says.SaidHistory:
    told: list[says.StoredEntry] = []
    left = BYTES
    for one in entries:
        left -= len(one.data)
        if left < 0 and told:
            break
        told.append(says.StoredEntry(entry=one.number, lines=list(map(Raw, one.lines))))
    before = "" if header.previous is UNSET else header.previous.log
    return says.SaidHistory(id=request.id, log=header.fingerprint, last=last, before=before, entries=told)


def _fault(request: says.Reading, reason: str) -> Told:
    if isinstance(request, says.AskHistory):
        return says.SaidHistory(id=request.id, log=request.log or "", fault=reason)
    return says.SaidProof(id=request.id, fault=reason)
