"""Notes, proofs and witnesses by somebody who wants a verifier to say what is not so, or never to end."""

import base64
import hashlib
import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from cardshoe.journal import Journal, JournalBroken, Keyring, WitnessFile, read_only
from cardshoe.journal.file.chain import data_of, lines_of
from cardshoe.journal.proof.tree import leaf_hash
from tests.cardshoe.journal.samples import written
from tests.cardshoe.journal.sealed import AT, edited, notes_of, regrown, sealed_journal
from tests.tamper.campaign import separate_verifier

Edit = Callable[[sqlite3.Connection], object]
STRANGER = f"\u2014 stranger {base64.b64encode(bytes(68)).decode()}\n".encode()
SHORT = f"\u2014 stranger {base64.b64encode(bytes(10)).decode()}\n".encode()
DEEP = b'{"event":"dealt","seq":44,"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}"


@pytest.fixture(scope="module")
def verifier() -> ModuleType:
    """The separate verifier, in this process: a process for each file would take most of the time."""
    return separate_verifier()


def theirs(verifier: ModuleType, path: Path, witness: Path | None = None, first_key: str | None = None) -> str:
    """The separate verifier's objection to a journal; empty if there is none."""
    try:
        verifier.verify(path, witness, first_key)
    except verifier.Wrong as wrong:
        return str(wrong)
    return ""


def ours(path: Path, witness: Path | None = None) -> str:
    """Our own verifier's objection to a journal; empty if there is none."""
    try:
        with read_only(path) as evidence:
            evidence.verify(None if witness is None else WitnessFile(witness))
    except JournalBroken as broken:
        return str(broken)
    return ""


def sql(text: str, *values: object) -> Edit:
    return lambda database: database.execute(text, values)


def noted(added: bytes) -> Edit:
    return sql("UPDATE checkpoints SET note = CAST(note || ? AS BLOB) WHERE number = 5", added)


def doubled(database: sqlite3.Connection) -> None:
    (note,) = database.execute("SELECT note FROM checkpoints WHERE number = 5").fetchone()
    noted(note.rpartition(b"\n\n")[2])(database)


CASES: list[tuple[str, Edit, str, str]] = [
    ("a checkpoint below the first", sql("INSERT INTO checkpoints VALUES (-1, x'00')"), "missing", "checkpoint -1"),
    ("a snapshot of no key", sql("INSERT INTO snapshots VALUES (7, x'00')"), "snapshot", "snapshot"),
    ("a signature that no key of the journal gave", noted(STRANGER), "signed by other keys", "alone"),
    ("more of them", noted(STRANGER * 16), "more than 16", "not a signed note"),
    ("the same signature twice", doubled, "signed by other keys", "alone"),
    ("a short signature", noted(SHORT), "signed by other keys", "not base64 of 68 bytes"),
]


@pytest.mark.parametrize(("edit", "said", "separate"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_both_refuse(path: Path, verifier: ModuleType, edit: Edit, said: str, separate: str) -> None:
    sealed_journal(path)
    edited(path, edit)
    assert said in ours(path)
    assert separate in theirs(verifier, path)


def test_nothing_of_the_open_shoe_is_hidden_from_a_table_that_starts(path: Path) -> None:
    """A table that starts checks the entries since the last key took over."""
    sealed_journal(path)

    def edit(database: sqlite3.Connection) -> None:
        database.execute(
            "UPDATE entries SET lines = CAST(replace(CAST(lines AS TEXT), 'dealt', 'dealT') AS BLOB) WHERE number = 80"
        )
        regrown(database)

    edited(path, edit)
    with pytest.raises(JournalBroken, match="one of the entries 73 to 81 is not what checkpoint 9 was signed for"):
        Journal.open(path, Keyring(path))


def test_the_last_entry_before_the_open_shoe_is_looked_at_as_well(path: Path) -> None:
    """The number of its last line is the one that the table goes on from."""
    sealed_journal(path)
    edited(path, sql("UPDATE entries SET lines = (SELECT lines FROM entries WHERE number = 71) WHERE number = 72"))
    with pytest.raises(JournalBroken, match="entry 72: the node does not fit"):
        Journal.open(path, Keyring(path))


def test_a_page_that_belongs_to_two_rows_is_found_before_either_is_read(path: Path, verifier: ModuleType) -> None:
    """Thousands of rows could share the pages of one long note, and be read into memory at once."""
    sealed_journal(path)

    def edit(database: sqlite3.Connection) -> None:
        for number, letter in ((13, b"A"), (14, b"B")):
            database.execute("INSERT INTO checkpoints VALUES (?, ?)", (number, letter * 100_000))

    edited(path, edit)
    data = bytearray(path.read_bytes())
    leaves = [at for at in range(0, len(data), 4096) if data[at] == 0x0D]  # leaf pages of tables
    pointers = []
    for letter in (b"A", b"B"):
        (leaf,) = (at for at in leaves if letter * 50 in data[at : at + 4096])
        pointers.append(data.rindex(letter * 50, leaf, leaf + 4096) + 50)  # the first page of the rest follows
    data[pointers[1] : pointers[1] + 4] = data[pointers[0] : pointers[0] + 4]
    path.write_bytes(data)
    assert "damaged pages" in ours(path)
    assert "damaged pages" in theirs(verifier, path)


def forged(proof: dict[str, Any]) -> dict[str, Any]:
    """A proof of a line that never was: the two halves of the tree, as one hash, stand in the place of a path."""
    (entry,) = proof["entries"]
    note = str(proof["checkpoint"])
    size, seq = int(note.split("\n")[1]), int(entry["entry"])
    start, end, turns = 0, size, []
    while end - start > 1:
        middle = start + (1 << (end - start - 1).bit_length() - 1)
        turns.append(seq < middle)
        start, end = (start, middle) if seq < middle else (middle, end)
    node = leaf_hash(data_of(line.encode() for line in entry["lines"]))
    halves = b""
    for left, text in zip(reversed(turns), entry["path"], strict=True):
        other = bytes.fromhex(text)
        halves = node + other if left else other + node
        node = hashlib.sha256(b"\x01" + halves).digest()
    assert base64.b64encode(node).decode() == note.split("\n")[2]
    never = {"entry": seq, "lines": ['{"event":"card","seq":44,"card":"AS"}'], "path": [halves.hex()]}
    return {**proof, "entries": [never]}


def test_a_proof_of_what_never_was(path: Path, verifier: ModuleType) -> None:
    sealed_journal(path)
    with read_only(path) as evidence:
        proof = json.loads(msgspec.json.encode(evidence.prove(44, 44)))
    file = path.with_name("proof.json")
    file.write_text(json.dumps(proof))
    assert verifier.check_proof(file).startswith("1 entry, proved by checkpoint 5\n")
    file.write_text(json.dumps(forged(proof)))
    with pytest.raises(verifier.Wrong, match="entry 44: not among those"):
        verifier.check_proof(file)
    file.write_bytes(DEEP)
    with pytest.raises(verifier.Wrong, match="not a proof of entries of a journal"):
        verifier.check_proof(file)


@pytest.mark.parametrize("block", [b"a" * 3_000_000, b"aaaaaaaa\n" * 300_000, b"\n" * 3_000_000])
def test_a_witness_is_read_in_one_pass(path: Path, verifier: ModuleType, block: bytes) -> None:
    """Each of these took the separate verifier hours: it looked for a note from every byte on."""
    witness = path.with_name("witness.notes")
    sealed_journal(path, witness=witness)
    witness.write_bytes(block + b"\n\n" + witness.read_bytes())
    assert ours(path, witness) == ""
    assert "witnessed up to entry 108" in verifier.verify(path, witness)


def test_a_witness_that_an_editor_wrote_is_one(path: Path, verifier: ModuleType) -> None:
    witness = path.with_name("witness.notes")
    sealed_journal(path, witness=witness)
    witness.write_bytes(witness.read_bytes().replace(b"\n", b"\r\n"))
    assert ours(path, witness) == ""
    assert theirs(verifier, path, witness) == ""


def test_what_a_stranger_wrote_into_a_witness_is_told_from_what_was_signed(path: Path, verifier: ModuleType) -> None:
    """It is no proof that the journal was cut off: the file of a witness lies where others can write."""
    witness = path.with_name("witness.notes")
    sealed_journal(path, witness=witness)
    note = notes_of(path)[-1].decode()
    text, _, signature = note.rpartition("\n\n")
    origin, _, root, _ = text.split("\n")
    held = witness.read_bytes()
    for size, number in ((200, 99), (50, 99)):
        said = f"{origin}\n{size}\n{root}\ncheckpoint {number} key 3 at {AT}\n\n{signature}"
        witness.write_bytes(held + b"\n" + said.encode())
        unsigned = f"checkpoint 99 over entries up to {size - 1}, which no key of this journal has signed"
        assert unsigned in ours(path, witness)
        assert unsigned in theirs(verifier, path, witness)


def escaping(database: sqlite3.Connection) -> None:
    (data,) = database.execute("SELECT lines FROM entries WHERE number = 0").fetchone()
    [line] = lines_of(data)
    data = data_of([written({**json.loads(line), "key": "\x1b[2K\rall of it holds"})])
    database.execute("UPDATE entries SET lines = ? WHERE number = 0", (data,))
    regrown(database)


def test_what_a_journal_says_of_itself_cannot_write_over_the_verdict(path: Path, verifier: ModuleType) -> None:
    sealed_journal(path)
    edited(path, escaping)
    told = theirs(verifier, path, first_key="x")
    assert ("the first key is" in told, "\x1b" in told) == (True, False)
    with read_only(path) as evidence, pytest.raises(JournalBroken) as caught:
        evidence.verify(first_key="x")
    assert "\x1b" not in str(caught.value)


def test_a_shoe_game_without_entries_holds(path: Path, verifier: ModuleType) -> None:
    """No false alarm: a journal with a shoe game that has no entries yet, closed and taken up again."""
    sealed_journal(path)
    with Journal.open(path, Keyring(path)) as journal:
        journal.begin_shoe(AT)
    with Journal.open(path, Keyring(path)) as journal:
        assert journal.shoe_start == journal.last + 1
    assert ours(path) == ""
    assert theirs(verifier, path) == ""
    assert os.path.lexists(Keyring(path).path(4))
