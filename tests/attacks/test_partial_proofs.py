"""Attack: whoever hands over the proof of a round leaves out, doubles or reverses some of its entries."""

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

from cardshoe.journal import Journal, Keyring, read_only
from cardshoe.journal.file.chain import data_of
from cardshoe.journal.proof.note import SigningKey
from cardshoe.journal.proof.statements import Checkpoint, origin_of
from cardshoe.journal.proof.tree import Frontier, StoredTree, leaf_hash
from tests.cardshoe.cli.journals import STARTED, entries_of, journal_id, journal_of
from tests.cardshoe.cli.support import GAME, Line, invoke
from tests.tamper.campaign import separate_verifier

ROUNDS: Final[list[Line]] = [*GAME, {"event": "shoe_ended", "reason": "house"}]
Proof = dict[str, Any]


@pytest.fixture(scope="module")
def verifier() -> ModuleType:
    return separate_verifier()


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return journal_of(tmp_path / "b.journal", ROUNDS)


def proof_of(journal: Path, *asked: str) -> Proof:
    done = invoke("journal", "prove", journal, *asked)
    assert done.exit_code == 0, done.stderr
    proof: Proof = json.loads(done.stdout)
    return proof


def test_a_round_is_proved_from_its_first_entry_to_its_last(journal: Path, verifier: ModuleType) -> None:
    proof = proof_of(journal, "--round", "1")
    stored = {entry.number: [json.loads(line) for line in entry.lines] for entry in entries_of(journal)}
    numbers = [one["entry"] for one in proof["entries"]]
    of_round = [number for number, lines in stored.items() if lines[0].get("round") == 1]
    assert numbers == [of_round[0] - 1, *range(of_round[0], of_round[-1] + 1)]
    assert [[json.loads(line) for line in one["lines"]] for one in proof["entries"]] == [stored[n] for n in numbers]
    file = journal.with_name("proof.json")
    file.write_text(json.dumps(proof))
    assert verifier.check_proof(file).startswith(f"round 1, {len(of_round)} entries, proved by ")
    done = invoke("verify", "--proof", file)
    lines = [line for one in proof["entries"] for line in one["lines"]]
    assert (done.exit_code, done.stdout.splitlines()[1:]) == (0, lines)
    assert done.stdout.startswith(f"{file}: round 1, entries {numbers[0]} to {numbers[-1]}, proved\n")


def refused_by_both(verifier: ModuleType, file: Path, said: str) -> None:
    with pytest.raises(verifier.Wrong) as caught:
        verifier.check_proof(file)
    assert said in str(caught.value)
    done = invoke("verify", "--proof", file)
    assert done.exit_code == 4
    assert said in done.stderr


def without(proof: Proof, *places: int) -> Proof:
    """The proof without some of its entries."""
    entries = list(proof["entries"])
    for place in sorted(places, reverse=True):
        del entries[place]
    return {**proof, "entries": entries}


ATTACKS: Final[dict[str, tuple[Callable[[Proof], Proof], str]]] = {
    "the first is left out": (lambda p: without(p, 1), "do not follow each other"),
    "what came before is left out": (lambda p: without(p, 0), "does not show what came before"),
    "the first is left out, and what came before": (lambda p: without(p, 0, 1), "does not show what came before"),
    "the last is left out": (lambda p: without(p, -1), "not the last"),
    "one in the middle is left out": (lambda p: without(p, 3), "do not follow each other"),
    "in reverse": (lambda p: {**p, "entries": p["entries"][::-1]}, "do not follow each other"),
    "none": (lambda p: {**p, "entries": []}, "not a proof"),
    "none of the round": (lambda p: {**p, "entries": p["entries"][:1]}, "no entry of round 1"),
    "one twice": (lambda p: {**p, "entries": p["entries"][:1] + p["entries"]}, "do not follow each other"),
    "another round": (lambda p: {**p, "round": 2}, "no entry of round 2"),
    "no round": (lambda p: {**p, "round": None}, "more than one entry"),
    "a round that is no number": (lambda p: {**p, "round": True}, "not a proof"),
    "one entry called a round": (
        lambda p: {**p, "entries": p["entries"][1:2]},
        "does not show what came before",
    ),
    "another form": (lambda p: {**p, "proof": "cardshoe/journal/2"}, "not a proof"),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_proof_with_other_entries_is_none(journal: Path, verifier: ModuleType, attack: str) -> None:
    change, said = ATTACKS[attack]
    file = journal.with_name("proof.json")
    file.write_text(json.dumps(change(proof_of(journal, "--round", "1"))))
    refused_by_both(verifier, file, said)


@pytest.mark.parametrize("member", ["entries", "round", "keys", "header"])
def test_a_member_that_stands_twice_is_refused(journal: Path, verifier: ModuleType, member: str) -> None:
    proof = proof_of(journal, "--round", "1")
    text = json.dumps(proof)
    file = journal.with_name("proof.json")
    file.write_text(text[:-1] + f', "{member}": {json.dumps(proof[member])}}}')
    refused_by_both(verifier, file, "not a proof")
    entry = json.dumps(proof["entries"][0])
    file.write_text(text.replace(entry, entry[:-1] + ', "entry": 1}', 1))
    refused_by_both(verifier, file, "not a proof")


def test_one_entry_is_one_entry(journal: Path, verifier: ModuleType) -> None:
    proof = proof_of(journal, "7")
    file = journal.with_name("proof.json")
    file.write_text(json.dumps(proof))
    assert verifier.check_proof(file).startswith("1 entry, proved by ")
    file.write_text(json.dumps({**proof, "entries": proof["entries"] * 2}))
    refused_by_both(verifier, file, "do not follow each other")


def test_a_round_that_is_not_over_is_not_proved(tmp_path: Path) -> None:
    journal = journal_of(tmp_path / "b.journal", GAME[:-1])
    with read_only(journal) as evidence:
        assert json.loads(list(evidence.entries())[-1].lines[-1])["round"] == 1
    done = invoke("journal", "prove", journal, "--round", "1")
    assert (done.exit_code, "round 1 is not over" in done.stderr) == (1, True)
    with Journal.open(journal):
        pass


def changed(proof: Proof, part: str, **members: object) -> Proof:
    return {**proof, part: [{**proof[part][0], **members}, *proof[part][1:]]}


OTHER_FORMS: Final[dict[str, Callable[[Proof], Proof]]] = {
    "no form": lambda p: {name: value for name, value in p.items() if name != "proof"},
    "a member more": lambda p: {**p, "verdict": "the table cheated"},
    "a member more of an entry": lambda p: changed(p, "entries", note="altered"),
    "a hash in capitals": lambda p: changed(p, "entries", path=[one.upper() for one in p["entries"][0]["path"]]),
    "a hash with spaces": lambda p: changed(p, "entries", path=[f" {one}" for one in p["entries"][0]["path"]]),
    "half a surrogate pair": lambda p: changed(p, "entries", lines=["\ud800"]),
    "half a surrogate pair in a key": lambda p: {**p, "keys": ["\ud800"]},
    "lines as a text": lambda p: changed(p, "entries", lines="x"),
    "no lines": lambda p: changed(p, "entries", lines=[]),
    "a line with a line feed": lambda p: changed(p, "entries", lines=["\n".join(p["entries"][0]["lines"])]),
    "keys as a text": lambda p: {**p, "keys": p["keys"][0]},
    "a number as a truth": lambda p: changed(p, "entries", entry=True),
}


@pytest.mark.parametrize("attack", OTHER_FORMS)
def test_a_proof_has_one_form(journal: Path, verifier: ModuleType, attack: str) -> None:
    file = journal.with_name("proof.json")
    file.write_text(json.dumps(OTHER_FORMS[attack](proof_of(journal, "--round", "1"))))
    with pytest.raises(verifier.Wrong):
        verifier.check_proof(file)
    assert invoke("verify", "--proof", file).exit_code == 4


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_proof_is_utf_8(journal: Path, verifier: ModuleType, encoding: str) -> None:
    file = journal.with_name("proof.json")
    file.write_text(json.dumps(proof_of(journal, "--round", "1")), encoding=encoding)
    refused_by_both(verifier, file, "not a proof of entries of a journal")


def signed(journal: Path, *entries: list[str], round_no: int | None = None) -> Proof:
    """A proof of entries that a log never had: whoever has its key signs them behind its first ones."""
    key = SigningKey(origin_of(journal_id(journal)), Keyring(journal).load(0))
    proof = proof_of(journal, "1")
    with read_only(journal) as evidence:
        kept = [evidence.genesis, *itertools.islice(evidence.entries(), 2)]
    leaves = [leaf_hash(one.data) for one in kept]
    leaves += [leaf_hash(data_of(line.encode() for line in lines)) for lines in entries]
    tree = StoredTree(lambda row: grown(leaves[: row + 1]), leaves.__getitem__)
    size = len(leaves)
    checkpoint = Checkpoint(origin=key.public.name, size=size, root=tree.root(size), number=1, epoch=0, at=STARTED)
    told = [
        {"entry": number, "lines": lines, "path": [node.hex() for node in tree.inclusion(number, size)]}
        for number, lines in enumerate(entries, start=len(kept))
    ]
    note = checkpoint.signed(key).decode()
    return {**proof, "keys": proof["keys"][:1], "checkpoint": note, "round": round_no, "entries": told}


def grown(leaves: list[bytes]) -> bytes:
    """What the row of the last of these leaves stores."""
    edge = Frontier()
    return [edge.add(leaf) for leaf in leaves][-1]


BEFORE, ASKS, ENDS = (
    '{"event":"burn","seq":9}',
    '{"event":"card","seq":10,"round":1}',
    '{"event":"next","seq":11,"do":"nothing"}',
)
NO_LINES: Final[dict[str, tuple[int | None, list[list[str]]]]] = {
    "a member twice in a line": (None, [['{"event":"card","seq":9,"card":"AS","card":"KS"}']]),
    "a space in a line": (None, [['{"event":"card", "seq":9}']]),
    "no event": (1, [['{"seq":9}'], [ASKS, ENDS]]),
    "no number": (None, [['{"event":"card"}']]),
    "a number that is a truth": (None, [['{"event":"card","seq":true}']]),
    "a number that is a text": (None, [['{"event":"card","seq":"9"}']]),
    "a line that is empty": (None, [[""]]),
    "a line that is no object": (None, [["7"]]),
    "a field that no line has": (None, [['{"event":"card","seq":9,"verdicts":1}']]),
    "lines out of order": (1, [[BEFORE], [ENDS, ASKS]]),
    "a line of another entry's number": (1, [[BEFORE], [ASKS.replace("10", "9"), ENDS]]),
    "a number left out between entries": (1, [[BEFORE], [ASKS.replace("10", "11"), ENDS.replace("11", "12")]]),
    "a round that is a truth": (1, [[BEFORE], [ASKS.replace("1}", "true}"), ENDS]]),
    "a round that is no whole number": (1, [[BEFORE], [ASKS.replace("1}", "1.0}"), ENDS]]),
    "an entry that passes over another one": (
        None,
        [[f'{{"event":"passed_over","seq":9,"at":"{STARTED}","entry":7,"hash":"{"0" * 64}","by":["7","8"]}}']],
    ),
    "one person who passes over": (
        None,
        [[f'{{"event":"passed_over","seq":9,"at":"{STARTED}","entry":2,"hash":"{"0" * 64}","by":["7","7"]}}']],
    ),
}


@pytest.mark.parametrize("attack", NO_LINES)
def test_what_is_no_line_is_not_proved_though_it_is_signed(journal: Path, verifier: ModuleType, attack: str) -> None:
    round_no, entries = NO_LINES[attack]
    file = journal.with_name("proof.json")
    file.write_text(json.dumps(signed(journal, *entries, round_no=round_no)))
    with pytest.raises(verifier.Wrong):
        verifier.check_proof(file)
    assert invoke("verify", "--proof", file).exit_code == 4


@pytest.mark.parametrize(
    ("round_no", "entries"),
    [
        (1, [[BEFORE], [ASKS, ENDS]]),
        (None, [[BEFORE]]),
        (
            None,
            [[f'{{"event":"passed_over","seq":9,"at":"{STARTED}","entry":2,"hash":"{"0" * 64}","by":["7","8"]}}']],
        ),
    ],
)
def test_lines_of_a_log_are_proved(
    journal: Path, verifier: ModuleType, round_no: int | None, entries: list[list[str]]
) -> None:
    file = journal.with_name("proof.json")
    file.write_text(json.dumps(signed(journal, *entries, round_no=round_no)))
    assert "proved by checkpoint 1" in verifier.check_proof(file)
    assert invoke("verify", "--proof", file).exit_code == 0
