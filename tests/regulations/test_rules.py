"""Tests of the tests: every rule is exercised by cases that notice when it is missing, and the matrix says so."""

from typing import Final

import pytest

from regulations.games import GAMES
from tests.regulations.support.kits import ENFORCED
from tests.regulations.support.notation import Case, read_cases
from tests.regulations.support.running import Mismatch, run
from tests.regulations.traceability import articles_of, listed, recorded, rule_names, without

AGAIN: Final = "write it again: python -m tests.regulations.traceability --write"
NAMED_BY_NO_OUTPUT: Final = frozenset(
    {
        # What cards are worth, which wagers there are, and how hands compare: the settlement cites what that leads to.
        *(f"55/2004 art. {one}" for one in ("5.º", "13.º-1", "13.º-2", "13.º-3")),
        *(f"56/2004 art. {one}" for one in ("3.º-3", "8.º", "10.º-1", "10.º-5", "13.º-1(1)", "13.º-1(2)")),
        *(f"56/2004 art. {one}" for one in ("13.º-2(1)", "13.º-2(2)", "17.º-1", "19.º-2")),
        *("74/2005 art. 4.º", "22/96/M annex", "22/96/M art. 5.º", "22/96/M art. 7.º-1", "22/96/M art. 10.º"),
        *(f"89/2004 art. {one}" for one in ("5.º-2", "6.º-1", "10.º")),
        # Which equipment there is: a profile is refused by the paragraph of what it asks for.
        *("56/2004 art. 1.º-1", "56/2004 art. 1.º-4", "74/2005 art. 1.º-3", "74/2005 art. 1.º-4", "89/2004 art. 1.º-3"),
        # When the croupier's second card comes: the prompt cites the order of play.
        *(f"56/2004 art. {one}" for one in ("5.º-2(1)(1)", "5.º-2(1)(2)", "5.º-2(2)(2)")),
    }
)
"""Articles that rules enforce beside their own, and of which no output speaks."""
MACHINES: Final = ("gate", "shoe", "round", "settle")
"""Of a rulebook; as tests of their own the 1,300 rules take half as long again."""
games: Final = pytest.mark.parametrize("game", ENFORCED)


def test_every_enforced_game_has_its_kit() -> None:
    assert set(ENFORCED) == set(GAMES)


@games
def test_the_matrix_lists_every_rule_and_no_other(game: str) -> None:
    assert sorted(recorded(game)) == rule_names(game), AGAIN


@games
@pytest.mark.parametrize("machine", MACHINES)
def test_without_a_rule_every_case_listed_for_it_fails(game: str, machine: str) -> None:
    """The lists are found anew: none may be empty, and the file must hold exactly them."""
    names = [name for name in rule_names(game) if name.startswith(f"{machine}:")]
    assert names
    found = {name: listed(game, name) for name in names}
    missed = [name for name, lists in found.items() if not lists[articles_of(game)[name][0]]]
    assert missed == [], "no case would notice if these rules were missing"
    assert {name: lists for name, lists in recorded(game).items() if name in found} == found, AGAIN


@games
def test_every_article_of_a_rule_is_known_and_has_a_case(game: str) -> None:
    matrix = recorded(game)
    cited = {article for articles in articles_of(game).values() for article in articles}
    law = {article for article in cited if not article.startswith("reading ")}
    assert law <= set(GAMES[game].articles)
    asserted = {article for lists in matrix.values() for article, cases in lists.items() if cases}
    assert sorted(article for article in law - asserted if article not in NAMED_BY_NO_OUTPUT) == []


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
