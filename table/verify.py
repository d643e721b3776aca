"""``cardshoe verify``: is a journal's chain intact, and do its inputs replay to its outputs, byte for byte?"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from regulations.errors import MalformedLine, RegulationsError
from regulations.events.codec import decode_input
from regulations.events.inputs import AnyInput, Table
from table.journal import Entry, JournalBroken, read_only
from table.scribe import Scribe, Taken


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What a verified journal holds.

    Attributes:
        entries: how many lines it has.
        inputs: how many of them are inputs.
        digest: the last line's digest, hexadecimal: compare it with what was noted elsewhere.
        edition: the edition of the regulation.
        table_id: the table.
        program: what wrote it.
    """

    entries: int
    inputs: int
    digest: str
    edition: str
    table_id: str
    program: str


def verify(path: Path) -> Verified:
    """Verifies a journal; its files are not changed.

    Raises:
        JournalError: it is missing, busy, no journal or broken; ``JournalBroken`` names the first bad entry.
    """
    with read_only(path) as evidence:
        last, digest = evidence.verify()
        inputs = sum(1 for _ in replayed(path, evidence.entries()))
        header = evidence.header
        return Verified(
            entries=last,
            inputs=inputs,
            digest=digest.hex(),
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
