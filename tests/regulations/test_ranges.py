"""Each number and list of an input: the least and the most that is read, and how one beyond is refused."""

import json
from typing import Any, Final

import pytest

from regulations.events.codec import decode_input, utc
from regulations.events.errors import MalformedLine
from regulations.events.inputs import Misdeal
from regulations.events.ranges import STAKE_MAX, WAGERS_MAX, YEARS
from regulations.games.registry import SHEETS
from regulations.procedure.procedure import NO_ANSWER, Procedure
from tests.regulations.support.profiles import profile
from tests.regulations.support.running import opened

pytestmark = pytest.mark.law

Json = dict[str, Any]
BILLION: Final = 100_000_000_000
U31: Final = 2_147_483_647
U32: Final = 4_294_967_295
BETS: Final[Json] = {"event": "bets_closed", "seats": [1], "wagers": []}
VOID: Final[Json] = {"event": "void", "reason": "x", "by": []}


def wager(**fields: object) -> Json:
    return {**BETS, "wagers": [{"seat": 1, "bet": "player", **fields}]}


RANGES: Final[list[tuple[str, Any, int, int]]] = [
    ("$.wagers[0].stake", lambda n: wager(stake=n), 0, BILLION),
    ("$.wagers[0].seat", lambda n: wager(seat=n), 0, 255),
    ("$.wagers[0].id", lambda n: wager(id=n), 0, 65_535),
    ("$.seats[0]", lambda n: {**BETS, "seats": [n]}, 0, 255),
    ("$.behind", lambda n: {"event": "cut_card_placed", "behind": n}, 0, 65_535),
    ("$.cards", lambda n: {"event": "loaded", "cards": n}, 0, 65_535),
    ("$.count", lambda n: {"event": "card", "card": "9H", "count": n}, 0, U32),
    ("$.permit", lambda n: {"event": "card", "card": "9H", "permit": n}, 0, U32),
    ("$.amount", lambda n: {"event": "decision", "seat": 1, "action": "hit", "amount": n}, 0, BILLION),
    ("$.irregularity", lambda n: {"event": "resolve", "irregularity": n, "action": "void", "by": [7]}, 0, U31),
    ("$.by[0]", lambda n: {**VOID, "by": [n]}, 0, U31),
    ("$.seq", lambda n: {"event": "closed", "seq": n}, 0, 10**15),
    ("$.round", lambda n: {"event": "closed", "round": n}, 0, U31),
    ("$.decks", lambda n: {**profile_of(), "decks": n}, 0, 99),
    ("$.seats", lambda n: {**profile_of(), "seats": n}, 0, 255),
    ("$.seconds", lambda n: {"event": "clock_stepped", "seconds": float(n)}, -BILLION, BILLION),
]


def profile_of() -> Json:
    return {"event": "table", "table_id": "T-1", "game": "baccarat", "decks": 8, "seats": 7, "equipment": "shoe"}


@pytest.mark.parametrize(("path", "line", "least", "most"), RANGES, ids=[one[0] for one in RANGES])
def test_a_number_is_read_up_to_its_ends_and_refused_with_them(path: str, line: Any, least: int, most: int) -> None:  # noqa: ANN401  a function
    for inside in (least, most):
        decode_input(json.dumps(line(inside)))
    for outside in (least - 1, most + 1):
        with pytest.raises(MalformedLine) as caught:
            decode_input(json.dumps(line(outside)))
        assert (caught.value.field, caught.value.reason) == (path, f"out of range: must be {least} to {most}")


LENGTHS: Final[list[tuple[str, Any, int, str]]] = [
    ("$.seats", lambda n: {**BETS, "seats": [1] * n}, 255, "of them"),
    ("$.wagers", lambda n: {**BETS, "wagers": [{"seat": 1, "bet": "player"}] * n}, 500, "of them"),
    ("$.by", lambda n: {**VOID, "by": [7] * n}, 8, "of them"),
    ("$.by[0]", lambda n: {**VOID, "by": ["x" * n]}, 64, "characters"),
    ("$.device", lambda n: {"event": "device_lost", "device": "x" * n}, 64, "characters"),
    ("$.detail", lambda n: {"event": "misdeal", "detail": "x" * n}, 500, "characters"),
]


@pytest.mark.parametrize(("path", "line", "most", "what"), LENGTHS, ids=[one[0] for one in LENGTHS])
def test_a_list_is_read_up_to_its_end(path: str, line: Any, most: int, what: str) -> None:  # noqa: ANN401  a function
    decode_input(json.dumps(line(most)))
    with pytest.raises(MalformedLine) as caught:
        decode_input(json.dumps(line(most + 1)))
    assert (caught.value.field, caught.value.reason) == (path, f"out of range: must be at most {most} {what}")


def test_a_time_has_a_year_that_clocks_have() -> None:
    assert (YEARS[0], YEARS[-1], STAKE_MAX, WAGERS_MAX) == (1970, 2199, BILLION, 500)
    assert utc("1970-01-01T00:00:00Z") == "1970-01-01T00:00:00.000000Z"
    assert utc("2199-12-31T23:59:59Z") == "2199-12-31T23:59:59.000000Z"
    for text in ("1969-12-31T23:59:59Z", "2200-01-01T00:00:00Z"):
        with pytest.raises(MalformedLine) as caught:
            utc(text)
        assert caught.value.field == "$.at"
        assert caught.value.reason == f"{text!r} is out of range: its year must be 1970 to 2199"


def test_a_number_out_of_range_in_a_line_that_is_no_json_behind_it_is_no_json() -> None:
    with pytest.raises(MalformedLine):
        decode_input('{"event":"cut_card_placed","behind":99999999,')


@pytest.mark.parametrize("game", SHEETS)
def test_limits_of_the_house_end_with_the_largest_stake(game: str) -> None:
    limits = SHEETS[game].law.option("limits")
    assert limits is not None
    assert ": least, most or both, 0 to 100000000000 minor units" in limits.allowed
    bet = limits.allowed.removeprefix("for any of ").partition(",")[0].partition(":")[0]
    assert limits.accepts({bet: {"least": 0, "most": BILLION}})
    assert not limits.accepts({bet: {"most": BILLION + 1}})
    assert not limits.accepts({bet: {"least": -1}})


def test_an_input_that_the_program_cannot_process_is_refused_with_the_prompt() -> None:
    procedure: Procedure = opened(profile())
    before = procedure.lines
    refused, prompt = procedure.without_answer()
    assert (refused.code, refused.article, refused.detail) == ("no_answer", "reading G7", NO_ANSWER)  # type: ignore[union-attr]  # refused
    assert (prompt.do, procedure.lines) == ("shuffle", before + 3)  # type: ignore[union-attr]  # the prompt
    assert procedure.apply(Misdeal(detail="x"))[0].article == "55/2004 art. 10.º"
