"""A log names the one before it, and whoever verifies holds that one to its end."""

import json
import sqlite3
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cardshoe.journal import Entry, JournalBroken, Keyring, read_only
from cardshoe.journal.file.chain import data_of
from cardshoe.journal.file.header import Previous
from cardshoe.journal.file.passed_over import PassedOver
from cardshoe.journal.proof.note import Note, VerifyKey
from cardshoe.journal.proof.tree import leaf_hash
from cardshoe.journal.writing.journal import Journal
from cardshoe.journal.writing.signer import JournalSigner
from cardshoe.table.log.log_before import last_round
from cardshoe.table.log.sealing_keys import FILE_NAME, read_keys
from cardshoe.table.log.table_journal import Beginning, Ended
from cardshoe.table.log.verify import verify
from regulations.events.inputs import AnyInput, Closed, Fault, FaultCleared
from tests.cardshoe.journal.samples import entry, written
from tests.cardshoe.journal.sealed import by_the_verifier
from tests.kit.sealed import verified
from tests.kit.table_log import AT, INPUTS, TABLE, two_logs
from tests.tamper.campaign import separate_verifier

LATER = "2026-01-06T10:00:00.000000Z"


@pytest.fixture
def logs(tmp_path: Path) -> list[Path]:
    """Two logs of a table."""
    return two_logs(tmp_path, [*INPUTS[:1], Closed(at=AT)], LATER)


def test_the_first_names_none_and_the_next_names_it(logs: list[Path]) -> None:
    first, second = map(verified, logs)
    assert first.previous is None
    assert second.previous is not None
    assert (second.previous.size, second.previous.root) == (first.entries + 1, first.root)
    assert second.previous_is_here
    code, said = by_the_verifier(*logs)
    assert code == 0
    assert f"the log before it, {second.previous.log}, holds" in said


def test_one_that_is_not_here_is_named(logs: list[Path]) -> None:
    logs[0].unlink()
    assert not verified(logs[1]).previous_is_here
    code, said = by_the_verifier(logs[1])
    assert (code, "is not here" in said) == (0, True)


def test_another_end_than_the_next_one_names_is_found(logs: list[Path]) -> None:
    with Journal.open(logs[0], Keyring(logs[0])) as journal:
        line = b'{"event":"next","seq":%d,"at":"%b","do":"nothing"}\n' % (journal.last_seq + 1, AT.encode())
        journal.append([line], AT)
    with pytest.raises(JournalBroken, match="has another end than the header of the log behind it names"):
        verified(logs[1])
    code, said = by_the_verifier(*logs)
    assert (code, "has another end than its header names" in said) == (4, True)


def test_the_last_key_signs_the_first_one_of_the_next_log(logs: list[Path]) -> None:
    with read_only(logs[0]) as first, read_only(logs[1]) as second:
        noted = first.header.key
        statement = Note(next(iter(second.notes())))
        assert statement.signers == [first.header.origin, second.header.origin]
        previous = second.header.previous
        assert isinstance(previous, Previous)
        assert statement.carries(VerifyKey.parse(previous.key))
        second_key = second.header.key
    keys = read_keys(logs[0].parent / FILE_NAME)
    assert verify(logs[1], first_key=noted, keys=keys).first_key == second_key
    with pytest.raises(JournalBroken, match="its first key is"):
        verify(logs[0], first_key=second_key, keys=keys)


def test_a_first_key_that_the_log_before_did_not_sign_is_found(logs: list[Path]) -> None:
    database = sqlite3.connect(logs[1])
    (note,) = database.execute("SELECT note FROM keys WHERE epoch = 0").fetchone()
    text, _, lines = note.rpartition(b"\n\n")
    database.execute("UPDATE keys SET note = ? WHERE epoch = 0", (text + b"\n\n" + lines.split(b"\n", 1)[1],))
    database.commit()
    database.close()
    with pytest.raises(JournalBroken, match="the statement of key 0: not signed by the key"):
        verified(logs[1])
    code, said = by_the_verifier(logs[1])
    assert (code, "is not signed by itself and the key before" in said) == (4, True)


ROUND = INPUTS[:18]
PLAYED = [*ROUND, *ROUND[-6:]]
"""Two rounds."""


def continued(
    folder: Path, played: list[AnyInput], rounds: int, stranger: Ed25519PrivateKey | None = None
) -> list[Path]:
    """A log with these inputs, and one behind it that the same table, or a stranger, signed: after another round."""
    first = two_logs(folder, [*played, Closed(at=AT)], LATER)[0]
    ended = verified(first)
    with Journal.open(first, Keyring(first)) as journal:
        header, signer = journal.header, journal.signer
    if stranger is not None:
        signer = JournalSigner(Keyring(first), header.origin, 0, stranger)
    assert signer is not None
    previous = Previous(log=header.fingerprint, size=ended.entries + 1, root=ended.root, key=str(signer.public))
    begun = Beginning(folder, TABLE, (), folder / FILE_NAME).begin(LATER, Ended(previous, rounds, signer))
    with begun.journal as journal:
        journal.sign(LATER)
    (folder / "other").mkdir()
    return [one.rename(folder / "other" / one.name) for one in (first, journal.path)]


def test_another_key_than_the_last_of_the_log_before_is_found(tmp_path: Path) -> None:
    logs = continued(tmp_path, [*INPUTS[:1]], 0, Ed25519PrivateKey.generate())
    reason = "has another end than"
    with pytest.raises(JournalBroken, match=reason):
        verify(logs[1], keys=read_keys(tmp_path / FILE_NAME))
    code, said = by_the_verifier(*logs)
    assert (code, reason in said) == (4, True)


@pytest.mark.parametrize(("played", "rounds"), [(PLAYED, 1), (PLAYED, 3), (PLAYED, 0), (ROUND[:12], 1)])
def test_rounds_that_do_not_continue_are_found(tmp_path: Path, played: list[AnyInput], rounds: int) -> None:
    logs = continued(tmp_path, played, rounds)
    ended = 2 if played is PLAYED else 0
    keys = read_keys(tmp_path / FILE_NAME)
    assert verify(logs[0], keys=keys).replayed
    reason = f"it continues after round {rounds}, the log before it ended with {ended}"
    with pytest.raises(JournalBroken, match=reason) as caught:
        verify(logs[1], keys=keys)
    assert caught.value.entry == 1
    code, said = by_the_verifier(*logs)
    assert (code, reason in said) == (4, True)


def test_rounds_that_continue_hold_however_long_ago_the_last_one_was(tmp_path: Path) -> None:
    faults: list[AnyInput] = [
        Fault(device="shoe", code="jam", origin="device", at=AT),
        FaultCleared(device="shoe", code="jam", at=AT),
    ]
    logs = continued(tmp_path, [*PLAYED, *faults * 20], 2)
    assert verify(logs[1], keys=read_keys(tmp_path / FILE_NAME)).previous_is_here
    assert by_the_verifier(*logs)[0] == 0


def test_an_input_that_is_passed_over_opened_no_round() -> None:
    opening = data_of([written({"event": "bets_closed", "seq": 9, "round": 8})])
    passing = PassedOver(seq=10, at="x", entry=3, hash=leaf_hash(opening), by=("7", "8"))
    data = [entry(1), data_of([written({"event": "card", "seq": 8, "round": 7})]), opening, data_of([passing.line()])]
    entries = [Entry(number, one, bytes(32)) for number, one in enumerate(data, 1)]
    assert [last_round(entries[:count]) for count in range(5)] == [0, 0, 7, 8, 7]
    verifier = separate_verifier().Log()
    found = []
    for one in entries:
        verifier.seq = int(json.loads(one.lines[0])["seq"]) - 1
        verifier.read(one.number, one.data, leaf_hash(one.data))
        found.append(verifier.rounds[-1])
    assert found == [0, 7, 8, 7]
