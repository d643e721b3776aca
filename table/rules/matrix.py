"""From articles to the rules that enforce them, and to the tests in which those rules fire."""

from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Final

import msgspec
from msgspec import Struct

from regulations.game import Game

TRACEABILITY: Final = "traceability.json"
"""Beside the game's rules: rule name to article to the cases in ``tests/regulations/cases`` that assert it."""


class TracedRule(Struct, frozen=True, kw_only=True):
    """A rule and its tests.

    Attributes:
        rule: its name, ``round:judge@four_open``.
        tests: the test cases that assert the article by it; empty where there are none, or nobody recorded them.
    """

    rule: str
    tests: Sequence[str] = ()


class TracedArticle(Struct, frozen=True, kw_only=True):
    """An article or reading, and what enforces it.

    Attributes:
        article: as the log cites it.
        text: what it says, in our words; ``None`` if nobody wrote it down.
        not_enforced: why no machine can enforce it, or a part of it, where that is so.
        rules: the rules that cite it, in the order in which they are tried.
    """

    article: str
    text: str | None
    rules: Sequence[TracedRule]
    not_enforced: str | None = None


Recorded = dict[str, dict[str, list[str]]]
"""The tests of each rule by its articles."""


def tests_of(game: Game) -> Recorded:
    """The recorded tests of each rule by its articles; empty where there is no record."""
    record = resources.files(f"regulations.{game.law.game}").joinpath(TRACEABILITY)
    if not record.is_file():
        return {}
    return msgspec.json.decode(record.read_bytes(), type=Recorded)


def matrix(game: Game, tests: Mapping[str, Mapping[str, Sequence[str]]] | None = None) -> list[TracedArticle]:
    """Every article and reading of a game with its rules and tests.

    Args:
        game: the game.
        tests: test names by rule and article; the recorded ones if not given.
    """
    recorded = tests_of(game) if tests is None else tests
    citing: dict[str, list[TracedRule]] = {}
    for rule in game.rulebook.rules:
        name = game.rulebook.name_of(rule)
        for article in dict.fromkeys((rule.article, *rule.also)):
            traced = TracedRule(rule=name, tests=recorded.get(name, {}).get(article, ()))
            citing.setdefault(article, []).append(traced)
    texts = {**game.articles, **{name: one.says for name, one in game.readings.items()}}
    known = dict.fromkeys((*texts, *citing))
    listed = [article for article in known if article in game.articles or article in citing]
    return [
        *(
            TracedArticle(
                article=one, text=texts.get(one), rules=citing.get(one, ()), not_enforced=game.not_enforced.get(one)
            )
            for one in listed
        ),
        *(
            TracedArticle(article=one, text=None, rules=(), not_enforced=reason)
            for one, reason in game.not_enforced.items()
            if one not in listed
        ),
    ]
