"""A journal in various states against both verifiers: ours, and the separate one that shares no line with it."""

import ast
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from cardshoe.journal import Journal, JournalBroken, Keyring, NotAJournal, WitnessFile, read_only
from cardshoe.journal.proof.note import Note, SigningKey
from cardshoe.journal.proof.statements import Checkpoint, origin_of
from cardshoe.journal.proof.tree import Frontier, leaf_hash
from tests.cardshoe.journal.samples import HEADER, entry
from tests.cardshoe.journal.sealed import (
    AT,
    VERIFIER,
    by_the_verifier,
    edited,
    listen,
    notes_of,
    play,
    regrown,
    sealed_journal,
)

Edit = Callable[[sqlite3.Connection], object]


@pytest.fixture
def witness(tmp_path: Path) -> Path:
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder / "witness.notes"


def ours(path: Path, witness: Path | None = None, first_key: str | None = None) -> JournalBroken | None:
    try:
        with read_only(path) as evidence:
            evidence.verify(None if witness is None else WitnessFile(witness), first_key)
    except JournalBroken as broken:
        return broken
    return None


def origin(path: Path) -> str:
    with read_only(path) as evidence:
        return origin_of(evidence.header.journal_id)


def test_a_sound_journal(path: Path, witness: Path) -> None:
    entries = sealed_journal(path, witness=witness)
    before = path.read_bytes()
    status, said = by_the_verifier(path)
    with read_only(path) as evidence:
        checked = evidence.verify(WitnessFile(witness))
    assert (status, said) == (
        0,
        (
            f"{path}: {len(entries)} entries, 12 checkpoints, 4 keys: all of it holds\n"
            f"signed up to entry {len(entries)}\n"
            "no witness was asked: no proof against owners of the machine\n"
            f"first key {checked.keys[0]}\nroot {checked.root.hex()}\n"
        ),
    )
    status, said = by_the_verifier(path, "--witness", witness, "--first-key", checked.keys[0])
    assert (status, checked.witnessed) == (0, len(entries))
    assert f"witnessed up to entry {len(entries)}\n" in said
    assert path.read_bytes() == before
    assert sorted(file.name for file in path.parent.iterdir() if file.is_file()) == [path.name, f"{path.name}-key-3"]


def test_a_journal_of_a_killed_table_with_its_log(path: Path, tmp_path: Path) -> None:
    with Journal.create(tmp_path / "open.journal", HEADER, Keyring(tmp_path / "open.journal")) as journal:
        journal.begin_shoe(AT)
        play(journal, 2)
        journal.append([entry(journal.last_seq + 1)])
        for name in ("open.journal", "open.journal-wal"):
            (path.parent / name.replace("open", "b-101")).write_bytes((tmp_path / name).read_bytes())
    status, said = by_the_verifier(path)
    assert status == 0
    assert "19 entries, 2 checkpoints, 2 keys: all of it holds\nsigned up to entry 18\n" in said
    assert ours(path) is None


def sql(text: str) -> Edit:
    return lambda database: database.execute(text)


def rewritten(number: int, new: bytes = b"dealT") -> Edit:
    """A line is altered, and all that needs no key is computed anew."""

    def edit(database: sqlite3.Connection) -> None:
        (data,) = database.execute("SELECT lines FROM entries WHERE number = ?", (number,)).fetchone()
        assert b"dealt" in data
        database.execute("UPDATE entries SET lines = ? WHERE number = ?", (data.replace(b"dealt", new), number))
        regrown(database)

    return edit


def then_regrown(text: str) -> Edit:
    def edit(database: sqlite3.Connection) -> None:
        database.execute(text)
        regrown(database)

    return edit


CASES: list[tuple[Edit, int | None, str]] = [
    (rewritten(44), 37, "one of the entries"),  # the checkpoint before covers up to 36
    (rewritten(2), 1, "one of the entries"),
    (then_regrown("DELETE FROM entries WHERE number > 105"), 106, "missing"),
    (then_regrown("DELETE FROM entries WHERE number > 99"), 100, "missing"),
    (sql("UPDATE entries SET lines = x'7b7d' WHERE number = 0"), 0, "altered"),
    (
        sql(
            "UPDATE entries SET lines = CAST(replace(CAST(lines AS TEXT), 'dealt', 'dealT') AS BLOB) WHERE number = 44"
        ),
        44,
        "altered",
    ),
    (sql("UPDATE entries SET node = zeroblob(32) WHERE number = 55"), 55, "altered"),
    (sql("DELETE FROM entries WHERE number = 44"), 44, "missing"),
    (sql("DELETE FROM entries WHERE number = 0"), 0, "missing"),
    (sql("DELETE FROM entries"), 0, "missing"),
    (sql("INSERT INTO entries SELECT 1 + max(number), lines, node FROM entries"), 109, ""),
    (sql("DELETE FROM checkpoints WHERE number = 5"), None, "checkpoint 5 is missing"),
    (sql("UPDATE checkpoints SET note = x'00' WHERE number = 5"), None, "checkpoint 5"),
    (sql("UPDATE checkpoints SET note = (SELECT note FROM checkpoints WHERE number = 4) WHERE number = 5"), None, "5"),
    (sql("UPDATE checkpoints SET number = -number WHERE number IN (5, 6)"), None, "missing"),
    (sql("DELETE FROM keys WHERE epoch = 0"), None, "key 0 is missing"),
    (sql("DELETE FROM keys WHERE epoch = 2"), None, "key 2 is missing"),
    (sql("DELETE FROM keys WHERE epoch = 3"), None, "key 3"),
    (sql("DELETE FROM keys"), None, "this journal is unsigned"),
    (sql("UPDATE keys SET note = (SELECT note FROM keys WHERE epoch = 1) WHERE epoch = 2"), None, "key 2"),
    (sql("UPDATE keys SET note = (SELECT note FROM checkpoints WHERE number = 1) WHERE epoch = 2"), None, "key 2"),
    (sql("INSERT INTO snapshots VALUES (2, x'7b7d')"), None, "snapshot"),
    (sql("DROP TABLE keys"), None, "tables"),
    (sql("CREATE INDEX i ON entries (node)"), None, "tables"),
]


@pytest.mark.parametrize(("edit", "seq", "reason"), CASES, ids=[str(number) for number in range(len(CASES))])
def test_both_name_the_first_bad_event(path: Path, edit: Edit, seq: int | None, reason: str) -> None:
    assert len(sealed_journal(path)) == 108
    edited(path, edit)
    before = path.read_bytes()
    status, said = by_the_verifier(path)
    assert status == 4
    assert said.startswith(f"{path}: " if seq is None else f"{path}: entry {seq}: "), said
    assert reason in said
    broken = ours(path)
    assert broken is not None
    assert (broken.entry, reason in str(broken)) == (seq, True), broken
    assert path.read_bytes() == before


def test_a_journal_of_another_version_is_none(path: Path) -> None:
    sealed_journal(path)
    edited(path, sql("PRAGMA user_version = 1"))
    with pytest.raises(NotAJournal, match="a journal of version 1; this program reads version 5"):
        ours(path)
    assert by_the_verifier(path) == (
        4,
        f"{path}: a journal of version 1; this verifier reads version 5; nothing of it is proved\n",
    )


def test_up_to_where_it_is_proved(path: Path) -> None:
    sealed_journal(path)
    edited(path, rewritten(44))
    assert by_the_verifier(path)[1].endswith("; proved up to entry 36\n")
    broken = ours(path)
    assert broken is not None
    assert broken.proved == 36
    assert "it is proved up to entry 36" in str(broken)


def test_resealed_with_a_newer_key(path: Path) -> None:
    """The systemd failure: whoever has today's key signs yesterday anew."""
    sealed_journal(path)
    key = SigningKey(origin(path), Keyring(path).load(3))

    def edit(database: sqlite3.Connection) -> None:
        rewritten(44)(database)
        roots = {}
        edge = Frontier()
        for (data,) in database.execute("SELECT lines FROM entries ORDER BY number").fetchall():
            edge.add(leaf_hash(data))
            roots[edge.size] = edge.root()
        for number, data in database.execute("SELECT number, note FROM checkpoints").fetchall():
            old = Checkpoint.read(Note(data))
            new = msgspec.structs.replace(old, root=roots[old.size], epoch=3 if old.size > 37 else old.epoch)
            if old.size > 37:
                database.execute("UPDATE checkpoints SET note = ? WHERE number = ?", (new.signed(key), number))

    edited(path, edit)
    status, said = by_the_verifier(path)
    assert (status, "is signed by key 3 out of its turn; proved up to entry 36" in said) == (4, True), said
    broken = ours(path)
    assert broken is not None
    assert "signed by key 3 out of its turn" in str(broken)


def test_truncated_and_resumed(path: Path, witness: Path) -> None:
    """The other systemd failure: the end is cut off with all that was signed of it, and the table goes on."""
    sealed_journal(path, witness=witness)

    def edit(database: sqlite3.Connection) -> None:
        database.execute("DELETE FROM checkpoints WHERE number > 10")
        database.execute("DELETE FROM entries WHERE number > 90")

    edited(path, edit)
    assert ours(path) is None  # by itself it holds
    for resumed in (False, True):
        status, said = by_the_verifier(path, "--witness", witness)
        assert status == 4
        assert f"{path}: entry 91: " in said
        assert "the witness holds checkpoint 11 over entries up to 99" in said
        assert said.endswith("; proved up to entry 90\n")
        broken = ours(path, witness)
        assert broken is not None
        assert (broken.entry, broken.proved) == (91, 90)
        if not resumed:
            with Journal.open(path, Keyring(path)) as journal:
                listen(journal, witness)
                play(journal, 4, entries=6)


def test_an_old_image_put_back(path: Path, witness: Path) -> None:
    sealed_journal(path, witness=witness)
    files = [path, Keyring(path).path(3)]
    old = [file.read_bytes() for file in files]
    with Journal.open(path, Keyring(path)) as journal:
        listen(journal, witness)
        play(journal, 1)
    for file, data in zip(files, old, strict=True):
        file.write_bytes(data)
    assert ours(path) is None
    broken = ours(path, witness)
    assert broken is not None
    assert (broken.entry, broken.proved) == (109, 108)
    assert "missing: the witness holds checkpoint 13 over entries up to 117" in str(broken)
    status, said = by_the_verifier(path, "--witness", witness)
    assert (status, "entry 109: missing: the witness holds checkpoint 13" in said) == (4, True)


def test_made_anew_from_its_first_entry(path: Path, witness: Path) -> None:
    sealed_journal(path, witness=witness)
    with read_only(path) as evidence:
        key = evidence.header.key
    path.unlink()
    sealed_journal(path)  # the same lines, another identity, keys of its own
    assert by_the_verifier(path)[0] == 0
    for option, value, where, reason in (
        ("--witness", witness, "", "the witness has no record of"),  # no entry is to blame
        ("--first-key", key, "entry 0: ", "the first key is"),
    ):
        assert by_the_verifier(path, option, value)[0] == 4
        assert by_the_verifier(path, option, value)[1].startswith(f"{path}: {where}{reason}")
    for broken, seq in ((ours(path, witness), None), (ours(path, first_key=key), 0)):
        assert broken is not None
        assert broken.entry == seq


def test_a_witness_that_was_torn_is_no_false_alarm(path: Path, witness: Path) -> None:
    sealed_journal(path, witness=witness)
    whole, signed = witness.read_bytes(), set(notes_of(path))
    with Journal.open(path) as journal:
        origin = journal.origin
    proved = set()
    for size in range(len(whole) - 700, len(whole)):
        witness.write_bytes(whole[:size])
        held = WitnessFile(witness).read(origin)
        assert set(held) <= signed
        proved.add(len(held))
        if size % 100 == 0:
            assert ours(path, witness) is None
            assert by_the_verifier(path, "--witness", witness)[0] == 0
    assert len(proved) >= 3
    witness.write_bytes(whole[:-40])
    with Journal.open(path, Keyring(path)) as journal:
        listen(journal, witness)
        play(journal, 1)
    with read_only(path) as evidence:
        assert evidence.verify(WitnessFile(witness)).witnessed == 117
    assert by_the_verifier(path, "--witness", witness)[0] == 0


def test_the_verifier_on_what_nobody_signed(path: Path) -> None:
    Journal.create(path, HEADER).close()
    status, said = by_the_verifier(path)
    assert (status, "is unsigned" in said) == (4, True)


@pytest.mark.parametrize("data", [b"", b"a letter", bytes(5000)])
def test_the_verifier_on_what_is_no_journal(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    assert by_the_verifier(path)[0] == 4
    assert path.read_bytes() == data


def test_the_verifier_on_what_is_not_there(path: Path, witness: Path) -> None:
    assert by_the_verifier(path) == (1, f"{path}: No such file or directory\n")
    sealed_journal(path)
    assert by_the_verifier(path, "--witness", witness) == (1, f"{witness}: No such file or directory\n")
    assert by_the_verifier(path, "--bananas")[0] == 2


def test_the_verifier_is_one_short_file_that_needs_nothing_of_ours() -> None:
    text = VERIFIER.read_text()
    assert len(text.splitlines()) <= 600
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            found.add(str(node.module).split(".")[0])
    assert found - set(sys.stdlib_module_names) == {"cryptography"}
