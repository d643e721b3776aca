"""Find the cases that exercise each rule by running the cases: ``python -m tests.regulations.traceability GAME``.

A case is listed for an article of a rule if the rule fired in one of the steps whose outputs the case compares, if an
output of that step must name the article, and if the case fails once the rule is taken out of the rulebook: it asserts
it, and does not only pass by.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import cache

from regulations.law.rulebook import Rulebook
from tests.regulations.support.kits import ENFORCED
from tests.regulations.support.notation import Case, read_cases
from tests.regulations.support.running import run
from tests.regulations.support.sharing import transitions_shared
from tests.regulations.support.tracing import Trace, rows_heard, rulebook_of, traced_rulebook

Fired = dict[str, list[tuple[Case, frozenset[str]]]]
"""The cases in which each rule fired, with the articles that they demand of an output where it did."""


def fired_in(cases: Sequence[Case]) -> Fired:
    """The cases in which each rule fired; a case that the machine does not satisfy yet exercises nothing."""
    found: Fired = defaultdict(list)
    for case in cases:
        if case.broken:
            continue
        trace = Trace()
        with rows_heard(trace):
            run(case, traced_rulebook(case.game, trace), trace)
        for name in trace.fired:
            found[name].append((case, frozenset(article for rule, article in trace.asserted if rule == name)))
    return dict(found)


@cache
def fired_at(game: str) -> Fired:
    """As :func:`fired_in`, of all cases of a game; found once."""
    return fired_in(read_cases(game))


@cache
def without(game: str, name: str) -> Rulebook:
    """The rules but one."""
    return rulebook_of(game).without(name)


def fails_without(case: Case, name: str) -> bool:
    """True if a case notices that a rule is missing: by another answer, or by a machine that breaks down."""
    try:
        with transitions_shared():
            run(case, without(case.game, name))
    except Exception:  # noqa: BLE001  a machine without one of its rules may break in any way
        return True
    return False


def rule_names(game: str) -> list[str]:
    """The names of all rules of a game, sorted."""
    return sorted(articles_of(game))


@cache
def articles_of(game: str) -> dict[str, tuple[str, ...]]:
    """The articles of each rule of a game, its own first."""
    rulebook = rulebook_of(game)
    return {rulebook.name_of(rule): tuple(dict.fromkeys((rule.article, *rule.also))) for rule in rulebook.rules}


def is_said(article: str, cited: Collection[str]) -> bool:
    """True if an article is cited, or a part of it, or that of which it is a part."""
    return any(
        one == article or one.startswith((f"{article}-", f"{article}(")) or article.startswith((f"{one}-", f"{one}("))
        for one in cited
    )


def noticing(game: str, name: str, article: str = "") -> Case | None:
    """A case that notices the loss of a rule, and demands an article where that fired; short cases are tried first."""
    demanding = [case for case, demanded in fired_at(game).get(name, []) if not article or article in demanded]
    return next((case for case in sorted(demanding, key=lambda one: len(one.steps)) if fails_without(case, name)), None)


def listed(game: str, name: str) -> dict[str, list[str]]:
    """The names of the cases listed for a rule by each of its articles, sorted."""
    noticing = [(case.name, demanded) for case, demanded in fired_at(game).get(name, []) if fails_without(case, name)]
    own, *others = articles_of(game)[name]
    lists = {one: sorted(case for case, demanded in noticing if one in demanded) for one in (own, *others)}
    return lists | {own: lists[own] or sorted(case for case, _ in noticing)}


def matrix_of(game: str) -> dict[str, dict[str, list[str]]]:
    """The cases listed for each rule of a game, by article; takes some seconds of CPU."""
    return {name: listed(game, name) for name in rule_names(game)}


def main() -> int:
    """Prints the matrix of a game as JSON; fails where no case notices the loss of a rule."""
    parser = argparse.ArgumentParser(description="The traceability matrix of a game: rule, article, cases.")
    parser.add_argument("game", choices=ENFORCED)
    matrix = matrix_of(parser.parse_args().game)
    sys.stdout.write(json.dumps(matrix, ensure_ascii=False, indent=1) + "\n")
    bare = [name for name, lists in matrix.items() if not next(iter(lists.values()))]
    if bare:
        sys.stderr.write("no case notices the loss of:\n  " + "\n  ".join(bare) + "\n")
    return 1 if bare else 0


if __name__ == "__main__":
    sys.exit(main())
