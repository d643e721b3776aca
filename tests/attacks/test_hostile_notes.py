"""Attack: somebody touches the notes of a witness on their way."""

import base64
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Final

import msgspec
import pytest

from cardshoe.journal import Journal, Keyring, WitnessFile, read_only
from tests.attacks.verdicts import HOLDS, judged
from tests.cardshoe.journal.sealed import listen, notes_of, play, sealed_journal
from tests.tamper.agree import ours, theirs

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
        proof.write_bytes(msgspec.json.encode(evidence.prove(40, 40)))
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
