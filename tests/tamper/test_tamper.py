"""The tamper campaign in short; `make tamper` runs it in full."""

from pathlib import Path

import pytest

from tests.kit.length import at_length
from tests.tamper.campaign import Campaign, judged
from tests.tamper.mutations import KINDS, Done

MUTATIONS, CRASHES = at_length(80, 600), at_length(4, 30)


@pytest.mark.statistical
@pytest.mark.timeout(600)  # hundreds of journals, twice verified each, on a machine that may be busy
def test_every_mutation_is_found_and_named_and_no_crash_is_taken_for_one(tmp_path: Path, seed: int) -> None:
    campaign = Campaign(tmp_path, seed)
    campaign.crash(CRASHES)
    campaign.mutate(MUTATIONS)
    result = campaign.result
    assert result.missed == []
    assert (result.mutations, result.found, result.false_alarms) == (MUTATIONS, MUTATIONS, 0)
    assert result.by_kind.keys() == KINDS.keys()


@pytest.mark.parametrize(
    ("done", "seq", "said", "complaint"),
    [
        (Done("flip", 5, exact=True), None, "", "not found"),
        (Done("flip", 5, exact=True), 5, "entry 5: altered; proved up to entry 4", ""),
        (Done("flip", 5, exact=True), 6, "entry 6: altered; proved up to entry 4", "names another entry"),
        (Done("flip", 5, exact=True), 5, "entry 5: altered; proved up to entry 5", "says that too much is proved"),
        (Done("word", 5, exact=False), 3, "one of the entries 3 to 9 is not what was signed", ""),
        (Done("word", 5, exact=False), 3, "one of the entries 3 to 4 is not what was signed", "all before it"),
        (Done("word", 5, exact=True), None, "damaged", "names no entry"),
        (Done("note_flip", None, exact=True), None, "damaged", "does not name the note"),
        (Done("note_flip", None, exact=True), None, "checkpoint 3: not a signed note", ""),
    ],
)
def test_the_judge_is_strict(done: Done, seq: int | None, said: str, complaint: str) -> None:
    found = judged(done, seq, said)
    assert bool(found) == bool(complaint)
    assert complaint in found
