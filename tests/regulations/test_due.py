"""What is due is found once a move and kept: after every input of every case it is what the round would find anew."""

import pytest

from tests.regulations.support.kits import ENFORCED
from tests.regulations.support.notation import read_cases
from tests.regulations.support.running import as_told, opened


@pytest.mark.parametrize("game", ENFORCED)
def test_what_is_kept_as_due_is_due(game: str) -> None:
    asked = set()
    for case in read_cases(game):
        procedure = opened(case.table)
        for step in [] if case.broken else case.steps:
            procedure.apply(as_told(procedure, step.given))
            scope = procedure._context.scope  # noqa: SLF001  compared from within
            assert scope.due == scope.round.find_due(), f"{case.name}, line {step.line}"
            asked.add(scope.due)
    assert len(asked) > 1
