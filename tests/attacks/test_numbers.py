"""Attack: a number that is too large ends the table.

What was possible: ``cut_card_placed 99999999999999999999``, typed without sign-in, ended the table with exit code 4:
the journal holds no number of more than 64 bits.
"""

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Final

import msgspec
import pytest
from msgspec import inspect

from regulations.events.codec import INPUTS, decode_input
from regulations.events.errors import MalformedLine
from regulations.events.origins import may_originate
from regulations.events.ranges import STAKE_MAX, TEXT_MAX, WAGERS_MAX, LineNumber, Number
from regulations.games.registry import GAMES
from regulations.play.context.open_wager import OpenWager
from tests.kit.running_table import RunningTable, journal_of, lines_of, write_config
from tests.kit.sealed import verified

BIGINT: Final = 2**63 - 1
"""The most that a journal's line, and a bigint of PostgreSQL, can hold with a sign."""
BROWSER: Final = 2**53 - 1
"""The most that a number of a page holds exactly."""
RAISED: Final = 2
"""How often what was put down may lie at risk: doubled, or raised by as much for a challenge or a call."""
HANDS: Final = 8
"""The most hands of a split (56/2004 art. 16.º-1); each has a stake, and may have a pair wager, of its own."""


def numbers(found: inspect.Type, path: str = "") -> Iterator[tuple[str, inspect.Type]]:
    """Every number and list of a type, by its path; what has any type is not read as a number."""
    match found:
        case inspect.StructType():
            for field in found.fields:
                yield from numbers(field.type, f"{path}.{field.encode_name}")
        case inspect.UnionType():
            for one in found.types:
                yield from numbers(one, path)
        case inspect.ListType():
            yield from numbers(found.item_type, f"{path}[]")
        case inspect.IntType() | inspect.FloatType():
            yield path, found
        case _:
            pass


def texts(found: inspect.Type, path: str = "") -> Iterator[tuple[str, inspect.Type]]:
    """Every text and list of a type, by its path."""
    match found:
        case inspect.StructType():
            for field in found.fields:
                yield from texts(field.type, f"{path}.{field.encode_name}")
        case inspect.UnionType():
            for one in found.types:
                yield from texts(one, path)
        case inspect.ListType():
            yield path, found
            yield from texts(found.item_type, f"{path}[]")
        case inspect.StrType():
            yield path, found
        case _:
            pass


NOT_OF_PERSONS: Final = {".raw", ".sealed", ".at", ".article"}
"""Refused of a person, read as a time, or not read."""
ALL: Final = [(name, path, found) for name, kind in INPUTS.items() for path, found in numbers(inspect.type_info(kind))]


def test_every_number_of_every_input_has_a_range() -> None:
    assert len(ALL) > 100
    open_ended = [f"{name}{path}" for name, path, found in ALL if None in (found.ge, found.le)]  # type: ignore[attr-defined]  # numbers alone
    assert open_ended == []


def test_every_text_and_list_that_a_person_may_enter_has_a_length() -> None:
    found = [
        (f"{name}{path}", one)
        for name, kind in INPUTS.items()
        if may_originate(name, "person")
        for path, one in texts(inspect.type_info(kind))
        if path not in NOT_OF_PERSONS
    ]
    assert len(found) > 50
    assert [path for path, one in found if one.max_length is None] == []  # type: ignore[attr-defined]  # texts and lists


@pytest.mark.parametrize(
    ("line", "field", "most"),
    [
        ({"event": "dispute"}, "detail", TEXT_MAX),
        ({"event": "misdeal"}, "detail", TEXT_MAX),
        ({"event": "shoe_ended", "reason": "other"}, "detail", TEXT_MAX),
        ({"event": "void", "by": [7, 8]}, "reason", TEXT_MAX),
        ({"event": "void", "by": [7, 8], "reason": "x"}, "ground", 64),
        ({"event": "bets_corrected", "by": [7, 8], "seats": [], "wagers": []}, "reason", TEXT_MAX),
        ({"event": "supervisor_called"}, "reason", TEXT_MAX),
        ({"event": "resolve", "irregularity": 1, "action": "reassign", "by": [7, 8]}, "ground", 64),
    ],
)
def test_an_account_in_words_has_a_length(line: dict[str, object], field: str, most: int) -> None:
    """A croupier's `detail` of 60 KB stood on every page, in each report, and made a SIEM message lose its line."""
    decode_input(json.dumps({**line, field: "x" * most}))
    with pytest.raises(MalformedLine) as caught:
        decode_input(json.dumps({**line, field: "x" * (most + 1)}))
    assert str(caught.value) == f"$.{field}: out of range: must be at most {most} characters"


TOO_LARGE: Final = {
    '{"event":"cut_card_placed","behind":99999999999999999999}': "$.behind: out of range: must be 0 to 65535",
    '{"event":"cut_card_placed","behind":-1}': "$.behind: out of range: must be 0 to 65535",
    '{"event":"bets_closed","seats":[1],"wagers":[{"seat":1,"bet":"player","stake":18446744073709551615}]}': (
        "$.wagers[0].stake: out of range: must be 0 to 100000000000"
    ),
    '{"event":"bets_closed","seats":[1,256],"wagers":[]}': "$.seats[1]: out of range: must be 0 to 255",
    json.dumps({"event": "bets_closed", "seats": [1] * 256, "wagers": []}): (
        "$.seats: out of range: must be at most 255 of them"
    ),
    json.dumps({"event": "bets_closed", "seats": [1], "wagers": [{"seat": 1, "bet": "player"}] * (WAGERS_MAX + 1)}): (
        f"$.wagers: out of range: must be at most {WAGERS_MAX} of them"
    ),
    '{"event":"resolve","irregularity":4294967296,"action":"void","by":[7]}': (
        "$.irregularity: out of range: must be 0 to 2147483647"
    ),
    '{"event":"void","reason":"x","by":[7,4294967296]}': "$.by[1]: out of range: must be 0 to 2147483647",
    json.dumps({"event": "void", "reason": "x", "by": ["x" * 65]}): (
        "$.by[0]: out of range: must be at most 64 characters"
    ),
    '{"event":"card","card":"9H","count":4294967296}': "$.count: out of range: must be 0 to 4294967295",
    '{"event":"clock_stepped","seconds":1e300}': "$.seconds: out of range: must be -100000000000 to 100000000000",
    '{"event":"closed","at":"9999-12-31T00:00:00Z"}': (
        "$.at: '9999-12-31T00:00:00Z' is out of range: its year must be 1970 to 2199"
    ),
}


@pytest.mark.parametrize("line", TOO_LARGE)
def test_a_number_out_of_its_range_is_refused_with_the_range(line: str) -> None:
    with pytest.raises(MalformedLine) as caught:
        decode_input(line)
    assert str(caught.value) == TOO_LARGE[line]


@pytest.mark.parametrize("game", GAMES)
def test_the_largest_payouts_of_a_game_fit_where_they_are_stored(game: str) -> None:
    """Of one wager a page's number, of a whole round with every wager at its most a bigint."""
    factors = []
    for rule in GAMES[game].rulebook.payouts:
        wager = OpenWager(seat=1, bet=rule.bet, id=1, hand=1, stake=RAISED * STAKE_MAX, original=STAKE_MAX, number=1)
        settled = wager.as_settled(rule, is_tracked=True)
        assert isinstance(settled.net, int)
        assert abs(settled.net) <= BROWSER, rule.id
        assert settled.stake is not msgspec.UNSET
        assert settled.stake <= BROWSER
        factors.append(abs(Fraction(rule.odds or 0)))
    assert RAISED * STAKE_MAX * WAGERS_MAX * HANDS * max(factors) <= BIGINT


def test_what_the_floor_stores_holds_every_number_of_a_log() -> None:
    migrations = Path(__file__).parents[2] / "cardshoe" / "floor" / "migrations"
    columns = "\n".join(path.read_text(encoding="utf-8") for path in sorted(migrations.glob("*.sql")))
    found = dict(re.findall(r"^\s+(round|seq|irregularity|version|shoe)\s+(bigint|integer)", columns, re.MULTILINE))
    assert set(found) == {"round", "seq", "irregularity", "version", "shoe"}
    number, line = (inspect.type_info(kind) for kind in (Number, LineNumber))
    assert isinstance(number, inspect.IntType)
    assert isinstance(line, inspect.IntType)
    assert number.le is not None
    assert number.le <= 2**31 - 1, "a round is stored as an integer"
    assert line.le is not None
    assert line.le <= BIGINT
    assert "seq         bigint" in columns


def test_typed_numbers_that_ended_a_table_are_refused_and_it_goes_on(tmp_path: Path) -> None:
    ranged = "out of range: must be 0 to 65535"
    typed = {
        "cut_card_placed 99999999999999999999": f"behind: {ranged}",
        "cut_card_placed " + "9" * 5000: "behind: a whole number is expected",
        "loaded 65536": f"cards: {ranged}",
        "loaded -1": f"cards: {ranged}",
    }
    with RunningTable(write_config(tmp_path, None)) as table:
        assert table.prompt()["do"] == "shuffle"
        for line, answer in typed.items():
            before = table.errors().count("not understood: ")
            table.say(line)
            table.wait_for_error("not understood: ", before + 1)
            assert table.errors().rpartition("not understood: ")[2].startswith(answer), line[:60]
        assert [line["event"] for line in table.tell("shuffled croupier")] == ["shuffled", "next"]
        table.say("quit")
        assert table.end() == 0
    assert len(lines_of(journal_of(tmp_path))) == 4
    verified(journal_of(tmp_path))
