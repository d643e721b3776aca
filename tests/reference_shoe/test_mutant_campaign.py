"""The campaign of mutants: it changes code and nothing else, and tells what noticed a change."""

import pytest

from tests.reference_shoe.building import FOLDER, needs_compiler
from tests.reference_shoe.mutant_campaign import FILES, SEED, Fate, campaign, mutants_of


@pytest.mark.parametrize("file", FILES)
def test_each_mutant_is_another_program(file: str) -> None:
    source = (FOLDER / "core" / f"{file}.c").read_text(encoding="utf-8")
    mutants = list(mutants_of(file))
    texts = {source[: one.start] + one.after + source[one.end :] for one in mutants}
    assert source not in texts
    assert len(texts) == len(mutants) > 20
    for one in mutants:
        line = source.splitlines()[one.line - 1]
        before = line.split("/*")[0]
        assert one.shown.startswith(before.strip()), "comments stay"


@pytest.mark.slow
@needs_compiler
def test_what_notices_a_mutant_is_told() -> None:
    wanted = {
        "link": ("send_again(link, now_ms);  ->  ;", Fate.FAILED),
        "memory": ("copy.check = check_of(&copy);  ->  ;", Fate.FAILED),
        "frame": ("size_t length = 0;  ->  size_t length = 1;", Fate.SAME_CODE),
    }
    mutants = [next(one for one in mutants_of(file) if one.shown == shown) for file, (shown, _fate) in wanted.items()]
    trials = list(campaign(mutants, SEED))
    assert [trial.fate for trial in trials] == [fate for _shown, fate in wanted.values()], trials
    assert trials[0].by.startswith("stream.")
