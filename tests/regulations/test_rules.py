"""Tests of the tests: every rule is exercised by cases that notice when it is missing."""

import json
import os
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from regulations.games.registry import GAMES
from tests.regulations.support.kits import ENFORCED
from tests.regulations.support.notation import Case, read_cases
from tests.regulations.support.running import Mismatch, run
from tests.regulations.traceability import articles_of, matrix_of, noticing, without

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
ARTEFACT: Final = "CARDSHOE_TRACEABILITY"
"""Names a folder in which CI keeps the matrix of each game."""
games: Final = pytest.mark.parametrize("game", ENFORCED)


def test_every_enforced_game_has_its_kit() -> None:
    assert set(ENFORCED) == set(GAMES)


@games
def test_every_rule_and_each_of_its_articles_has_a_case_that_notices(game: str) -> None:
    if folder := os.environ.get(ARTEFACT):
        Path(folder).mkdir(parents=True, exist_ok=True)
        text = json.dumps(matrix_of(game), ensure_ascii=False, indent=1) + "\n"
        (Path(folder) / f"{game}.json").write_text(text, encoding="utf-8")
    articles_by_rule = articles_of(game)
    missed = [name for name in articles_by_rule if noticing(game, name) is None]
    assert missed == [], "no case notices the loss of these rules"
    law = {one for articles in articles_by_rule.values() for one in articles if not one.startswith("reading ")}
    assert law <= set(GAMES[game].articles)
    others = law - {articles[0] for articles in articles_by_rule.values()} - NAMED_BY_NO_OUTPUT
    assert [one for one in sorted(others) if not any(map(partial(_asserts, game, one), articles_by_rule))] == []


def _asserts(game: str, article: str, name: str) -> bool:
    return article in articles_of(game)[name] and noticing(game, name, article) is not None


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
