"""Signed journals for tests, and what somebody who has the file can do to them."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import tests
from cardshoe.journal import Entry, Header, Journal, Keyring, WitnessFile, read_only
from cardshoe.journal.proof.tree import Frontier, leaf_hash
from tests.cardshoe.journal.samples import HEADER, entry

VERIFIER = Path(tests.__file__).parent.parent / "packaging" / "cardshoe-verify" / "cardshoe_verify.py"
AT = "2026-01-05T10:00:00.000000Z"
SHOES = 5
ENTRIES = 9 * 4 * SHOES
"""Of a journal with so many shoe games."""


def play(journal: Journal, rounds: int, entries: int = 9) -> None:
    """Rounds of a few entries, a checkpoint with the last entry of each."""
    for _ in range(rounds):
        for n in range(entries):
            journal.append([entry(journal.last_seq + 1, 2)], AT if n == entries - 1 else None)


def sealed_journal(
    path: Path, *, shoes: int = 3, rounds: int = 4, witness: Path | None = None, header: Header = HEADER
) -> list[Entry]:
    """Make a signed journal of a few shoes, the last one open, and close it; returns its entries."""
    with Journal.create(path, header, Keyring(path)) as journal:
        if witness is not None:
            listen(journal, witness)
        for _ in range(shoes):
            journal.begin_shoe(AT)
            play(journal, rounds)
        return list(journal.entries())


def listen(journal: Journal, witness: Path) -> None:
    """Let a witness have the journal's notes, those from before too."""
    file = WitnessFile(witness)
    held = file.read(journal.origin)
    file.append(note for note in journal.notes() if note not in held)
    journal.listen(lambda note: file.append([note]))


def edited(path: Path, edit: Callable[[sqlite3.Connection], object]) -> None:
    """Edit the file with ordinary tools."""
    connection = sqlite3.connect(path)
    edit(connection)
    connection.commit()
    connection.close()


def regrown(database: sqlite3.Connection) -> None:
    """Compute every node: all that can be done without a key."""
    edge = Frontier()
    for number, data in database.execute("SELECT number, lines FROM entries ORDER BY number").fetchall():
        database.execute("UPDATE entries SET node = ? WHERE number = ?", (edge.add(leaf_hash(data)), number))


def notes_of(path: Path) -> list[bytes]:
    """The notes that a journal holds."""
    with read_only(path) as evidence:
        return list(evidence.notes())


def by_the_verifier(path: Path, *arguments: object) -> tuple[int, str]:
    """The separate verifier's status and output; it runs as a process in which nothing of ours can be imported."""
    done = subprocess.run(
        [sys.executable, "-I", VERIFIER, path, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=path.parent,
    )
    return done.returncode, done.stdout + done.stderr
