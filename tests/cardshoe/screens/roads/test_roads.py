"""Voids, corrections, windows, and what comes in and goes out."""

import msgspec
import pytest

from cardshoe.screens.roads import Board, Road, Roads, RoundResult, next_marks, roads_of
from regulations.events.vocabulary import Side
from regulations.games.baccarat.result import BaccaratResult
from tests.cardshoe.screens.roads.shoes import picture, runs, shoe
from tests.regulations.support.played import rounds_of
from tests.sim.croupier.profiles import profile


def test_a_void_round_was_never_there() -> None:
    """The player's win in the middle goes: two runs become one, and a dragon tail comes to be."""
    roads = Roads(shoe("BBBBPBBB"))
    roads.void(5)
    board = roads.board()
    assert picture(board.big_road) == ["B", "B", "B", "B", "B", "BB"]
    assert [cell.round for cell in board.big_road.cells] == [1, 2, 3, 4, 6, 7, 8]
    assert board.big_eye_boy.cells == []
    assert (board.counts.player, board.counts.banker) == (0, 7)
    assert board.last == RoundResult(round=8, outcome="banker")


def test_the_last_round_is_void() -> None:
    roads = Roads(shoe("BPT"))
    roads.void(3)
    assert roads.board() == roads_of(shoe("BP"))
    roads.take(RoundResult(round=4, outcome="player"))
    assert picture(roads.board().big_road) == ["BP", ".P"]


@pytest.mark.parametrize(
    ("results", "banker"),
    [
        ("", (None, None, None)),
        ("BPB", ("blue", "blue", None)),  # the vector BPBB of docs/display.md
        ("BBBPPBPPPPB", ("red", "blue", "red")),
        ("BBBPPBPPPPBT", ("red", "blue", "red")),  # a tie is no mark of a derived road
    ],
)
def test_the_next_marks_are_those_that_the_next_win_makes(results: str, banker: tuple[str | None, ...]) -> None:
    played = shoe(results)
    asked = next_marks(played)
    assert asked["banker"] == banker
    sides: list[tuple[Side, str]] = [("banker", "B"), ("player", "P")]
    for side, letter in sides:
        before, after = roads_of(played), roads_of(shoe(results + letter))
        for name, colour in zip(("big_eye_boy", "small_road", "cockroach_pig"), asked[side], strict=True):
            added = getattr(after, name).cells[len(getattr(before, name).cells) :]
            assert [one.colour for one in added] == ([] if colour is None else [colour])


def test_a_round_without_result_is_void() -> None:
    roads = Roads(shoe("BP"))
    roads.void(3)
    assert roads.board() == roads_of(shoe("BP"))


def test_a_corrected_round_stays_in_its_place() -> None:
    roads = Roads(shoe("BBPB"))
    roads.correct(RoundResult(round=2, outcome="player", pairs=("banker",), natural=True))
    assert roads.board() == roads_of(shoe("BPbnPB"))


def test_a_win_becomes_a_tie_and_the_first_cell_waits_again() -> None:
    roads = Roads(shoe("TP"))
    roads.correct(RoundResult(round=2, outcome="tie"))
    assert roads.board() == roads_of(shoe("TT"))
    roads.correct(RoundResult(round=1, outcome="banker"))
    assert roads.board() == roads_of(shoe("BT"))


@pytest.mark.parametrize("number", [2, 4])
def test_a_result_out_of_order_is_refused_and_changes_nothing(number: int) -> None:
    roads = Roads([RoundResult(round=4, outcome="banker")])
    before = roads.board()
    with pytest.raises(ValueError, match=rf"^round {number} does not follow round 4: to replace a result, correct it$"):
        roads.take(RoundResult(round=number, outcome="player"))
    assert roads.board() == before


def test_a_correction_of_a_round_without_result_is_refused_and_changes_nothing() -> None:
    roads = Roads(shoe("BP"))
    with pytest.raises(LookupError, match=r"^round 3 has no result that could be corrected$"):
        roads.correct(RoundResult(round=3, outcome="player"))
    assert roads.board() == roads_of(shoe("BP"))


@pytest.mark.parametrize(
    ("text", "columns", "first", "rows"),
    [
        ("", 3, 1, []),
        (runs(1, 2, 1, 3), 9, 1, ["BPBP", ".P.P", "...P"]),
        (runs(1, 2, 1, 3), 4, 1, ["BPBP", ".P.P", "...P"]),
        (runs(1, 2, 1, 3), 3, 2, [".PBP", ".P.P", "...P"]),
        (runs(1, 2, 1, 3), 1, 4, ["...P", "...P", "...P"]),
        (runs(9), 2, 3, [""] * 5 + ["..BB"]),
        # The tail reaches column 15, the newest mark is in column 3: that one must be seen.
        (runs(20, 1, 2), 13, 3, ["..B", "..B", "", "", "", ".." + "B" * 13]),
        (runs(20, 1, 2), 4, 3, ["..B", "..B", "", "", "", "..BBBB"]),
    ],
)
def test_a_window_shows_the_end_of_a_road(text: str, columns: int, first: int, rows: list[str]) -> None:
    window = roads_of(shoe(text)).big_road.window(columns)
    assert window.first == first
    assert picture(window) == rows


def test_a_window_of_the_bead_plate() -> None:
    window = roads_of(shoe("BPT" * 5)).bead_plate.window(2)
    assert window.first == 2
    assert [bead.round for bead in window.cells] == [7, 8, 9, 10, 11, 12, 13, 14, 15]


def test_a_window_without_columns_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^a window has 1 column or more, not 0$"):
        Road(cells=[]).window(0)


def test_a_board_goes_out_as_json_and_comes_back() -> None:
    board = roads_of(shoe("TpBnBbPPPTBBPBP"))
    assert msgspec.json.decode(msgspec.json.encode(board), type=Board) == board


def test_what_a_page_gets() -> None:
    board = msgspec.json.decode(msgspec.json.encode(roads_of(shoe("TBpPnPPb"))))
    assert board["bead_plate"]["cells"][2] == {
        "row": 3,
        "column": 1,
        "round": 3,
        "outcome": "player",
        "pairs": [],
        "natural": True,
    }
    assert board["big_road"] == {
        "cells": [
            {"row": 1, "column": 1, "round": 2, "outcome": "banker", "ties": 1, "pairs": ["player"]},
            {"row": 1, "column": 2, "round": 3, "outcome": "player", "ties": 0, "pairs": []},
            {"row": 2, "column": 2, "round": 4, "outcome": "player", "ties": 0, "pairs": []},
            {"row": 3, "column": 2, "round": 5, "outcome": "player", "ties": 0, "pairs": ["banker"]},
        ],
        "first": 1,
    }
    assert board["big_eye_boy"]["cells"] == [
        {"row": 1, "column": 1, "round": 4, "colour": "blue"},
        {"row": 1, "column": 2, "round": 5, "colour": "red"},
    ]
    assert board["counts"] == {
        "player": 3,
        "banker": 1,
        "tie": 1,
        "player_pair": 1,
        "banker_pair": 1,
        "natural": 1,
    }
    assert board["last"] == {"round": 5, "outcome": "player", "pairs": ["banker"], "natural": False}


def test_results_of_a_table_are_taken_as_they_stand_in_its_log(seed: int) -> None:
    """As the event itself, and as plain data; its further fields are passed over."""
    played = list(rounds_of(profile("baccarat", "shoe", {}), seed, 30))
    for number, one in enumerate(played, 1):
        plain = one.result | {"round": number}
        event = msgspec.convert(plain | {"event": "result"}, BaccaratResult)
        result = msgspec.convert(plain, RoundResult)
        assert result == msgspec.convert(event, RoundResult, from_attributes=True)
        assert (result.outcome, list(result.pairs), result.natural) == (event.outcome, event.pairs, event.natural)
