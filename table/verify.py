"""``cardshoe verify``: do a journal's tree and signatures hold, and its inputs replay to its outputs, byte for byte?"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from regulations.errors import MalformedLine, RegulationsError
from regulations.events.codec import decode_input
from regulations.events.inputs import AnyInput, Table
from table.journal import Entry, JournalBroken, WitnessFile, read_only
from table.scribe import Scribe, Taken


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


def verify(path: Path, witness: Path | None = None, first_key: str | None = None) -> Verified:
    """Verifies a journal; its files are not changed.

    Args:
        path: the journal.
        witness: the file of a witness.
        first_key: the journal's first key, as it was noted elsewhere.

    Raises:
        WitnessFailed: the witness cannot be read.
        JournalError: it is missing, busy, no journal or broken; ``JournalBroken`` names the first bad entry.
    """
    with read_only(path) as evidence:
        checked = evidence.verify(None if witness is None else WitnessFile(witness), first_key)
        if checked.proved_seq is None:
            raise JournalBroken(path, 0, "nobody signed this journal")
        inputs = sum(1 for _ in replayed(path, evidence.entries()))
        header = evidence.header
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


def replayed(path: Path, entries: Iterable[Entry]) -> Iterator[tuple[Scribe, Taken]]:
    """Replays a journal's inputs and compares what comes out with what it holds, input by input.

    Args:
        path: the journal, for messages.
        entries: its entries from the first.

    Yields:
        The scribe after each input, and what it took.

    Raises:
        JournalBroken: with the first entry that another run of the regulation does not give.
    """
    scribe: Scribe | None = None
    waiting: list[bytes] = []
    for entry in entries:
        if waiting:
            if entry.line != waiting.pop(0):
                raise JournalBroken(path, entry.seq, "the regulation does not give this line for the input before it")
            continue
        scribe, taken = _taken(path, scribe, entry)
        waiting = [line for _, line in taken.lines]
        if entry.line != waiting.pop(0):
            raise JournalBroken(path, entry.seq, "the input is not written as this program writes it")
        yield scribe, taken
    if waiting:
        raise JournalBroken(path, None, "the outputs of the last input are missing")


def _taken(path: Path, scribe: Scribe | None, entry: Entry) -> tuple[Scribe, Taken]:
    event = _input_of(path, entry)
    try:
        if scribe is not None:
            return scribe, scribe.take(event)
        if not isinstance(event, Table):
            raise JournalBroken(path, entry.seq, "the first input is no `table` event")
        scribe = Scribe(event)
    except RegulationsError as error:
        raise JournalBroken(path, entry.seq, str(error)) from error
    return scribe, scribe.opening


def _input_of(path: Path, entry: Entry) -> AnyInput:
    try:
        return decode_input(entry.line)
    except MalformedLine as error:
        raise JournalBroken(path, entry.seq, f"no input of the table log: {error}") from error
