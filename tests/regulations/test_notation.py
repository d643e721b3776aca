"""The notation itself: what its words mean, and that what cannot be meant is refused."""

from pathlib import Path
from typing import Final

import pytest

from tests.regulations.support.kits import KITS
from tests.regulations.support.ledger import Ledger
from tests.regulations.support.notation import Case, read_cases, read_file
from tests.regulations.support.profiles import Json
from tests.regulations.support.words import input_of, output_of

BLACKJACK: Final = KITS["blackjack"]
WITHOUT_STAKES: Final[Json] = {"stake": None, "net": None, "carried": None, "pair": None}
"""Fields that a wager may not have where no stakes are told, if it is about no later pair."""


def _input(text: str) -> Json:
    return input_of(text, Ledger(BLACKJACK, 6))


def _output(text: str) -> Json:
    return output_of(text, BLACKJACK, Ledger(BLACKJACK, 6))


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("decision 2 hit", {"seat": 2, "action": "hit"}),
        ("decision 2.3 double id=2", {"seat": 2, "hand": 3, "action": "double", "id": 2}),
        ("decision 1 insurance amount=50", {"seat": 1, "action": "insurance", "amount": 50}),
        ("decision 1 split any_pair=10", {"seat": 1, "action": "split", "any_pair": 10}),
        ("revealed seat/1.2 9H KS", {"who": "seat", "seat": 1, "hand": 2, "cards": ["9H", "KS"]}),
        ("revealed seat=1 [9H,KS]", {"who": "seat", "seat": 1, "cards": ["9H", "KS"]}),
        ("revealed croupier", {"who": "croupier"}),
        ("exposed croupier", {"who": "croupier"}),
        ("loaded all-1", {"cards": 311}),
        ("card any", {"card": "2D"}),
        ("cut_card_placed most", {"behind": 104}),
    ],
)
def test_inputs(text: str, fields: Json) -> None:
    assert _input(text) == {"event": text.split(maxsplit=1)[0], **fields}


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("dealt null croupier/1", {"card": None, "to": "croupier", "position": 1}),
        ("dealt 9H seat/1.2/3", {"card": "9H", "to": "seat", "seat": 1, "hand": 2, "position": 3}),
        ("dealt _ seat/2/1", {"to": "seat", "seat": 2, "position": 1}),
        ("dealt", {}),
        ("next", {}),
        (
            "next decide 2.1 [hit,stand] id=1",
            {"do": "decide", "seat": 2, "hand": 1, "actions": ["hit", "stand"], "id": 1},
        ),
        ("next draw seat/2/1", {"do": "draw", "to": "seat", "seat": 2, "position": 1}),
        ("next reveal seat/2", {"do": "reveal", "to": "seat", "seat": 2}),
        ("next resolve 3 [burn]", {"do": "resolve", "irregularity": 3, "actions": ["burn"]}),
        ("refused not_now @6.º-1|J7", {"code": "not_now", "article": ["56/2004 art. 6.º-1", "reading J7"]}),
        ("refused not_now @219/96/M:1.º", {"code": "not_now", "article": ["219/96/M art. 1.º"]}),
        ("refused not_now @=initial_burn", {"code": "not_now", "article": ["56/2004 art. 4.º-1"]}),
        ("voided", {"wagers": []}),
        ("voided ...", {}),
        ('result {"croupier": {"points": 20}}', {"croupier": {"points": 20}}),
        (
            "settled 1.2:main:100=150~1/2@10.º-1",
            {
                "wagers": [
                    {
                        "seat": 1,
                        "hand": 2,
                        "bet": "main",
                        "stake": 100,
                        "net": 150,
                        "residue": "1/2",
                        "carried": None,
                        "article": ["56/2004 art. 10.º-1"],
                        "pair": None,
                    }
                ]
            },
        ),
        (
            "settled 1:main=3/2@10.º-2 over_13=carried",
            {
                "wagers": [
                    {**WITHOUT_STAKES, "seat": 1, "bet": "main", "pays": "3/2", "article": ["56/2004 art. 10.º-2"]},
                    {**WITHOUT_STAKES, "seat": None, "bet": "over_13", "pays": "carried"},
                ]
            },
        ),
        ("voided 1:main#2", {"wagers": [{**WITHOUT_STAKES, "seat": 1, "bet": "main", "pays": None, "id": 2}]}),
        ("voided 1:main:5#2", {"wagers": [{"seat": 1, "bet": "main", "stake": 5, "id": 2, "pair": None}]}),
    ],
)
def test_outputs(text: str, fields: Json) -> None:
    assert _output(text) == {"event": text.split(maxsplit=1)[0], **fields}


def test_a_carried_wager() -> None:
    (wager,) = _output("settled 1:main:5=0+carried")["wagers"]
    assert wager["carried"] is True


@pytest.mark.parametrize("text", ["settled 1:main", "dealt 9H seat/x/1", "refused not_now @=nothing"])
def test_what_cannot_be_meant_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"no wager|no hand|does not say"):
        _output(text)


@pytest.mark.parametrize("game", KITS)
def test_the_cases_of_every_game_can_be_read_before_it_lands(game: str) -> None:
    """So that a kit that lacks an article or a prelude is noticed at once."""
    assert read_cases(game)


@pytest.mark.parametrize(
    ("line", "article"),
    [
        ("> next reveal player @7.º-1", "@7.º-1"),
        ("> refused not_now @7.º-1", "@7.º-1"),
        ("> irregularity 1 unread_card [identify] @G9", "@G9"),
        ("> settled @17.º 1:player:100=100@17.º-1", "@17.º "),
        ("> settled @17.º 1:player:100=100@17.º-1", "@17.º-1"),
    ],
)
def test_an_output_without_its_article_cannot_be_read(tmp_path: Path, line: str, article: str) -> None:
    assert _read(tmp_path, line)
    with pytest.raises(ValueError, match=r"line 3: no article in"):
        _read(tmp_path, line.replace(article, ""))


def test_there_is_no_article_for_doing_nothing(tmp_path: Path) -> None:
    assert _read(tmp_path, "> next nothing")


def _read(folder: Path, line: str) -> list[Case]:
    path = folder / "one.case"
    path.write_text(f"== one\nclosed\n  {line}\n", encoding="utf-8")
    return read_file(path, KITS["baccarat"])
