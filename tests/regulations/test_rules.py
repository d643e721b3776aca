"""Tests of the tests: every rule is exercised by cases that notice when it is missing, and the matrix says so."""

from typing import Final

import pytest

from regulations.games import GAMES
from tests.regulations.support.kits import ENFORCED
from tests.regulations.support.notation import Case, read_cases
from tests.regulations.support.running import Mismatch, run
from tests.regulations.support.tracing import rulebook_of
from tests.regulations.traceability import listed, recorded, rule_names, without

AGAIN: Final = "write it again: python -m tests.regulations.traceability --write"
games: Final = pytest.mark.parametrize("game", ENFORCED)


def test_every_enforced_game_has_its_kit() -> None:
    assert set(ENFORCED) == set(GAMES)


@games
def test_the_matrix_lists_every_rule_and_no_other(game: str) -> None:
    assert sorted(recorded(game)) == rule_names(game), AGAIN


@pytest.mark.parametrize(
    ("game", "name"), [pytest.param(game, name, id=f"{game}-{name}") for game in ENFORCED for name in rule_names(game)]
)
def test_without_a_rule_every_case_listed_for_it_fails(game: str, name: str) -> None:
    """The list is found anew: it must not be empty, and the file must hold exactly it."""
    found = listed(game, name)
    assert found, f"no case would notice if the rule {name} were missing"
    assert recorded(game).get(name) == found, AGAIN


@games
def test_every_article_of_a_rule_is_known_and_every_known_article_has_rule_and_case(game: str) -> None:
    rulebook, matrix = rulebook_of(game), recorded(game)
    cited = {article: rulebook.name_of(rule) for rule in rulebook.rules for article in (rule.article, *rule.also)}
    assert {article for article in cited if not article.startswith("reading ")} == set(GAMES[game].articles)
    assert [article for article, name in cited.items() if not matrix[name]] == []


def test_a_wrong_expectation_is_noticed() -> None:
    """The comparison itself: with another article, another card, or an output less the case fails."""
    case = next(case for case in read_cases("baccarat") if case.name == "tableau: the example of the table log")
    step = case.steps[-2]
    assert step.expected is not None
    for change in ({"article": ["55/2004 art. 9.º-1"]}, {"card": "5C"}, {"position": 3}, {"round": 2}):
        expected = [{**step.expected[0], **change}, *step.expected[1:]]
        with pytest.raises(Mismatch):
            run(_with(case, expected))
    with pytest.raises(Mismatch):
        run(_with(case, step.expected[1:]))


def _with(case: Case, expected: list[dict[str, object]]) -> Case:
    last = case.steps[-2]
    steps = [*case.steps[:-2], type(last)(line=last.line, text=last.text, given=last.given, expected=expected)]
    return Case(name=case.name, game=case.game, table=case.table, steps=steps, opening=case.opening)


@games
def test_a_rule_that_is_none_cannot_be_taken_out(game: str) -> None:
    with pytest.raises(KeyError):
        without(game, "round:judge@nowhere")
