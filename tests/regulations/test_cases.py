"""The law, case by case: what is written in ``cases/`` is what the machine answers."""

from pathlib import Path
from typing import Final

import pytest

from tests.regulations.support.kits import ENFORCED, KITS
from tests.regulations.support.notation import all_cases, files_of, read_file
from tests.regulations.support.running import Mismatch, run

FILES: Final = [
    pytest.param(game, path, id=f"{game}-{path.parent.name}-{path.stem}")
    for game in ENFORCED
    for path in files_of(game)
]
"""They are read when their test runs: to read 3,400 cases takes each process of a run a second, and a test of its own
for each of them takes as long again as the case."""


@pytest.mark.law
@pytest.mark.parametrize(("game", "path"), FILES)
def test_the_machine_answers_as_every_case_of_a_file_demands(game: str, path: Path) -> None:
    failed: list[Mismatch] = []
    for case in read_file(path, KITS[game]):
        try:
            run(case)
        except Mismatch as mismatch:
            failed += [] if case.broken else [mismatch]
        else:
            assert not case.broken, f"{case.game}, {case.name} is satisfied: take its `!` away"
    if failed:
        raise ExceptionGroup(f"{len(failed)} cases", failed)


@pytest.mark.law
def test_every_case_has_a_name_of_its_own_and_demands_something() -> None:
    cases = all_cases()
    names = [(case.game, case.name) for case in cases]
    assert len(set(names)) == len(names)
    assert [case.name for case in cases if not case.opening and not any(step.expected for step in case.steps)] == []
