"""Attack: whoever hands over the proof of a round leaves out, doubles or turns round some of its entries.

What was possible: each entry of a proof was checked by itself, so a proof of round 2 without the entry that settles it,
with its entries in reverse, with one of them twice, or with none at all was found good by ``cardshoe-verify --proof``.
A member that stood twice in the JSON showed one reader another proof than the next. ``cardshoe-verify`` passed over
members that no proof has, and ended with a traceback at half a surrogate pair; ``cardshoe verify`` took a proof without
its form.

What stops it now: a proof of a round names it, and holds consecutive entries from its first line to its last, in
order; the entry before, which comes with it, shows that none is missing at the start, the ``next`` that no longer
belongs to the round that none is missing at the end. A member that stands twice is refused, and so is all that is not
of the one form.
"""

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

from cardshoe.journal import Journal, read_only
from tests.cardshoe.cli.journals import entries_of, journal_of
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


def test_a_round_is_proved_from_its_first_line_to_its_last(journal: Path, verifier: ModuleType) -> None:
    proof = proof_of(journal, "--round", "1")
    lines = {entry.seq: json.loads(entry.line) for entry in entries_of(journal)}
    seqs = [one["seq"] for one in proof["entries"]]
    of_round = [seq for seq, line in lines.items() if line.get("round") == 1]
    assert seqs == list(range(seqs[0], seqs[-1] + 1))
    assert (seqs[0], of_round[0]) == (of_round[0], seqs[0])
    assert set(of_round) <= set(seqs)
    assert lines[seqs[-1]]["event"] == "next"
    assert [one["seq"] for one in proof["before"]] == [seqs[0] - 1]
    file = journal.with_name("proof.json")
    file.write_text(json.dumps(proof))
    assert verifier.check_proof(file).startswith(f"round 1, {len(seqs)} entries, proved by ")
    done = invoke("verify", "--proof", file)
    assert (done.exit_code, done.stdout.splitlines()[1:]) == (0, [one["line"] for one in proof["entries"]])
    assert done.stdout.startswith(f"{file}: round 1, entries {seqs[0]} to {seqs[-1]}, proved\n")


def refused_by_both(verifier: ModuleType, file: Path, said: str) -> None:
    with pytest.raises(verifier.Wrong) as caught:
        verifier.check_proof(file)
    assert said in str(caught.value)
    done = invoke("verify", "--proof", file)
    assert done.exit_code == 4
    assert said in done.stderr


ATTACKS: Final[dict[str, tuple[Callable[[Proof], Proof], str]]] = {
    "the first is left out": (lambda p: {**p, "entries": p["entries"][1:]}, "do not follow each other"),
    "the first is left out, and what came before moves up": (
        lambda p: {**p, "before": p["entries"][:1], "entries": p["entries"][1:]},
        "does not show what came before",
    ),
    "the first input is left out": (
        lambda p: {**p, "before": p["entries"][1:2], "entries": p["entries"][2:]},
        "not the first line of round 1",
    ),
    "the last is left out": (lambda p: {**p, "entries": p["entries"][:-1]}, "not the last line of round 1"),
    "the last input is left out": (lambda p: {**p, "entries": p["entries"][:-2]}, "not the last line of round 1"),
    "one in the middle is left out": (
        lambda p: {**p, "entries": p["entries"][:3] + p["entries"][4:]},
        "do not follow each other",
    ),
    "in reverse": (lambda p: {**p, "entries": p["entries"][::-1]}, "do not follow each other"),
    "none": (lambda p: {**p, "entries": []}, "not a proof"),
    "none of what came before": (lambda p: {**p, "before": []}, "does not show what came before"),
    "one twice": (lambda p: {**p, "entries": p["entries"][:1] + p["entries"]}, "do not follow each other"),
    "another round": (lambda p: {**p, "round": 2}, "not the first line of round 2"),
    "no round": (lambda p: {**p, "round": None, "before": []}, "more than one entry"),
    "a round that is no number": (lambda p: {**p, "round": True}, "not a proof"),
    "one entry called a round": (
        lambda p: {**p, "entries": p["entries"][:1]},
        "not the last line of round 1",
    ),
    "the first form": (lambda p: {**p, "proof": "cardshoe/journal/1"}, "not a proof"),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_proof_with_other_entries_is_none(journal: Path, verifier: ModuleType, attack: str) -> None:
    change, said = ATTACKS[attack]
    file = journal.with_name("proof.json")
    file.write_text(json.dumps(change(proof_of(journal, "--round", "1"))))
    refused_by_both(verifier, file, said)


@pytest.mark.parametrize("member", ["entries", "round", "before", "header"])
def test_a_member_that_stands_twice_is_refused(journal: Path, verifier: ModuleType, member: str) -> None:
    proof = proof_of(journal, "--round", "1")
    text = json.dumps(proof)
    file = journal.with_name("proof.json")
    file.write_text(text[:-1] + f', "{member}": {json.dumps(proof[member])}}}')
    refused_by_both(verifier, file, "not a proof")
    entry = json.dumps(proof["entries"][0])
    file.write_text(text.replace(entry, entry[:-1] + ', "seq": 1}', 1))
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
        assert json.loads(list(evidence.entries())[-1].line)["round"] == 1
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
    "a member more of what came before": lambda p: changed(p, "before", note="altered"),
    "a hash in capitals": lambda p: changed(p, "entries", path=[one.upper() for one in p["entries"][0]["path"]]),
    "a hash with spaces": lambda p: changed(p, "entries", path=[f" {one}" for one in p["entries"][0]["path"]]),
    "half a surrogate pair": lambda p: changed(p, "entries", line="\ud800"),
    "half a surrogate pair in a key": lambda p: {**p, "keys": ["\ud800"]},
    "keys as a text": lambda p: {**p, "keys": p["keys"][0]},
    "a number as a truth": lambda p: changed(p, "before", seq=True),
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
