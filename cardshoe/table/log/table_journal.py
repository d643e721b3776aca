"""A table's log in its journal: opened or resumed."""

import itertools
import secrets
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, cast

import msgspec
from msgspec import UNSET, UnsetType

from cardshoe.journal import (
    DiskSpaceState,
    Entry,
    Header,
    Journal,
    JournalBroken,
    JournalBusy,
    KeyMissing,
    Keyring,
    NotAJournal,
    read_only,
)
from cardshoe.journal.file.disk_space import BALLAST_BYTES, BEGIN_BYTES, LOW_BYTES, free_space
from cardshoe.journal.file.header import Previous
from cardshoe.journal.proof.statements import origin_of
from cardshoe.journal.writing.signer import JournalSigner
from cardshoe.process.exits import Exit, Stop
from cardshoe.screens.view import LineFold, TableView
from cardshoe.screens.view.encoding import EncodedView
from cardshoe.table.log.journal_names import SUFFIX, newest_journal, stem_of
from cardshoe.table.log.log_before import heard_before, last_round, log_before, replay_before
from cardshoe.table.log.log_builder import LoggedInput, Scribe
from cardshoe.table.log.recovery import resumed
from cardshoe.table.log.replaying import LastEntryFails, replayed
from cardshoe.table.log.sealing import Sealer
from cardshoe.table.log.sealing_keys import FILE_NAME, KeysExist, SealingKeys, find_keys, make_keys, read_keys
from cardshoe.table.log.snapshot import LogSummary, Recovering
from regulations.events.inputs import Table
from regulations.law.edition import RULES_VERSION

MIB = 1024 * 1024


@dataclass(slots=True)
class OpenLog:
    """A continued log; ``recovered``: inputs already in the journal."""

    journal: Journal
    scribe: Scribe
    last: LoggedInput
    recovered: int
    past: LogSummary
    keys: SealingKeys
    following: "Beginning"
    replayed: int = 0

    @property
    def loaded_by(self) -> str | None:
        return self.past.loaded_by

    @property
    def may_end(self) -> bool:
        is_complete = self.journal.shoe_start > 1 and self.scribe.procedure.is_complete
        return is_complete and self.following.has_room

    def go_over(self, at: str) -> Journal:
        """Continue in a new log; return the old journal, which the caller closes."""
        ended = self.journal
        begun = self.following.begin(at, _named(ended, self.scribe.procedure.last_round))
        self.journal, self.scribe, self.last, self.past = begun.journal, begun.scribe, begun.last, begun.past
        self.keys, self.recovered, self.replayed = begun.keys, 0, 0
        return ended

    @property
    def view(self) -> EncodedView | None:
        """The table for viewers, in the table's thread; ``None``: no view."""
        return self.past.encoded()

    @property
    def entered(self) -> int:
        """Cards of the stack entered by a person."""
        return self.past.entered


def open_log(
    folder: Path,
    table: Table,
    at: str,
    on_replayed: Callable[[LoggedInput], None],
    *,
    bridges: Sequence[Recovering] = (),
    resume: bool = True,
    sealing_key: Path | None = None,
) -> OpenLog:
    """Continue the table's open log, or begin a new one.

    An unusable newest journal raises and is never skipped.

    Raises:
        JournalError: the newest journal cannot be used.
        Stop: another profile, no folder, or no room.
        SealingKeyMissing: a sealing key is missing.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Stop(
            f"{folder}: {error.strerror}",
            "Name a folder that can be written ([journal], or --journals).",
            Exit.USAGE,
        ) from error
    ended: Ended | None = None
    following = Beginning(folder, table, bridges, find_keys(sealing_key, folder))
    newest = newest_journal(folder, table.table_id) if resume else None
    if newest is not None:
        try:
            log = _restored(newest, on_replayed, following)
        except (JournalBroken, KeyMissing, NotAJournal) as error:
            if isinstance(error, LastEntryFails):
                error.advise(
                    "It is the last entry: two people may pass over it with `cardshoe journal pass-over TABLE.toml "
                    "--by ID --by ID` (docs/when-the-journal-stops.md)."
                )
            error.advise(
                f"For the table to begin a new journal meanwhile: move {newest.name}, and every file whose name begins "
                f"so, out of {folder}."
            )
            raise
        if isinstance(log, OpenLog):
            return log
        ended = log
    return following.begin(at, ended)


def check_room_at_start(folder: Path, table_id: str) -> None:
    """Check for room, for a table without a log."""
    if newest_journal(folder, table_id) is None:
        _check_room_to_begin(folder)


def check_room_to_resume(log: OpenLog) -> None:
    """Check for room, for a continued log between rounds."""
    if not log.recovered or log.scribe.procedure.is_mid_round:
        return
    room = log.journal.room()
    if room.state is not DiskSpaceState.ENOUGH:
        needed = (LOW_BYTES + BALLAST_BYTES, "to open a round")
        raise _no_room(log.journal.path.parent, room.free_bytes, *needed, "The log stays as it was, open.")


def _check_room_to_begin(folder: Path) -> None:
    there = next(one for one in (folder, *folder.absolute().parents) if one.is_dir())
    free_bytes = free_space(there)
    if free_bytes < BEGIN_BYTES:
        raise _no_room(folder, free_bytes, BEGIN_BYTES, "to begin a log", "Nothing was created.")


def _no_room(folder: Path, free_bytes: int, needed: int, what_for: str, state: str) -> Stop:
    return Stop(
        f"{folder}: {free_bytes // MIB} MiB are free, and a table needs {needed // MIB} MiB {what_for}",
        f"{state} Move closed journals or other files away from that disk, or name a folder on another one, then start "
        "again.",
        Exit.JOURNAL,
    )


class Ended(NamedTuple):
    previous: Previous
    rounds: int
    signer: JournalSigner


@dataclass(frozen=True, slots=True)
class Beginning:
    folder: Path
    table: Table
    bridges: Sequence[Recovering]
    key_file: Path

    @property
    def has_room(self) -> bool:
        return free_space(self.folder) >= BEGIN_BYTES

    def begin(self, at: str, ended: Ended | None) -> OpenLog:
        """Begin a log after ``ended``; ``None``: the first.

        Raises:
            Stop, JournalError: as `open_log`.
        """
        folder, table = self.folder, self.table
        _check_room_to_begin(folder)
        keys = _keys(self.key_file, folder, is_new=True)
        # No name for the journal but its own: what is sealed is bound to it before there is a file.
        journal_id = secrets.token_hex(16)
        profile = _profile_of(table, at, 0 if ended is None else ended.rounds)
        scribe = Scribe(profile, sealer=Sealer(keys, origin_of(journal_id)))
        header = header_of(table, scribe, at, journal_id)
        if ended is not None:
            header = msgspec.structs.replace(header, previous=ended.previous)
        path = _path_of_next(folder, table.table_id, at)
        journal = Journal.create(path, header, Keyring(path), None if ended is None else ended.signer)
        for bridge in self.bridges:
            bridge.log_begun()
        return self.opened(journal, scribe, keys)

    def opened(self, journal: Journal, scribe: Scribe, keys: SealingKeys) -> OpenLog:
        """Write the first entry of a log."""
        opening = scribe.opening
        journal.append([opening.entry])
        past = LogSummary(self.bridges, TableView(log=journal.header.fingerprint))
        past.take(opening)
        return OpenLog(journal, scribe, opening, 0, past, keys, self)


def _profile_of(table: Table, at: str, rounds: int) -> Table:
    return msgspec.structs.replace(table, at=at, rounds=rounds or UNSET)


def _path_of_next(folder: Path, table_id: str, at: str) -> Path:
    moment = _digits(at)
    newest = newest_journal(folder, table_id)
    if newest is not None:
        # Where the clock was set back, a name by the clock alone would leave a closed log the newest.
        moment = max(moment, _digits(newest.name.removeprefix(stem_of(table_id))) + 1)
    text = f"{moment:020}"
    return folder / f"{stem_of(table_id)}-{text[:8]}T{text[8:14]}-{text[14:]}Z{SUFFIX}"


def _digits(moment: str) -> int:
    return int("".join(filter(str.isdigit, moment)))


def why_open(folder: Path, table_id: str) -> str | None:
    """The evidence that a table is not closed; ``None``: closed, or never open."""
    path = newest_journal(folder, table_id)
    if path is None:
        return None
    try:
        with read_only(path) as evidence:
            do = _last_prompt(evidence.entries()) or "nothing"
    except JournalBusy as busy:
        return f"{path} is {busy.problem}"
    return None if do == "nothing" else f"{path} is not closed: its last prompt is {do}"


class _Prompt(msgspec.Struct, frozen=True):
    do: str = ""


def _last_prompt(entries: Iterable[Entry]) -> str:
    last = next(iter(deque((one for one in entries if not one.passes_over), maxlen=1)), None)
    return "" if last is None else msgspec.json.decode(last.lines[-1], type=_Prompt).do


def header_of(table: Table, scribe: Scribe, at: str, journal_id: str, imported: str | UnsetType = UNSET) -> Header:
    options = scribe.opening.prompt.options
    return Header(
        table_id=table.table_id,
        game=table.game,
        edition=scribe.procedure.edition,
        options={} if options is UNSET else options,
        program=f"cardshoe {version('cardshoe')}",
        created_at=at,
        journal_id=journal_id,
        imported=imported,
        rules=RULES_VERSION,
    )


def _restored(path: Path, on_replayed: Callable[[LoggedInput], None], following: Beginning) -> OpenLog | Ended:
    bridges = following.bridges
    journal = Journal.open(path, Keyring(path))
    past = LogSummary(bridges, TableView(log=journal.header.fingerprint))
    try:
        if journal.header.rules != RULES_VERSION:
            _check_closed(journal)
            return _ended(journal, last_round(journal.entries()))
        keys = _keys(following.key_file, path.parent, is_new=not journal.last_seq)
        sealer = Sealer(keys, journal.origin)
        stood = resumed(journal, past, bridges, sealer, partial(heard_before, path, journal.header, keys))
        if stood is None:
            replay_before(path, journal.header, keys, bridges, on_replayed)
        elif past.view is not None and not past.view.seq:
            fold_again(past.view, journal.entries(), stood.first)
        stands = None if stood is None else (stood.scribe, stood.last)
        entries = journal.entries(1 if stood is None else stood.first)
        before = past.inputs
        for stands in replayed(path, entries, sealer, None if stood is None else stood.scribe):
            on_replayed(stands[1])
            past.note(stands[1])
        if stands is not None and stands[0].procedure.is_closed:
            return _ended(journal, stands[0].procedure.last_round)
        if stands is not None:
            _check_same_profile(path, past.profile, following.table)
            return OpenLog(journal, *stands, past.inputs, past, keys, following, past.inputs - before)
        # The header alone: the table was stopped before its first line was durable.
        profile = _profile_of(following.table, journal.header.created_at, _rounds_before(path, journal.header))
        return following.opened(journal, Scribe(profile, sealer=sealer), keys)
    except BaseException:
        journal.close()
        raise


def _ended(journal: Journal, rounds: int) -> Ended:
    ended = _named(journal, rounds)
    journal.close()
    return ended


def _named(journal: Journal, rounds: int) -> Ended:
    signer = cast("JournalSigner", journal.signer)  # a table's journal has one
    log, root = journal.header.fingerprint, journal.root.hex()
    return Ended(Previous(log=log, size=journal.last + 1, root=root, key=str(signer.public)), rounds, signer)


def _rounds_before(path: Path, header: Header) -> int:
    if header.previous is UNSET:
        return 0
    with log_before(path, header) as evidence:
        if evidence is None:
            raise Stop(
                f"{path}: the log before it, {header.previous.log}, is not in {path.parent}: the number of the last "
                "round is not known",
                "Put its files back, then start again.",
                Exit.JOURNAL,
            )
        return last_round(evidence.entries())


def fold_again(view: TableView, entries: Iterable[Entry], end: int) -> None:
    fold = LineFold(view)
    for entry in itertools.takewhile(lambda entry: entry.number < end, entries):
        fold.take(entry.lines)


def _check_closed(journal: Journal) -> None:
    stop = of_other_rules(journal.path, journal.header, journal.entries(journal.shoe_start))
    if stop is not None:
        raise stop


def of_other_rules(path: Path, header: Header, entries: Iterable[Entry]) -> Stop | None:
    """Why a table cannot continue a log; ``None``: same rules, or closed."""
    if header.rules == RULES_VERSION or _last_prompt(entries) == "nothing":
        return None
    return Stop(
        f"{path}: {header.program} began this log with version {header.rules} of the rules, and this is version "
        f"{RULES_VERSION}: the same inputs may have other outputs",
        "Close it with the version that began it: start the table with that, close it between two rounds, then start "
        "it with this one, which begins a new log. The old log can be verified as before.",
        Exit.JOURNAL,
    )


def _keys(path: Path, folder: Path, *, is_new: bool) -> SealingKeys:
    keys = read_keys(path)
    if not keys.ids and is_new and path == folder / FILE_NAME:
        try:
            return make_keys(path)
        except KeysExist:
            # Another table of this folder was faster, whenever that was: its keys are this one's too.
            keys = read_keys(path)
    if not keys.ids:
        raise Stop(
            f"{path}: the table's sealing key is not there",
            f"Put it back. For a table that has none yet: cardshoe key new {path}. If it is lost: a log whose hidden "
            "cards it sealed cannot continue (docs/journal.md).",
            Exit.USAGE,
        )
    return keys


def _check_same_profile(path: Path, first: Table | None, table: Table) -> None:
    if first is not None and _profile(first) != _profile(table):
        raise Stop(
            f"{path}: this log is open with another profile than the configuration has",
            "Options never change inside a log (reading G4): start with the old configuration, close the table "
            "between two rounds, then start with the new one.",
            Exit.USAGE,
        )


def _profile(table: Table) -> Table:
    nothing: dict[str, Any] = dict.fromkeys(("at", "seq", "round", "rounds", "article", "origin"), UNSET)
    return msgspec.structs.replace(table, **nothing)
