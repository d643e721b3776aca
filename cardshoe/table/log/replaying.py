"""Replay a log's inputs and compare outputs, entry by entry."""

from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path

import msgspec
from msgspec import UNSET

from cardshoe.journal import Entry, JournalBroken
from cardshoe.journal.file.passed_over import PassedOver
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.log.log_builder import LoggedInput, Scribe
from cardshoe.table.log.sealing import CannotOpen, Sealer
from regulations.events.codec import decode_input, encode
from regulations.events.errors import MalformedLine, RegulationsError
from regulations.events.inputs import AnyInput, Table


class SealingKeyMissing(Stop):
    """The sealing key of a face-down card is missing."""

    def __init__(self, path: Path, seq: int, key_id: str, held: list[str]) -> None:
        super().__init__(
            f"{path}: entry {seq} is sealed with the key {key_id}, which is not here (there are "
            f"{', '.join(held) or 'none'})",
            "Name the file with the table's keys: [journal] sealing_key, or --sealing-key. Tree and signatures can be "
            "verified without it. If the key is lost, the open shoe game cannot continue: docs/journal.md.",
            Exit.JOURNAL,
        )
        self.path = path
        self.seq = seq
        self.key_id = key_id
        self.held = held


class LastEntryFails(JournalBroken):
    """The last input replays to other lines, or none."""

    def __init__(self, path: Path, error: JournalBroken, failing: Entry, scribe: Scribe) -> None:
        super().__init__(path, error.entry, error.reason, error.proved)
        self.failing = failing
        self.scribe = scribe


def replayed(
    path: Path, entries: Iterable[Entry], sealer: Sealer | None = None, scribe: Scribe | None = None
) -> Iterator[tuple[Scribe, LoggedInput]]:
    """Replay a journal's inputs and compare outputs, entry by entry.

    A passed-over input counts as refused; a processable one must not be passed over.

    Raises:
        SealingKeyMissing: a sealing key is missing.
        LastEntryFails: the last input replays to other lines.
        JournalBroken: an earlier input does.
    """
    failed: LastEntryFails | None = None
    for entry in entries:
        if entry.passes_over and scribe is not None:
            yield scribe, _passed_over(path, entry, failed, scribe)
            failed = None
            continue
        if failed is not None:
            raise JournalBroken(path, failed.entry, failed.reason)
        before = scribe
        try:
            scribe, taken = _taken(path, scribe, entry, sealer)
            _compare_lines(path, entry, taken)
        except SealingKeyMissing:
            raise
        except JournalBroken as error:
            if before is None:
                raise
            before.forget_last(_number(entry))
            failed = LastEntryFails(path, error, entry, before)
            continue
        yield scribe, taken
    if failed is not None:
        raise failed


def _number(entry: Entry) -> int:
    return msgspec.json.decode(entry.lines[0], type=_FirstLine).seq


class _FirstLine(msgspec.Struct):
    seq: int


def _passed_over(path: Path, entry: Entry, failed: LastEntryFails | None, scribe: Scribe) -> LoggedInput:
    said = PassedOver.read(entry.lines[0])
    if failed is None:
        raise JournalBroken(path, entry.number, f"it passes over entry {said.entry}, which can be processed")
    return scribe.without(failed.failing.lines, said.seq, said.at)


def _compare_lines(path: Path, entry: Entry, taken: LoggedInput) -> None:
    if entry.data == taken.entry:
        return
    found = entry.lines
    if found[0] != taken.lines[0]:
        raise JournalBroken(path, entry.number, "the input is not written as this program writes it")
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(found, taken.lines, strict=False)))
    seq = _number(entry) + same
    raise JournalBroken(path, entry.number, f"the regulation does not give line {seq} for this input")


def _taken(path: Path, scribe: Scribe | None, entry: Entry, sealer: Sealer | None) -> tuple[Scribe, LoggedInput]:
    event = _input_of(path, entry)
    try:
        if scribe is not None:
            return scribe, scribe.take_again(event)
        if not isinstance(event, Table):
            raise JournalBroken(path, entry.number, "the first input is not a `table` event")
        scribe = Scribe(event, sealer=sealer)
    except CannotOpen as error:
        raise _cannot_open(path, entry.number, error) from error
    except RegulationsError as error:
        raise JournalBroken(path, entry.number, str(error)) from error
    return scribe, scribe.opening


def _input_of(path: Path, entry: Entry) -> AnyInput:
    try:
        return decode_input(entry.lines[0])
    except MalformedLine as error:
        raise JournalBroken(path, entry.number, f"not an input of the table log: {error}") from error


def opened_lines(path: Path, entry: Entry, sealer: Sealer) -> list[bytes]:
    if entry.passes_over:
        return entry.lines
    event, opened = opened_input(path, entry, sealer)
    return entry.lines if event.sealed is UNSET else [encode(opened), *entry.lines[1:]]


def opened_input(path: Path, entry: Entry, sealer: Sealer) -> tuple[AnyInput, AnyInput]:
    event = _input_of(path, entry)
    try:
        return event, event if event.sealed is UNSET else sealer.open(event)
    except CannotOpen as error:
        raise _cannot_open(path, entry.number, error) from error


def _cannot_open(path: Path, seq: int, error: CannotOpen) -> SealingKeyMissing | JournalBroken:
    if error.is_lost:
        return SealingKeyMissing(path, seq, error.key_id, error.held)
    return JournalBroken(path, seq, error.reason)
