"""Attack: a part of a journal that was made by hand, and a witness whose notes somebody has touched.

The other half of `test_hostile_files.py`: what is done to an archive or a rest, and to what both verifiers compare a
journal with. A witness's notes were compared byte for byte: whoever carries one could double its signature line, and an
honest journal was another one.
"""

import base64
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Final

import msgspec
import pytest

from cardshoe.journal import Journal, Keyring, WitnessFile, read_only
from cardshoe.journal.writing.retire import keep_shoes, retire
from tests.attacks.verdicts import HOLDS, NONE, Edit, judged, script
from tests.cardshoe.journal.sealed import AT, BY, listen, notes_of, play, sealed_journal
from tests.tamper.agree import ours, theirs
from tests.tamper.campaign import separate_verifier
from tests.tamper.forger import Forger


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "b-101.journal"


@pytest.fixture(scope="module")
def verifier() -> ModuleType:
    return separate_verifier()


@pytest.fixture
def forger() -> Forger:
    """Who has all the keys of a journal of 15 entries; 8 is the first of its second shoe game, 11 an input."""
    return Forger(random.Random(1))


RETIRES: Final[dict[str, tuple[bytes, bytes]]] = {
    "a space": (b',"by"', b', "by"'),
    "numbered as another": (b'"seq":16', b'"seq":15'),
    "a nought before a number": (b'"first":1', b'"first":01'),
    "from the header on": (b'"first":1', b'"first":0'),
    "of no entry": (b'"first":1', b'"first":8'),
    "of entries that come after it": (b'"size":8', b'"size":17'),
    "a size beyond all": (b'"size":8', b'"size":1000000000000000000'),
    "a size that is a text": (b'"size":8', b'"size":"8"'),
    "another order": (b'"first":1,"size":8', b'"size":8,"first":1'),
    "a member more": (b'"by"', b'"raw":"x","by"'),
    "a member twice": (b'"by"', b'"by":"cage 8","by"'),
    "nobody who asked": (b"cage 7", b""),
    "a name with an escape": (b"cage 7", b'cage\\"7'),
    "a name with a control character": (b"cage 7", b"cage\x7f"),
    "a name that is no text": (b"cage 7", b"\xff"),
    "half of a surrogate pair": (b"cage 7", b"\xed\xa0\x80"),
    "another event": (b"retired", b"card"),
    "a root that is too short": (b'","by"', b'-","by"'),
}


def test_an_announced_retirement_holds(path: Path, verifier: ModuleType, forger: Forger) -> None:
    assert forger.announce() == 16
    forger.relined(16, lambda line: line.replace(b"cage 7", "押 7 \ufffd".encode()))
    forger.write(path)
    assert judged(verifier, path) == HOLDS


@pytest.mark.parametrize(("old", "new"), RETIRES.values(), ids=RETIRES)
def test_the_entry_that_retires_in_another_way(
    path: Path, verifier: ModuleType, forger: Forger, old: bytes, new: bytes
) -> None:
    seq = forger.announce()
    assert old in forger.rows[-1][1]
    forger.relined(seq, lambda line: line.replace(old, new))
    forger.write(path)
    assert judged(verifier, path) == (False, seq)


@pytest.mark.parametrize("kind", [0, 1, 2, 4, -1])
def test_the_entry_that_retires_is_of_its_own_kind(path: Path, verifier: ModuleType, forger: Forger, kind: int) -> None:
    seq = forger.announce()
    forger.rows[-1] = kind, forger.rows[-1][1]
    forger.write(path)
    assert judged(verifier, path) == (False, seq)


def test_no_other_line_is_of_the_kind_that_retires(path: Path, verifier: ModuleType, forger: Forger) -> None:
    forger.rows[11 - 1] = 3, forger.rows[11 - 1][1]
    forger.write(path)
    assert judged(verifier, path) == (False, 11)


def test_the_entry_that_retires_does_not_stand_amid_the_outputs(
    path: Path, verifier: ModuleType, forger: Forger
) -> None:
    forger.rows.pop()
    forger.signed.pop()
    assert forger.announce() == 15
    forger.write(path)
    assert judged(verifier, path) == (False, 15)


@pytest.fixture
def parts(path: Path) -> dict[str, Path]:
    """A rest of the entries from 73 on, the entry that retires being 181, and the archive of those before."""
    sealed_journal(path, shoes=5, witness=path.with_name("witness"))
    archive = path.with_name("b-101.archive")
    retire(path, archive, keep_shoes(3), by=BY, at=AT)
    return {"rest": path, "archive": archive}


PARTS: Final[dict[str, tuple[Edit, int | None, int | None]]] = {
    "a further table": (script("CREATE TABLE photographs (seq INTEGER PRIMARY KEY) STRICT"), NONE, NONE),
    "a further column": (script("ALTER TABLE retired ADD COLUMN more BLOB"), NONE, NONE),
    "not what the version has": (script("DROP TABLE retired"), NONE, NONE),
    "called a part of another version": (script("DROP TABLE retired; PRAGMA user_version = 3"), NONE, NONE),
    "of another version, with all its tables": (script("PRAGMA user_version = 3"), NONE, NONE),
    "called a whole journal": (script("PRAGMA user_version = 2"), NONE, NONE),
    "called the other part": (script("UPDATE segment SET archived = 1 - archived"), NONE, NONE),
    "nothing carried": (script("DELETE FROM retired"), NONE, NONE),
    "carried twice": (script("INSERT INTO retired SELECT 2, line, path, notes FROM retired"), NONE, NONE),
    "carried under another number": (script("UPDATE retired SET id = 2"), NONE, NONE),
    "no path": (script("UPDATE retired SET path = x''"), NONE, NONE),
    "a path that is too long": (script("UPDATE retired SET path = CAST(path || zeroblob(32) AS BLOB)"), NONE, NONE),
    "a path with a byte more": (script("UPDATE retired SET path = CAST(path || x'00' AS BLOB)"), NONE, NONE),
    "no notes": (script("UPDATE retired SET notes = x''"), NONE, NONE),
    "something after the notes": (script("UPDATE retired SET notes = CAST(notes || x'0a' AS BLOB)"), NONE, NONE),
    "something before the notes": (script("UPDATE retired SET notes = CAST(x'780a0a' || notes AS BLOB)"), NONE, NONE),
    "other ends of lines": (
        script("UPDATE retired SET notes = CAST(replace(notes, x'0a', x'0d0a') AS BLOB)"), NONE, NONE,
    ),
    "a line with a space": (script("UPDATE retired SET line = CAST(line || ' ' AS BLOB)"), NONE, NONE),
    "a line that is no text": (script("UPDATE retired SET line = x'ff'"), NONE, NONE),
    "a row of a smaller number": (
        script("INSERT OR REPLACE INTO entries SELECT 40, kind, line, node FROM entries WHERE seq = 0"), 73, 40,
    ),
    "its end is missing": (
        script("DELETE FROM entries WHERE seq > (SELECT max(seq) FROM entries) - 4"), 178, 69,
    ),
    "its last row is missing": (script("DELETE FROM entries WHERE seq = (SELECT max(seq) FROM entries)"), 181, 72),
    "its last row altered": (
        script(
            "UPDATE entries SET line = CAST(replace(line, '}', ',\"raw\":1}') AS BLOB)"
            "WHERE seq = (SELECT max(seq) FROM entries)"
        ),
        181, 72,
    ),
}  # fmt: skip
"""The edit, and the first bad entry that is named in the rest, and in the archive."""


@pytest.mark.parametrize(("edit", "of_rest", "of_archive"), PARTS.values(), ids=PARTS)
def test_a_part_that_was_made_by_hand(
    parts: dict[str, Path], verifier: ModuleType, edit: Edit, of_rest: int | None, of_archive: int | None
) -> None:
    for part, expected in zip(parts.values(), (of_rest, of_archive), strict=True):
        assert judged(verifier, part) == HOLDS
        edit(part)
        assert judged(verifier, part) == (False, expected)


def test_a_part_called_a_whole_journal(parts: dict[str, Path], verifier: ModuleType) -> None:
    """An archive from the first entry on is then a journal whose end was cut off: as always a witness shows that."""
    witness = parts["rest"].with_name("witness")
    for path in parts.values():
        script("DROP TABLE retired; DROP TABLE segment; PRAGMA user_version = 2")(path)
    assert judged(verifier, parts["rest"]) == (False, NONE)
    assert judged(verifier, parts["archive"]) == HOLDS
    assert judged(verifier, parts["archive"], witness) == (False, 73)


FOREIGN: Final = b"\xe2\x80\x94 somebody/else " + base64.b64encode(bytes(68)) + b"\n"
COSIGNED: Final = b"\xe2\x80\x94 a/witness " + base64.b64encode(bytes(76)) + b"\n"


def with_a_bad_line(note: bytes) -> bytes:
    """The note with a first line of the name and id of its last key, and a signature of noughts."""
    text, _, lines = note.partition(b"\n\n")
    before, _, signature = lines.rstrip().rpartition(b" ")
    bad = before.rpartition(b"\n")[2] + b" " + base64.b64encode(base64.b64decode(signature)[:4] + bytes(64))
    return text + b"\n\n" + bad + b"\n" + lines


LINES: Final[dict[str, Callable[[bytes], bytes]]] = {
    "a line doubled": lambda note: note + note[note.rindex(b"\n", 0, -1) + 1 :],
    "a line of somebody else": lambda note: note + FOREIGN,
    "somebody else's line first": lambda note: note.replace(b"\n\n", b"\n\n" + FOREIGN),
    "a line in the key's name that does not hold": with_a_bad_line,
    "a cosignature": lambda note: note + COSIGNED,
}


@pytest.mark.parametrize("change", LINES.values(), ids=LINES)
def test_a_witness_that_added_a_signature_line_frames_nobody(
    path: Path, verifier: ModuleType, change: Callable[[bytes], bytes]
) -> None:
    """The text is what was signed: who passes a note on may add lines to it, and the journal is the same."""
    witness = path.with_name("witness")
    sealed_journal(path, witness=witness)
    notes = notes_of(path)
    witness.write_bytes(b"".join(change(note) + b"\n" for note in notes))
    assert judged(verifier, path, witness) == HOLDS
    proof = path.with_name("proof")
    with read_only(path) as evidence:
        proof.write_bytes(msgspec.json.encode(evidence.prove_entries(40)))
    assert "\nthe witness holds checkpoint " in verifier.check_proof(proof, witness)
    forked = change(notes[-1]).replace(b"\nat ", b"\nat 1").replace(b" at 2", b" at 3")
    assert forked.partition(b"\n\n")[0] != notes[-1].partition(b"\n\n")[0]
    witness.write_bytes(b"".join(change(note) + b"\n" for note in notes[:-1]) + forked + b"\n")
    assert judged(verifier, path, witness)[0] is False


def test_what_our_keys_signed_is_called_so_whoever_added_a_line(path: Path, verifier: ModuleType) -> None:
    """A journal that was cut off and went on: the witness's notes are its own, and are evidence with a line more."""
    witness, old = path.with_name("witness"), path.with_name("old")
    sealed_journal(path, witness=witness)
    shutil.copyfile(path, old)
    with Journal.open(path, Keyring(path)) as journal:
        listen(journal, witness)
        play(journal, 1)
    notes = WitnessFile(witness).read(journal.origin)
    old.replace(path)
    for change in LINES.values():
        witness.write_bytes(b"".join(change(note) + b"\n" for note in notes))
        for said in (ours(path, witness)[1], theirs(verifier, path, witness)[1]):
            assert "missing: the witness holds checkpoint" in said
            assert "which no key of this journal has signed" not in said
