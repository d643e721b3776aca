"""``cardshoe rules``: what is shown is what the machines run."""

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

from cardshoe.table.rules.matrix import matrix
from cardshoe.table.rules.page import page
from cardshoe.table.rules.text import states_text
from cardshoe.table.rules.view import PayoutView, odds_text
from regulations.games.registry import GAMES
from tests.cardshoe.cli.support import cardshoe, invoke

ROOT: Final = Path(__file__).resolve().parent.parent.parent.parent
BACCARAT: Final = GAMES["baccarat"]
MACHINES: Final = BACCARAT.rulebook.machines


def shown(*arguments: str) -> Any:  # noqa: ANN401  whatever the JSON is
    return json.loads(invoke("rules", "baccarat", *arguments, "--json").stdout)


def test_the_regulation_as_the_user_sees_it() -> None:
    done = cardshoe("rules", "baccarat")
    assert (done.returncode, done.stderr) == (0, b"")
    said = done.stdout.decode()
    assert said.startswith("Baccarat: 55/2004+73/2005\n")
    for option in BACCARAT.law.options:
        assert f"\n  {option.name} " in said
    for article in (*BACCARAT.articles, *BACCARAT.not_enforced):
        assert f"\n  {article} " in said


@pytest.mark.parametrize("arguments", [(), ("--rows",), ("--articles",)])
def test_a_terminal_of_a_hundred_characters_is_enough(arguments: tuple[str, ...]) -> None:
    assert max(map(len, invoke("rules", "baccarat", *arguments).stdout.splitlines())) <= 100


def test_options_and_payouts_for_a_program() -> None:
    view = shown()
    assert (view["game"], view["edition"]) == ("baccarat", "55/2004+73/2005")
    assert (view["seats"], view["cut_card_behind"]) == (7, [12, 26])
    assert view["equipment"] == [
        {
            "name": "shoe",
            "authorisation": False,
            "decks": [6, 12],
            "one_round_to": 0,
            "cut_card_from": 1,
            "shuffled_by": ["croupier", "shuffler"],
            "cut_by": ["player", "croupier"],
        },
        {
            "name": "shuffler_dealer",
            "authorisation": True,
            "decks": [6, 12],
            "one_round_to": 0,
            "cut_card_from": None,
            "shuffled_by": [],
            "cut_by": [],
        },  # art. 7.º-2 with 19.º, reading G4b
    ]
    [banker_win] = [option for option in view["options"] if option["name"] == "banker_win"]
    assert (banker_win["default"], banker_win["article"], banker_win["authorisation"]) == (
        "commission",
        "55/2004 art. 18.º",
        True,
    )
    odds = {(payout["bet"], payout["when"]): payout["odds"] for payout in view["payouts"]}
    assert odds["banker", "banker_wins_less_commission"] == "19/20"  # 1 to 1 less 5 %, art. 18.º-1
    assert odds["tie", "tie"] == "8"  # art. 17.º-2
    assert odds["player_pair", "pair"] == "11"  # art. 17.º-3
    assert len(odds) == len(BACCARAT.rulebook.payouts)


def test_every_row_is_listed() -> None:
    rows = shown("--rows")
    assert [row["rule"] for row in rows] == [
        BACCARAT.rulebook.name_of(row) for table in MACHINES.values() for row in table
    ]
    [draws] = [row for row in rows if row["article"] == "55/2004 art. 9.º-1" and row["states"] == ["four_open"]]
    assert (draws["machine"], draws["input"], draws["guards"], draws["answer"]) == (
        "round",
        "judge",
        ["player_below_6"],
        "player_3",
    )


def test_the_matrix_has_every_article_and_every_rule() -> None:
    lines = shown("--articles")
    listed = [line["article"] for line in lines]
    cited = {article for rule in BACCARAT.rulebook.rules for article in (rule.article, *rule.also)}
    assert len(set(listed)) == len(listed)
    assert set(listed) == {*cited, *BACCARAT.articles, *BACCARAT.not_enforced}
    assert {rule for line in lines for rule in line["rules"]} == {
        BACCARAT.rulebook.name_of(rule) for rule in BACCARAT.rulebook.rules
    }


@pytest.mark.parametrize("game", GAMES)
def test_every_article_of_a_rule_stands_on_the_page_with_the_rule(game: str) -> None:
    said = (ROOT / "docs" / "regulations" / f"{game}.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in said.splitlines() if line.startswith("| ")]
    listed: set[tuple[str, str]] = set()
    article = ""
    for first, second, *_ in (row for row in rows if len(row) > 1):
        article = first.removeprefix("| ").strip() or article
        listed.add((article, second.strip("` |")))
    rulebook = GAMES[game].rulebook
    cited = {(article, rulebook.name_of(rule)) for rule in rulebook.rules for article in (rule.article, *rule.also)}
    assert cited
    assert cited - listed == set()


def test_everything_that_is_cited_is_said_in_words() -> None:
    assert [line.article for line in matrix(BACCARAT) if line.text is None and line.not_enforced is None] == []
    quoted = " ".join(BACCARAT.readings)
    for option in BACCARAT.law.options:
        assert option.article.startswith("55/2004 art. ") or option.article in quoted


def test_the_page_of_readings_lists_all_by_their_ids() -> None:
    said = invoke("rules", "--readings").stdout
    heads = re.findall(r"^## (\S+)$", said, flags=re.MULTILINE)
    assert sorted(heads) == sorted({one.id for game in GAMES.values() for one in game.readings.values()})
    assert heads[:6] == ["G1", "G2", "G3", "G4", "G4a", "G4b"]
    assert heads.index("G9") + 1 == heads.index("G10")
    assert re.findall(r"\[(\S+)\]\(#(\S+)\)", said) == [(head, head.lower()) for head in heads]
    b11 = said.partition("## B11\n")[2].partition("\n## ")[0]
    for part in ("[baccarat](baccarat.md#from-article-to-rule) (55/2004+73/2005)", "**Reason.** ", "misdeal"):
        assert part in b11
    assert "[q poker](q_poker.md#from-article-to-rule)" in said.partition("## G8\n")[2].partition("\n## ")[0]


def test_rules_of_no_game_named() -> None:
    assert invoke("rules").exit_code == 2


ARROW: Final = re.compile(r"^ *(?P<source>\S+) --> (?P<dest>\S+)(?: : (?P<label>[^:;\n]+))?$")


@pytest.mark.parametrize("machine", MACHINES)
def test_a_diagram_has_an_arrow_for_each_move(machine: str) -> None:
    lines = invoke("rules", "baccarat", "--diagram", "mermaid", "--machine", machine).stdout.splitlines()
    assert lines[0] == "stateDiagram-v2"
    drawn = [match for line in lines if (match := ARROW.match(line)) and match["label"]]
    assert [(arrow["source"], arrow["dest"], arrow["label"]) for arrow in drawn] == [
        (
            f"{machine}_{source.value}",
            f"{machine}_{row.dest.value}",
            " ".join([row.trigger, *([f"[{', '.join(row.guards)}]"] if row.guard else []), row.article]),
        )
        for row in MACHINES[machine]
        if row.dest is not None
        for source in row.source
    ]
    named = set(re.findall(r'^ *state "\w+" as (\w+)$', "\n".join(lines), flags=re.MULTILINE))
    assert {end for arrow in drawn for end in (arrow["source"], arrow["dest"])} <= named


def test_a_diagram_begins_and_ends_where_the_machine_does() -> None:
    drawing = invoke("rules", "baccarat", "--diagram", "mermaid", "--machine", "shoe").stdout
    assert "    [*] --> shoe_opening\n" in drawing
    assert drawing.count("--> [*]") == 1
    assert "    shoe_closed --> [*]\n" in drawing


def test_all_machines_are_one_diagram() -> None:
    drawing = invoke("rules", "baccarat", "--diagram", "mermaid").stdout
    assert drawing.count("stateDiagram-v2") == 1
    assert re.findall(r"^    state (\w+) \{$", drawing, flags=re.MULTILINE) == ["shoe", "round", "gate"]
    assert drawing.count("{") == drawing.count("}") == 3
    assert shown("--diagram", "mermaid")["mermaid"].strip() == drawing.strip()


def test_the_page_is_what_the_command_prints() -> None:
    assert cardshoe("rules", "baccarat", "--markdown").stdout.decode() == page(BACCARAT)


def test_the_tables_of_the_page_keep_their_columns() -> None:
    lines = [line for line in page(BACCARAT).splitlines() if line.startswith("|")]
    assert [line for line in lines if not line.endswith("|") or line.count("|") not in {3, 4, 5, 7}] == []


def test_an_unknown_game_names_the_known_ones() -> None:
    done = invoke("rules", "poker")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "'poker'" in done.stderr
    assert "It knows: baccarat" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--rows", "--articles"),
        ("--markdown", "--diagram", "mermaid"),
        ("--markdown", "--json"),
        ("--machine", "gate"),
        ("--diagram", "dot"),
        ("--diagram", "mermaid", "--machine", "table"),
    ],
)
def test_what_does_not_go_together_is_refused(arguments: tuple[str, ...]) -> None:
    done = invoke("rules", "baccarat", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")


@pytest.mark.parametrize(
    ("odds", "of", "text"),
    [
        ("8", "stake", "8 to 1"),
        ("1/2", "stake", "1 to 2"),
        ("19/20", "stake", "19 to 20"),
        ("0", "stake", "stands"),
        ("-1", "stake", "lost"),
        ("-1/2", "stake", "half lost"),
        ("-1/3", "stake", "1/3 lost"),
        ("2", "original", "2 to 1 of the first stake"),
        ("-2", "original", "twice lost of the first stake"),
        (None, "stake", "carried"),
    ],
)
def test_odds_in_words(odds: str | None, of: str, text: str) -> None:
    assert odds_text(PayoutView(bet="main", when="won", odds=odds, of=of, article="art. 1.º", also=())) == text


def test_states_in_words() -> None:
    every = ["a", "b", "c", "d", "e", "f"]
    assert states_text(every, every) == "any"
    assert states_text(["a", "b", "c", "d"], every) == "any but e, f"
    assert states_text(["b", "a"], every) == "b, a"
