"""``cardshoe verify``: do a journal's tree and signatures hold, and its inputs replay to its outputs, byte for byte?"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from msgspec import UNSET

from regulations.errors import MalformedLine, RegulationsError
from regulations.events.codec import decode_input, encode
from regulations.events.inputs import AnyInput, Table
from table.exits import Exit, Stop
from table.journal import Entry, JournalBroken, NoteSource, read_only
from table.scribe import Scribe, Taken
from table.sealing import CannotOpen, Sealer
from table.sealing_keys import SealingKeys

NO_KEYS: Final = SealingKeys([])


class SealingKeyMissing(Stop):
    """A card that lay face down is sealed with a key that is not here.

    Attributes:
        path: the journal.
        seq: the first such entry.
        key_id: the key.
        held: the keys that are here.
    """

    def __init__(self, path: Path, seq: int, key_id: str, held: list[str]) -> None:
        super().__init__(
            f"{path}: entry {seq} is sealed with the key {key_id}, which is not here (there are "
            f"{', '.join(held) or 'none'})",
            "Name the file with the table's keys: [journal] sealing_key, or --sealing-key. Tree and signatures can be "
            "verified without it. If the key is lost, the open shoe game cannot go on: docs/journal.md.",
            Exit.JOURNAL,
        )
        self.path = path
        self.seq = seq
        self.key_id = key_id
        self.held = held


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What a verified journal holds.

    Attributes:
        entries: how many lines it has.
        inputs: how many of them are inputs.
        root: the root of the tree over all lines, hexadecimal: compare it with what was noted elsewhere.
        proved: the last line that is under a signature.
        witnessed: the last line under a signature that the witness holds; ``None`` if none was asked.
        checkpoints: how many signatures over the tree there are.
        keys: how many keys there were, one for each shoe game.
        first_key: the first of them, which must be known from elsewhere to prove anything against the owner of the
            machine.
        edition: the edition of the regulation.
        table_id: the table.
        program: what wrote it.
    """

    entries: int
    inputs: int
    root: str
    proved: int
    witnessed: int | None
    checkpoints: int
    keys: int
    first_key: str
    edition: str
    table_id: str
    program: str


def verify(
    path: Path, witness: NoteSource | None = None, first_key: str | None = None, keys: SealingKeys = NO_KEYS
) -> Verified:
    """Verifies a journal; its files are not changed.

    Args:
        path: the journal.
        witness: what a witness holds.
        first_key: the journal's first key, as it was noted elsewhere.
        keys: the table's sealing keys; without them, what lay face down cannot be judged again.

    Raises:
        SealingKeyMissing: tree and signatures hold, and cards are sealed with a key that is not here.
        WitnessFailed: the witness cannot be read.
        JournalError: it is missing, busy, no journal or broken; ``JournalBroken`` names the first bad entry.
    """
    with read_only(path) as evidence:
        checked = evidence.verify(witness, first_key)
        if checked.proved_seq is None:
            raise JournalBroken(path, 0, "nobody signed this journal")
        header = evidence.header
        sealer = Sealer(keys, header.origin)
        inputs = sum(1 for _ in replayed(path, evidence.entries(), sealer))
        return Verified(
            entries=checked.last_seq,
            inputs=inputs,
            root=checked.root.hex(),
            proved=checked.proved_seq,
            witnessed=checked.witnessed_seq,
            checkpoints=checked.checkpoints,
            keys=len(checked.keys),
            first_key=checked.keys[0],
            edition=header.edition,
            table_id=header.table_id,
            program=header.program,
        )


def replayed(path: Path, entries: Iterable[Entry], sealer: Sealer | None = None) -> Iterator[tuple[Scribe, Taken]]:
    """Replays a journal's inputs and compares what comes out with what it holds, input by input.

    Args:
        path: the journal, for messages.
        entries: its entries from the first.
        sealer: opens what is sealed.

    Yields:
        The scribe after each input, and what it took.

    Raises:
        SealingKeyMissing: a card is sealed with a key that is not here.
        JournalBroken: with the first entry that another run of the regulation does not give.
    """
    scribe: Scribe | None = None
    waiting: list[bytes] = []
    for entry in entries:
        if waiting:
            if entry.line != waiting.pop(0):
                raise JournalBroken(path, entry.seq, "the regulation does not give this line for the input before it")
            continue
        scribe, taken = _taken(path, scribe, entry, sealer)
        waiting = [line for _, line in taken.lines]
        if entry.line != waiting.pop(0):
            raise JournalBroken(path, entry.seq, "the input is not written as this program writes it")
        yield scribe, taken
    if waiting:
        raise JournalBroken(path, None, "the outputs of the last input are missing")


def _taken(path: Path, scribe: Scribe | None, entry: Entry, sealer: Sealer | None) -> tuple[Scribe, Taken]:
    event = _input_of(path, entry)
    try:
        if scribe is not None:
            return scribe, scribe.take_again(event)
        if not isinstance(event, Table):
            raise JournalBroken(path, entry.seq, "the first input is no `table` event")
        scribe = Scribe(event, sealer=sealer)
    except CannotOpen as error:
        raise _cannot_open(path, entry.seq, error) from error
    except RegulationsError as error:
        raise JournalBroken(path, entry.seq, str(error)) from error
    return scribe, scribe.opening


def _input_of(path: Path, entry: Entry) -> AnyInput:
    try:
        return decode_input(entry.line)
    except MalformedLine as error:
        raise JournalBroken(path, entry.seq, f"no input of the table log: {error}") from error


def opened_line(path: Path, entry: Entry, sealer: Sealer) -> bytes:
    """A line of a journal with nothing sealed in it.

    Args:
        path: the journal, for messages.
        entry: one of its entries.
        sealer: opens it.

    Raises:
        SealingKeyMissing: it is sealed with a key that is not here.
        JournalBroken: it cannot be opened.
    """
    if entry.kind != "input":
        return entry.line
    event = _input_of(path, entry)
    if event.sealed is UNSET:
        return entry.line
    try:
        return encode(sealer.open(event))
    except CannotOpen as error:
        raise _cannot_open(path, entry.seq, error) from error


def _cannot_open(path: Path, seq: int, error: CannotOpen) -> SealingKeyMissing | JournalBroken:
    if error.is_lost:
        return SealingKeyMissing(path, seq, error.key_id, error.held)
    return JournalBroken(path, seq, error.reason)
