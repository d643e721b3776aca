"""``cardshoe journal import``: a table log becomes a journal with new keys.

Inputs are replayed, recorded outputs must match; after an error no journal remains.
"""

import hashlib
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import UNSET

from cardshoe.journal import Journal, Keyring, Watch, unwatched
from cardshoe.journal.file.atomic_files import check_free, passing_folder, place_with_key
from cardshoe.journal.file.passed_over import EVENT as PASSED_OVER
from cardshoe.journal.proof.statements import origin_of
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.plain_file import open_plain
from cardshoe.table.log.log_builder import LoggedInput, Scribe
from cardshoe.table.log.sealing import Sealer
from cardshoe.table.log.sealing_keys import SealingKeys
from cardshoe.table.log.signing import is_momentous
from cardshoe.table.log.snapshot import LogSummary, begins_shoe
from cardshoe.table.log.table_journal import header_of
from regulations.events.codec import EPOCH, OUTPUT_NAMES, decode_input
from regulations.events.errors import MalformedLine, WrongOrigin
from regulations.events.inputs import AnyInput, Table
from regulations.events.line import DeviceReport
from regulations.events.origins import check_origin

Line = dict[str, Any]


class _Message(msgspec.Struct):
    event: str
    device: str = ""
    boot: int = 0
    number: int = 0


_decode_message: Final = msgspec.json.Decoder(_Message).decode
_decode: Final = msgspec.json.Decoder(Line).decode


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    entries: int
    lines: int
    compared: int
    first_key: str


def import_log(
    log: Path, target: Path, keys: SealingKeys, at: str, table_id: str | None = None, watch: Watch = unwatched
) -> Imported:
    """Make a journal of a table log, which begins with a ``table`` event.

    Raises:
        Stop: the log cannot be read, or a line is refused.
        JournalError: the target exists or cannot be written.
    """
    check_free(target)
    try:
        with open_plain(log) as file:
            data = file.read()
    except OSError as error:
        raise Stop(f"{log}: {error.strerror}", "Check the name of the log.", Exit.USAGE) from error
    lines = _Lines(log, data.splitlines(), watch)
    with passing_folder(target, "importing") as folder:
        passing = folder / target.name
        done = _written(lines, passing, keys, at, hashlib.sha256(data).hexdigest(), table_id)
        place_with_key(passing, target)
    return done


class _Lines:
    def __init__(self, log: Path, lines: Sequence[bytes], watch: Watch) -> None:
        self._log = log
        cards = Counter(one for line in lines if (one := _message_of(line)) and one[2])
        self._packets = frozenset(one for one, count in cards.items() if count > 1)
        self._lines = enumerate(watch("import", lines, len(lines)), start=1)
        self._at = EPOCH
        self.number = 0

    def __iter__(self) -> Iterator[tuple[bytes, Line]]:
        for number, raw in self._lines:
            self.number = number
            line = raw.strip()
            if line:
                try:
                    yield line, _decode(line)
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                    raise self.refused("$", f"not a JSON object: {error}") from error

    def input_of(self, line: bytes) -> AnyInput:
        try:
            event = decode_input(line)
            check_origin(event)
        except (MalformedLine, WrongOrigin) as error:
            raise self.refused(error.field, error.reason) from error
        if event.sealed is not UNSET:
            raise self.refused(
                "$.sealed",
                "a card that is sealed for the journal it comes from; import what `cardshoe log --open` prints",
            )
        if not isinstance(event.at, str):
            return msgspec.structs.replace(event, at=self._at)
        self._at = event.at
        return event

    def is_of_packet(self, event: AnyInput) -> bool:
        return isinstance(event, DeviceReport) and (event.device, event.boot, event.number) in self._packets

    def refused(self, field: str, reason: str) -> Stop:
        return Stop(
            f"{self._log}, line {self.number}, {field}: {reason}", "Nothing was imported. Correct the log.", Exit.USAGE
        )


def _message_of(line: bytes) -> tuple[str, int, int] | None:
    try:
        found = _decode_message(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None  # it is refused when it is read
    return (found.device, found.boot, found.number) if found.event == "card" else None


def _written(lines: _Lines, path: Path, keys: SealingKeys, at: str, digest: str, table_id: str | None) -> Imported:
    whole = iter(lines)
    table = next((lines.input_of(line) for line, _ in whole), None)
    if not isinstance(table, Table):
        raise lines.refused("$.event", "a log begins with a `table` event")
    if table_id not in (None, table.table_id):
        raise lines.refused("$.table_id", f"the log of table {table.table_id}, not of {table_id}")
    journal_id = secrets.token_hex(16)
    scribe = Scribe(table, sealer=Sealer(keys, origin_of(journal_id)))
    if scribe.is_refused:
        raise lines.refused("$", "the regulation does not allow this table")
    header = header_of(table, scribe, at, journal_id, imported=digest)
    compared = 0
    with Journal.create(path, header, Keyring(path)) as journal:
        past = LogSummary()
        taken = scribe.opening
        waiting = _store(journal, scribe, taken, past, at)
        for line, said in whole:
            if said.get("event") == PASSED_OVER:
                raise lines.refused("$.event", "the journal's own; import what `cardshoe log --inputs --open` prints")
            if said.get("event") in OUTPUT_NAMES:
                if not waiting:
                    raise lines.refused(
                        "$.event", "an output that the regulation does not give for the input before it"
                    )
                _compare(lines, said, _decode(waiting.pop(0)))
                compared += 1
                continue
            if waiting and len(waiting) < len(taken.outputs):
                raise lines.refused("$.event", "the outputs of the input before it are not complete")
            event = lines.input_of(line)
            taken = scribe.take(event, tells_others=lines.is_of_packet(event))
            waiting = _store(journal, scribe, taken, past, at)
        journal.sign(at)
        return Imported(entries=journal.last, lines=journal.last_seq, compared=compared, first_key=journal.header.key)


def _store(journal: Journal, scribe: Scribe, taken: LoggedInput, past: LogSummary, at: str) -> list[bytes]:
    journal.append([taken.entry], at if is_momentous(taken) else None)
    past.take(taken)
    if begins_shoe(taken, scribe.procedure):
        snapshot = past.snapshot(scribe)
        journal.begin_shoe(at, None if snapshot is None else msgspec.json.encode(snapshot))
    return taken.lines[1:]


def _compare(lines: _Lines, said: Line, given: Line) -> None:
    for name in [*given, *said]:
        if said.get(name) != given.get(name):
            raise lines.refused(
                f"$.{name}", f"the log says {said.get(name)!r}, and the regulation gives {given.get(name)!r}"
            )
