"""The law, case by case: what is written in ``cases/`` is what the machine answers."""

from typing import Final

import pytest

from tests.regulations.support.kits import ENFORCED
from tests.regulations.support.notation import Case, all_cases, read_cases
from tests.regulations.support.running import run

CASES: Final = all_cases()


def _parameters() -> list[object]:
    return [
        pytest.param(
            case,
            id=f"{case.game}-{case.name}",
            marks=[pytest.mark.xfail(strict=True, raises=AssertionError, reason=case.broken)] if case.broken else [],
        )
        for case in CASES
    ]


@pytest.mark.parametrize("case", _parameters())
def test_the_machine_answers_as_the_case_demands(case: Case) -> None:
    run(case)


@pytest.mark.law
@pytest.mark.parametrize("game", ENFORCED)
def test_the_machine_answers_as_every_case_of_a_game_demands(game: str) -> None:
    """All at once, for mutants: as tests of their own the cases take twice as long."""
    for case in read_cases(game):
        if not case.broken:
            run(case)


@pytest.mark.law
def test_every_case_has_a_name_of_its_own_and_demands_something() -> None:
    names = [(case.game, case.name) for case in CASES]
    assert len(set(names)) == len(names)
    assert [case.name for case in CASES if not case.opening and not any(step.expected for step in case.steps)] == []
