"""Tests of the tests: an article that a table tells cannot be another one without a case that notices."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import pytest

from regulations.games.registry import GAMES
from regulations.law.payouts import Payout
from regulations.law.rulebook import Rulebook
from tests.kit.length import at_length
from tests.regulations.support.kits import ENFORCED
from tests.regulations.support.notation import Case
from tests.regulations.support.running import Mismatch, run
from tests.regulations.traceability import fired_at

BOGUS: Final = "1/1999 art. 99.º"
STRIDE: Final = at_length(12, 1)
"""One rule in so many: each makes its machine anew. That an article is another one is a mutant too (`make mutants`)."""
games: Final = pytest.mark.parametrize("game", ENFORCED)


def _names_article(rule: Any) -> bool:  # noqa: ANN401  a row or a rule of settlement
    return isinstance(rule, Payout) or rule.refusal is not None or rule.irregularity is not None


def _with_a_bogus_article(rulebook: Rulebook) -> Iterator[tuple[str, Rulebook]]:
    for part in ("gate", "shoe", "round", "payouts"):
        rules = list(getattr(rulebook, part))
        for number, rule in enumerate(rules):
            if _names_article(rule):
                changed = [*rules[:number], replace(rule, article=BOGUS), *rules[number + 1 :]]
                yield rulebook.name_of(rule), replace(rulebook, **{part: changed})


@pytest.mark.statistical
@games
def test_a_bogus_article_is_noticed_by_a_case(game: str, seed: int) -> None:
    fired = fired_at(game)
    changed = list(_with_a_bogus_article(GAMES[game].rulebook))
    assert len(changed) > 50
    unnoticed = [
        name
        for name, rulebook in changed[seed % STRIDE :: STRIDE]
        if not any(_fails(case, rulebook) for case, _ in fired.get(name, ()))
    ]
    assert unnoticed == []


def _fails(case: Case, rulebook: Rulebook) -> bool:
    try:
        run(case, rulebook)
    except Mismatch:
        return True
    return False
