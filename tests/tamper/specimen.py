"""The journals that are tampered with."""

import random
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from cardshoe.journal import Header, Journal, Keyring, WitnessFile
from cardshoe.journal.file.chain import data_of
from cardshoe.journal.proof.note import Note
from cardshoe.journal.proof.statements import Checkpoint, Takeover, read_statement
from tests.cardshoe.journal.samples import written


def at(seq: int) -> str:
    """The time at which a line was written."""
    return f"2026-01-05T10:{seq // 60 % 60:02d}:{seq % 60:02d}.000000Z"


def entry(seq: int, chance: random.Random) -> bytes:
    """An input with one to four outputs, numbered from ``seq``, no two alike."""
    events = ["card", *["dealt"] * chance.randint(0, 3), "next"]
    lines = [line(event, seq + n, chance.randbytes(chance.choice([2, 8, 30])).hex()) for n, event in enumerate(events)]
    return data_of(lines)


def line(event: str, seq: int, token: str) -> bytes:
    """One line of a log, with something in it that no other has."""
    return written({"event": event, "seq": seq, "at": at(seq), "raw": token})


def play(journal: Journal, chance: random.Random, rounds: int) -> None:
    """Rounds of two to eight entries, with a checkpoint at the end of each."""
    for _ in range(rounds):
        entries = chance.randint(2, 8)
        for n in range(entries):
            seq = journal.last_seq + 1
            journal.append([entry(seq, chance)], at(seq) if n == entries - 1 else None)


@dataclass(frozen=True)
class Specimen:
    """A sound journal with all that there is to it.

    Attributes:
        database: its bytes.
        key: the bytes of its last private key.
        witness: the bytes of its witness, which lacks the newest notes.
    """

    database: bytes
    key: bytes
    epoch: int
    witness: bytes
    witnessed: int
    last: int
    old: tuple[bytes, int]


def specimen(folder: Path, chance: random.Random) -> Specimen:
    """Make one, of a few shoe games with a few rounds each.

    Args:
        folder: an empty folder, for passing files.
    """
    path, notes = folder / "x.journal", WitnessFile(folder / "witness")
    header = Header(table_id="B-101", game="baccarat", edition="x", program="x", created_at=at(0), rules=1)
    old = (b"", 0)
    with Journal.create(path, header, Keyring(path)) as journal:
        notes.append(journal.notes())
        journal.listen(lambda note: notes.append([note]))
        for shoe in range(chance.randint(2, 4)):
            journal.begin_shoe(at(journal.last_seq))
            play(journal, chance, chance.randint(2, 4))
            if shoe == 1:
                journal.flush_wal()
                old = (path.read_bytes(), journal.last)
                play(journal, chance, 2)
        last = journal.last
        held = notes.read(journal.origin)
    held = held[: len(held) - chance.randint(0, 1)]
    sizes = [read_statement(Note(note)).size for note in held]
    [epoch] = Keyring(path).held()
    return Specimen(
        path.read_bytes(),
        Keyring(path).path(epoch).read_bytes(),
        epoch,
        b"".join(note + b"\n" for note in held),
        max(sizes) - 1,
        last,
        old,
    )


def statements(database: sqlite3.Connection) -> tuple[dict[int, Takeover], dict[int, Checkpoint]]:
    """Read the notes of a journal."""
    keys = database.execute("SELECT epoch, note FROM keys").fetchall()
    checkpoints = database.execute("SELECT number, note FROM checkpoints").fetchall()
    return (
        {epoch: Takeover.read(Note(note)) for epoch, note in keys},
        {number: Checkpoint.read(Note(note)) for number, note in checkpoints},
    )
