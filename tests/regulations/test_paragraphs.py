"""Each paragraph of each text is enforced, a duty of persons, or out of scope, and the pages say which and why."""

from pathlib import Path
from typing import Final

import pytest

from regulations.games.registry import GAMES
from tests.regulations.paragraphs import OF, TEXTS, paragraphs_of
from tests.regulations.support.kits import ENFORCED, KITS
from tests.regulations.traceability import is_said

AMENDED: Final = {"18.º-1", "18.º-2", "19.º"}
games: Final = pytest.mark.parametrize("game", ENFORCED)


def _cited(game: str, paragraph: str) -> str:
    law = KITS[game].law
    return f"{law} {paragraph}" if paragraph == "annex" else f"{law} art. {paragraph}"


@pytest.mark.law
@games
def test_every_paragraph_is_enforced_or_it_is_said_why_not(game: str) -> None:
    found = GAMES[game]
    said = {*found.articles, *found.not_enforced}
    assert [one for one in OF[game] if _cited(game, one) not in said] == []


@pytest.mark.law
@games
def test_nothing_is_cited_that_is_no_paragraph_or_article_of_the_text(game: str) -> None:
    found = GAMES[game]
    there = {_cited(game, one) for one in OF[game]}
    nowhere = [
        one
        for one in (*found.articles, *found.not_enforced)
        if one not in there and not any(other.startswith((f"{one}-", f"{one}(")) for other in there)
    ]
    assert nowhere == []


@pytest.mark.law
@games
def test_every_article_that_is_enforced_is_cited_by_a_rule(game: str) -> None:
    cited = {article for rule in GAMES[game].rulebook.rules for article in (rule.article, *rule.also)}
    assert [one for one in GAMES[game].articles if not is_said(one, cited)] == []


@pytest.mark.law
@games
def test_what_is_not_enforced_is_a_duty_of_persons_or_out_of_scope(game: str) -> None:
    for article, why in GAMES[game].not_enforced.items():
        assert why.startswith(("A duty of persons: ", "Out of scope: ")), article


@pytest.mark.shared
@games
def test_the_paragraphs_are_those_of_the_text(game: str, shared: Path) -> None:
    texts = shared / "regulations"
    text = (texts / TEXTS[game]).read_text(encoding="utf-8")
    if game == "casino_war":
        text = text[text.index("REGULAMENTO OFICIAL DO JOGO") :]
    elif game == "three_card_baccarat":
        text = text[: text.index("Anexo —")]
    found = set(paragraphs_of(text))
    if game == "baccarat":
        amending = (texts / TEXTS["casino_war"]).read_text(encoding="utf-8")
        amending = amending[amending.index("passam a ter a seguinte") : amending.index("2. O presente despacho entra")]
        assert set(paragraphs_of(amending)) == AMENDED
        found = {one for one in found if not one.startswith(("18.º", "19.º"))} | AMENDED
    assert found == set(OF[game]) - {"annex"}
