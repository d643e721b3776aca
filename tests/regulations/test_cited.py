"""Every output of the cases cites a paragraph that the handwritten tables allow for it in its state."""

from collections import defaultdict
from dataclasses import replace
from functools import cache

import pytest

from tests.regulations.support.cited import SHARED, Citation, CitationCollector, Line, line_for, refuted, table_of
from tests.regulations.support.kits import ENFORCED
from tests.regulations.support.notation import read_cases
from tests.regulations.support.running import as_told, opened, shown

games = pytest.mark.parametrize("game", ENFORCED)


@cache
def _citations_of(game: str) -> set[Citation]:
    heard: set[Citation] = set()
    for case in read_cases(game):
        procedure = opened(case.table)
        heard.update(CitationCollector(procedure).collect(case.table, shown(procedure.opening)))
        for step in case.steps if not procedure.is_refused else ():
            collector = CitationCollector(procedure)
            heard.update(collector.collect(step.given, shown(procedure.apply(as_told(procedure, step.given)))))
    return heard


@games
def test_every_output_of_a_case_cites_what_its_table_allows(game: str) -> None:
    assert refuted(game, _citations_of(game)) == []


@pytest.mark.parametrize("table", [*ENFORCED, SHARED])
def test_no_line_of_a_table_allows_what_no_case_hears(table: str) -> None:
    decided: dict[Line | None, set[str]] = defaultdict(set)
    for game in ENFORCED if table == SHARED else (table,):
        for one in _citations_of(game):
            decided[line_for(game, one)].add(one.article)
    loose = {f"{line.file}:{line.number}": _unheard(line, decided[line]) for line in table_of(table)}
    assert {line: articles for line, articles in loose.items() if articles} == {}


def _unheard(line: Line, heard: set[str]) -> set[str]:
    return {one for one in set(line.articles) - heard if not heard or not one.startswith("reading ")}


def test_another_paragraph_or_an_output_without_a_line_is_refuted() -> None:
    where = "shoe/croupier"
    shown_by, wrong = Citation("reveal.croupier", where, "89/2004 art. 9.º-3"), "89/2004 art. 9.º-1"
    assert refuted("q_poker", [shown_by]) == []
    (told,) = refuted("q_poker", [replace(shown_by, article=wrong)])
    assert told.startswith(f"reveal.croupier in {where} cites {wrong}: q_poker.cited:")
    (unknown,) = refuted("q_poker", [replace(shown_by, what="reveal.player")])
    assert unknown.endswith("no line fits")
