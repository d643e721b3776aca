"""Roads worked out by hand from the rules of ``docs/display.md``."""

import re
from pathlib import Path

import pytest

from cardshoe.screens.roads import BigCell, Board, Roads, RoundResult, roads_of
from cardshoe.screens.roads.results import Counts
from tests.cardshoe.screens.roads.shoes import colours, picture, runs, shoe

PAGE = Path(__file__).resolve().parents[4] / "docs" / "display.md"
PI = runs(3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3)


def board(text: str) -> Board:
    return roads_of(shoe(text))


@pytest.mark.parametrize(
    ("text", "big_eye_boy", "small_road", "cockroach_pig"),
    [
        ("", "", "", ""),
        ("BP", "", "", ""),
        ("BPP", "B", "", ""),
        ("BBPPB", "RR", "", ""),
        ("BBPB", "B", "", ""),
        (runs(2, 1, 2, 1), "BBB", "RR", ""),
        (runs(*[1] * 80), "R" * 78, "R" * 77, "R" * 76),
        (runs(*[2] * 40), "R" * 77, "R" * 75, "R" * 73),
        ("B" * 80, "", "", ""),
        (runs(3, 3, 3, 3), "RRRRRRRR", "RRRRR", "RR"),
        (runs(8, 8), "R" * 7, "", ""),  # by drawn cells the tail would make a difference
        (runs(8, 9), "R" * 7 + "B", "", ""),
    ],
)
def test_the_colours_of_the_derived_roads(text: str, big_eye_boy: str, small_road: str, cockroach_pig: str) -> None:
    found = board(text)
    assert colours(found.big_eye_boy) == big_eye_boy
    assert colours(found.small_road) == small_road
    assert colours(found.cockroach_pig) == cockroach_pig


def test_the_examples_of_the_page() -> None:
    rows = re.findall(r"^\| `([BPT]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|", PAGE.read_text(), flags=re.MULTILINE)
    assert len(rows) == 8
    for text, *marks in rows:
        found = board(text)
        drawn = [colours(road) for road in (found.big_eye_boy, found.small_road, found.cockroach_pig)]
        assert drawn == [mark.strip("`–") for mark in marks], text


def test_a_shoe_game_of_eighty_rounds() -> None:
    """A word for each run of the big road, from the second, third or fourth on."""
    found = board(PI)
    assert len(PI) == len(found.bead_plate.cells) == 80
    big_eye_boy = "BBRR B BBRRR BRRRRBRRR BR BRBRRR BRRRR BRR BRRBR BRRRRBRR BRRRRRRRB BRRRRRR BRRRRRRBR BRR"
    small_road = "RRB B RRRRB BBRRRRRRR BR BRRRRR BRBRR BRR BRRRR RRRBRRRR BRRRRBRRR BRRRRRR BRRRRRRRR RRR"
    cockroach_pig = "BBRRR BRRRBRRRR BB BRRRRB BRRRR BRB BRRRR BRRRRBRR BRRBRRRRR BRRRRBR BRRRRRRRB BRR"
    assert colours(found.big_eye_boy) == big_eye_boy.replace(" ", "")
    assert colours(found.small_road) == small_road.replace(" ", "")
    assert colours(found.cockroach_pig) == cockroach_pig.replace(" ", "")
    assert picture(found.big_road) == [
        "BPBPBPBPBPBPBPBP",
        "B.B.BPBPBPBPBPBPP",
        "B.B.BP.PBPBPBPBBBBBBB",
        "..B.BP.PBBBPBPPPP",
        "....BP.PP.BPBBBBB",
        ".....PPPP..PPP",
    ]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("", []),
        (runs(6), ["B", "B", "B", "B", "B", "B"]),
        (runs(8, 1), ["BP", "B", "B", "B", "B", "BBB"]),
        # The tail of the first run turns the second away a row above it, that one the third, and so on.
        (runs(8, 7, 6), ["BPB", "BPB", "BPB", "BPBBB", "BPPP", "BBB"]),
        # A tail keeps its row where the cell below is free again.
        (runs(7, 8), ["BP", "BP", "BP", "BP", "BPPPP", "BB"]),
        # Down to the uppermost row; the next run begins where that is free, and meets what lies below.
        (
            runs(20, 15, 12, 9, 6, 5, 4),
            ["BPBPBPPPPPB", "BPBPBBBBB.B", "BPBPPPPPPPBB", "BPBBBBBBBBB", "BPPPPPPPPPPP", "BBBBBBBBBBBBBBB"],
        ),
        (runs(80), ["B", "B", "B", "B", "B", "B" * 75]),
        ("TTT", ["-"]),
    ],
)
def test_where_the_big_road_is_drawn(text: str, rows: list[str]) -> None:
    assert picture(board(text).big_road) == rows


def test_derived_roads_are_drawn_in_runs_of_their_colours() -> None:
    assert picture(board("BBBPPBPPPPBB").big_eye_boy) == ["RBRBR", ".BR", ".B"]
    assert picture(board(runs(*[1] * 80)).cockroach_pig) == ["R", "R", "R", "R", "R", "R" * 71]


def test_two_shoe_games_with_one_picture() -> None:
    """The tail of the first run or the foot of the third: colours alone do not tell, the order of the cells does."""
    one, other = board(runs(7, 1, 6)), board(runs(8, 1, 5))
    assert picture(one.big_road) == picture(other.big_road) == ["BPB", "B.B", "B.B", "B.B", "B.B", "BBB"]
    assert one.big_road != other.big_road
    assert (colours(one.big_eye_boy), colours(other.big_eye_boy)) == ("BBRRRR", "BBRRR")


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("TBTTP", [("banker", 3, ()), ("player", 0, ())]),
        ("TT", [(None, 2, ())]),
        ("TTB", [("banker", 2, ())]),
        ("TTPTB", [("player", 3, ()), ("banker", 0, ())]),
        ("BpBbPpb", [("banker", 0, ("player",)), ("banker", 0, ("banker",)), ("player", 0, ("player", "banker"))]),
        ("PbTpP", [("player", 1, ("player", "banker")), ("player", 0, ())]),
        ("BTpTp", [("banker", 2, ("player",))]),
        ("TbTpB", [("banker", 2, ("player", "banker"))]),
        ("Tb", [(None, 1, ("banker",))]),
    ],
)
def test_ties_and_pairs_mark_a_cell_of_the_big_road(text: str, cells: list[tuple[object, ...]]) -> None:
    assert [(cell.outcome, cell.ties, cell.pairs) for cell in board(text).big_road.cells] == cells


def test_a_shoe_game_of_ties_alone() -> None:
    found = board("T" * 13)
    assert found.big_road.cells == [BigCell(row=1, column=1, round=13, outcome=None, ties=13, pairs=())]
    assert (found.bead_plate.cells[-1].row, found.bead_plate.cells[-1].column) == (1, 3)
    assert found.big_eye_boy.cells == found.small_road.cells == found.cockroach_pig.cells == []
    assert found.counts == Counts(tie=13)


def test_the_bead_plate_is_filled_column_by_column() -> None:
    beads = board("BPTBnBTpbPb").bead_plate.cells
    assert [(bead.row, bead.column) for bead in beads] == [(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (1, 2)]
    assert [bead.outcome for bead in beads] == ["banker", "player", "tie", "banker", "banker", "tie", "player"]
    assert [bead.pairs for bead in beads] == [(), (), (), (), (), ("player", "banker"), ("banker",)]
    assert [bead.natural for bead in beads] == [False, False, False, True, False, False, False]


def test_counts_and_the_last_result() -> None:
    found = board("BpnPbTpbBTnP")
    assert found.counts == Counts(player=2, banker=2, tie=2, player_pair=2, banker_pair=2, natural=2)
    assert found.last == RoundResult(round=6, outcome="player")
    assert board("").last is None


def test_what_a_round_has_marked_can_be_told() -> None:
    """So that a page moves only what has changed."""
    found = board("BBPPT")
    assert [cell.round for cell in found.big_road.cells] == [1, 2, 3, 5]
    assert [cell.round for cell in found.big_eye_boy.cells] == [4]


def test_a_new_shoe_game_has_roads_of_its_own() -> None:
    assert Roads().board() == board("")
