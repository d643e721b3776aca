"""``cardshoe journal``: backup, export, import, retention and proofs, as commands."""

import json
import os
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cardshoe.journal import Journal, Keyring, WitnessFile, read_only
from cardshoe.journal.file.chain import data_of
from cardshoe.journal.proof.note import SigningKey
from cardshoe.table.log.sealing_keys import make_keys
from tests.cardshoe.cli.journals import entries_of, journal_of
from tests.cardshoe.cli.support import GAME, PROFILE, ROUND, STACK, Line, answered, cardshoe, invoke, parsed, script
from tests.cardshoe.journal.samples import written
from tests.cardshoe.journal.sealed import by_the_verifier, edited
from tests.kit.command import assert_message
from tests.tamper.campaign import separate_verifier

END: list[Line] = [{"event": "shoe_ended", "reason": "house"}]
TIMES = [f"2026-01-{day:02d}T10:00:00.000000Z" for day in range(5, 12)]
AFTERWARDS: list[Line] = [*END, *STACK, *ROUND, *ROUND, *END, *STACK, *ROUND, *END, {"event": "closed"}]
LOG: list[Line] = [*GAME, *AFTERWARDS]


def timed(lines: list[Line]) -> list[Line]:
    """Each stack on a day of its own."""
    day, out = -1, []
    for line in lines:
        day += line["event"] in ("table", "shuffled")
        out.append({**line, "at": TIMES[day]})
    return out


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of three shoe games, closed."""
    folder = tmp_path / "journals"
    folder.mkdir()
    make_keys(folder / "sealing.key")
    done = invoke("journal", "import", script(tmp_path / "log.jsonl", timed(LOG)), folder / "b-101.journal")
    assert done.exit_code == 0, done.stderr
    return folder / "b-101.journal"


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_an_imported_script_is_a_journal_with_a_key_for_each_shoe_game(path: Path) -> None:
    assert names(path.parent) == [path.name, f"{path.name}-key-3", "sealing.key"]
    found = json.loads(invoke("verify", "--json", path).stdout)
    assert (found["keys"], found["entries"], found["replayed"]) == (4, len(LOG), True)
    assert found["proved"] == found["entries"]
    assert by_the_verifier(path)[0] == 0
    with read_only(path) as evidence:
        assert isinstance(evidence.header.imported, str)
        assert (evidence.header.table_id, len(evidence.header.imported)) == ("B-101", 64)
    with Journal.open(path, Keyring(path)):
        pass  # its key is there


def test_export_and_import_give_the_same_lines(path: Path, tmp_path: Path) -> None:
    exported = cardshoe("journal", "export", path)
    assert (exported.returncode, exported.stderr) == (0, b"")
    assert exported.stdout.splitlines() == [line for entry in entries_of(path) for line in entry.lines]
    opened = answered("log", "--open", path).stdout
    log = tmp_path / "whole.jsonl"
    log.write_bytes(opened)
    again = path.with_name("again.journal")
    done = invoke("journal", "import", log, again, "--table", "B-101")
    assert (done.exit_code, f"{len(LOG)} entries" in done.stdout) == (0, True)
    assert f"{len(opened.splitlines()) - len(LOG)} outputs compared" in done.stdout
    assert answered("log", "--open", again).stdout == opened


def test_a_part_is_exported(path: Path) -> None:
    entries = entries_of(path)
    lines = [line for entry in entries for line in entry.lines]
    some = [line for entry in entries[2:7] for line in entry.lines]
    assert invoke("journal", "export", path, "--from", "3", "--to", "7").stdout_bytes.splitlines() == some
    shoes = [invoke("journal", "export", path, "--shoe", str(shoe)).stdout_bytes.splitlines() for shoe in range(4)]
    assert [line for shoe in shoes for line in shoe] == lines
    assert json.loads(shoes[0][-2])["event"] != json.loads(shoes[1][0])["event"] == "card"
    assert invoke("journal", "export", path, "--shoe", "2", "--to", "5").stdout == ""
    empty = invoke("journal", "export", path, "--from", str(len(entries) + 1))
    assert_message(empty.exit_code, empty.stderr, 2, "no entry matches", f"It holds entries 1 to {len(entries)}.")
    done = invoke("journal", "export", path, "--shoe", "4")
    assert (done.exit_code, "no shoe 4" in done.stderr) == (2, True)


def test_nothing_is_exported_of_a_journal_that_does_not_hold(path: Path) -> None:
    edited(path, lambda database: database.execute("UPDATE entries SET node = zeroblob(32) WHERE number = 50"))
    done = invoke("journal", "export", path)
    assert (done.exit_code, done.stdout) == (4, "")
    assert "entry 50: " in done.stderr


def wrong(**change: object) -> list[Line]:
    """The game with something else in its second line."""
    return [GAME[0], {**GAME[1], **change}, *GAME[2:]]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "line 0, $.event: a log begins with a `table` event"),
        (GAME[1:], "line 1, $.event: a log begins with a `table` event"),
        (wrong(bi="croupier"), "line 2, $.bi: "),
        (wrong(by=7), "line 2, $.by: "),
        (wrong(event="shufled"), "line 2, $.event: unknown event `shufled`"),
        ([*GAME[:3], "{"], "line 4, $: not a JSON object"),
        ([{**PROFILE, "decks": 3}], "line 1, $: the regulation does not allow this table"),
        ([*GAME[:2], {"event": "card", "card": None, "sealed": "1 x"}], "line 3, $.sealed: a card that is sealed"),
        ([GAME[0], {"event": "next", "do": "cut"}], "line 2, $.seq: the log says None, and the regulation gives 2"),
    ],
)
def test_a_log_that_is_refused_leaves_nothing(tmp_path: Path, lines: list[Line | str], said: str) -> None:
    make_keys(tmp_path / "sealing.key")
    log = script(tmp_path / "log.jsonl", lines)
    done = invoke("journal", "import", log, tmp_path / "b.journal")
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"{log}, {said}" in done.stderr
    assert names(tmp_path) == ["log.jsonl", "sealing.key"]


def test_outputs_that_the_regulation_does_not_give_are_refused(path: Path, tmp_path: Path) -> None:
    lines = parsed(answered("log", "--open", path).stdout)
    result = next(n for n, line in enumerate(lines) if line["event"] == "result")
    target = path.with_name("again.journal")
    cases = [
        ([*lines[:result], {**lines[result], "player": 8}], f"line {result + 1}, $.player: the log says 8"),
        ([*lines[:result], *lines[result + 1 :]], f"line {result + 1}, $."),
        ([*lines[:2], lines[1]], "line 3, $.event: an output that the regulation does not give"),
        ([*lines[: result + 1], {"event": "round_closed"}], f"line {result + 2}, $.event: the outputs"),
    ]
    for number, (changed, said) in enumerate(cases):
        done = invoke("journal", "import", script(tmp_path / f"{number}.jsonl", changed), target)
        assert (done.exit_code, said in done.stderr) == (2, True), done.stderr
    assert not target.exists()
    done = invoke("journal", "import", script(tmp_path / "x", lines), target, "--table", "B-102")
    assert (done.exit_code, "$.table_id: the log of table B-101, not of B-102" in done.stderr) == (2, True)
    assert invoke("journal", "import", tmp_path / "nowhere", target).exit_code == 2
    assert invoke("journal", "import", tmp_path / "x", path).exit_code == 2
    assert not [name for name in names(path.parent) if "again" in name]


def test_backup(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "backup.journal"
    done = invoke("journal", "backup", path, target)
    assert (done.exit_code, f"{target}: entries up to {len(entries_of(path))}, intact, signed" in done.stdout) == (
        0,
        True,
    )
    assert entries_of(target) == entries_of(path)
    assert invoke("journal", "backup", path, target).exit_code == 2


def test_show_lists_the_shoe_games(path: Path) -> None:
    said = invoke("journal", "show", path).stdout.splitlines()
    assert said[0] == f"{path}: table B-101"
    assert [line.split()[:2] for line in said[1:]] == [["shoe", str(number)] for number in range(4)]
    assert said[1].endswith(f"entries 1 to {shoe_starts(path)[0] - 1}")


def shoe_starts(path: Path) -> list[int]:
    """Where each key but the first took over."""
    with read_only(path) as evidence:
        return [one.size for one in evidence.takeovers()[1:]]


def test_a_round_is_proved_without_the_journal(path: Path, tmp_path: Path) -> None:
    witness = tmp_path / "witness"
    with Journal.open(path, Keyring(path)) as journal:
        WitnessFile(witness).append(journal.notes())
        key = journal.header.key
    proofs = {}
    for number in (1, 2, 4):
        done = invoke("journal", "prove", path, "--round", str(number))
        proofs[number] = json.loads(done.stdout)
        assert done.exit_code == 0, done.stderr
    proof = tmp_path / "proof.json"
    for told in proofs.values():
        proof.write_text(json.dumps(told))
        status, said = by_the_verifier(proof, "--proof", "--first-key", key, "--witness", witness)
        assert status == 0, said
        assert said.splitlines()[3:] == [line for one in told["entries"] for line in one["lines"]]
        assert "the witness holds checkpoint" in said
        assert invoke("verify", "--proof", proof, "--first-key", key, "--witness", witness).exit_code == 0
    one = proofs[1]["entries"][3]
    for line in map(json.loads, one["lines"]):
        assert json.loads(invoke("journal", "prove", path, str(line["seq"])).stdout)["entries"] == [one]
    done = invoke("journal", "prove", path, "100000")
    assert (done.exit_code, "no line 100000 is in it" in done.stderr) == (2, True)


def test_a_proof_that_was_altered_is_none(path: Path, tmp_path: Path) -> None:
    told = json.loads(invoke("journal", "prove", path, "--round", "2").stdout)
    other = json.loads(invoke("journal", "prove", path, "--round", "4").stdout)
    first, *rest = told["entries"]
    at = first["entry"]
    notes = other["keys"]
    cases: list[tuple[dict[str, object], str]] = [
        (
            {
                "entries": [
                    {**first, "lines": [first["lines"][0].replace("at", "\\u0061t"), *first["lines"][1:]]},
                    *rest,
                ]
            },
            "not among",
        ),
        ({"entries": [{**first, "entry": at + 1}]}, f"entry {at + 1}: not among"),
        ({"entries": [{**first, "entry": -1}]}, "entry -1: not among"),
        ({"entries": [{**first, "entry": 1 << 80}]}, "not a proof"),
        ({"entries": [{**first, "path": first["path"][:-1]}]}, f"entry {at}: not among"),
        ({"entries": [{**first, "path": [*first["path"], "00"]}]}, f"entry {at}: not among"),
        ({"entries": [{**first, "path": ["zz"]}]}, "not a proof"),
        ({"entries": 7}, "not a proof"),
        ({"checkpoint": told["checkpoint"].replace("checkpoint ", "checkpoint 1", 1)}, "is not signed"),
        # A later key signs for its own shoe game alone, though these entries are in its tree.
        ({"checkpoint": other["checkpoint"], "keys": notes}, "not among those from"),
        ({"checkpoint": "", "keys": notes}, "not among those from"),
        ({"checkpoint": other["checkpoint"]}, "out of its turn"),
        ({"checkpoint": told["keys"][0]}, "checkpoint 0 is missing: in its place stands the statement of key 0"),
        ({"keys": told["keys"][1:]}, "key 0 is missing: in its place"),
        ({"keys": []}, "this journal is unsigned"),
        ({"header": told["header"].replace("B-101", "B-102")}, "not what the statement of key 0 was signed for"),
        ({"header": "{}"}, "not a header"),
    ]
    proof = tmp_path / "proof.json"
    verifier = separate_verifier()
    for change, said in cases:
        proof.write_text(json.dumps({**told, **change}))
        with pytest.raises(verifier.Wrong) as caught:
            verifier.check_proof(proof)
        assert said in str(caught.value), (change.keys(), str(caught.value))
        assert invoke("verify", "--proof", proof).exit_code == 4, change.keys()
    proof.write_text(json.dumps(told))
    with pytest.raises(verifier.Wrong, match="the first key is"):
        verifier.check_proof(proof, None, "another")
    key = json.loads(told["header"])["key"]
    assert invoke("verify", "--proof", proof, "--first-key", key).exit_code == 0
    other_key = str(SigningKey("x", Ed25519PrivateKey.generate()).public)
    assert "the first key is" in invoke("verify", "--proof", proof, "--first-key", other_key).stderr
    witness = tmp_path / "witness"
    witness.touch()
    status, text = by_the_verifier(proof, "--proof", "--witness", witness)
    assert (status, "the witness does not hold checkpoint" in text) == (4, True)
    assert "the witness does not hold" in invoke("verify", "--proof", proof, "--witness", witness).stderr


def test_what_is_not_signed_yet_is_not_proved(tmp_path: Path) -> None:
    path = journal_of(tmp_path / "b.journal")
    with Journal.open(path) as journal:
        last = journal.last_seq
        journal.append([data_of([written({"event": "card", "seq": last + 1})])])
    done = invoke("journal", "prove", path, str(last + 1))
    assert (done.exit_code, "not under a signature yet" in done.stderr) == (1, True)
    assert invoke("journal", "prove", path, str(last)).exit_code == 0
    assert "are not signed yet" in invoke("journal", "export", path).stderr
    assert os.access(path, os.W_OK)
