"""Tests of the tests: every rule is exercised by cases that notice when it is missing, and the matrix says so."""

import json
from typing import Final

import pytest

from regulations.baccarat.game import ARTICLES
from tests.regulations.support.notation import Case, read_cases
from tests.regulations.support.running import Mismatch, run
from tests.regulations.support.tracing import RULEBOOK
from tests.regulations.traceability import MATRIX, fired_in, listed, rule_names, without

AGAIN: Final = "write it again: python -m tests.regulations.traceability --write"


@pytest.fixture(scope="module")
def fired() -> dict[str, list[Case]]:
    return fired_in(read_cases())


@pytest.fixture(scope="module")
def matrix() -> dict[str, list[str]]:
    found = json.loads(MATRIX.read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def test_the_matrix_lists_every_rule_and_no_other(matrix: dict[str, list[str]]) -> None:
    assert sorted(matrix) == rule_names(), AGAIN


@pytest.mark.parametrize("name", rule_names())
def test_without_a_rule_every_case_listed_for_it_fails(
    name: str, fired: dict[str, list[Case]], matrix: dict[str, list[str]]
) -> None:
    """The list is found anew: it must not be empty, and the file must hold exactly it."""
    found = listed(name, fired)
    assert found, f"no case would notice if the rule {name} were missing"
    assert matrix.get(name) == found, AGAIN


def test_every_article_of_a_rule_is_known_and_every_known_article_has_rule_and_case(
    matrix: dict[str, list[str]],
) -> None:
    cited = {article: RULEBOOK.name_of(rule) for rule in RULEBOOK.rules for article in (rule.article, *rule.also)}
    assert {article for article in cited if not article.startswith("reading ")} == set(ARTICLES)
    assert [article for article, name in cited.items() if not matrix[name]] == []


def test_a_wrong_expectation_is_noticed() -> None:
    """The comparison itself: with another article, another card, or an output less the case fails."""
    case = next(case for case in read_cases() if case.name == "tableau: the example of the table log")
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
    return Case(name=case.name, table=case.table, steps=steps, opening=case.opening)


def test_a_rule_that_is_none_cannot_be_taken_out() -> None:
    with pytest.raises(KeyError):
        without("round:judge@nowhere")
