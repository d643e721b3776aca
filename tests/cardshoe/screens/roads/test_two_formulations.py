"""The package against a second formulation of the same rules, and what must be true of every drawing."""

import random
import time
from itertools import groupby, pairwise, product

import pytest

from cardshoe.screens.roads import BigCell, Board, DerivedCell, Road, Roads, RoundResult, roads_of
from tests.cardshoe.screens.roads.formulation import DERIVED, drawn, sheets_of
from tests.cardshoe.screens.roads.shoes import picture, random_result, random_shoe, shoe
from tests.kit.length import at_length


@pytest.mark.statistical
def test_random_shoe_games(seed: int) -> None:
    """Both give the same cells in the same places for any order and length."""
    chance, shoes, rounds, marks, tails = random.Random(seed), at_length(200, 100_000), 0, 0, 0
    began_s = time.process_time()
    for number in range(shoes):
        results = random_shoe(chance)
        board = roads_of(results)
        assert drawn(board) == sheets_of(results), f"shoe game {number} of seed {seed}: {results}"
        assert_well_drawn(board, results)
        rounds += len(results)
        marks += sum(len(getattr(board, name).cells) for name in DERIVED)
        tails += any(after.column > cell.column and after.row > 1 for cell, after in pairwise(board.big_road.cells))
    cpu_s = time.process_time() - began_s
    print(  # noqa: T201  the figures of `make soak`
        f"roads: seed {seed}, {shoes} shoe games, {rounds} rounds, {marks} derived marks, "
        f"{tails} with dragon tails, 0 differences, cpu_s={cpu_s:.0f}"
    )
    assert min(rounds, marks, tails) > 0


@pytest.mark.statistical
def test_every_shoe_game_to_a_length() -> None:
    """Of wins alone, and with ties among them."""
    for letters, longest in (("BP", at_length(8, 14)), ("BPT", at_length(5, 9))):
        for length in range(longest + 1):
            for rounds in product(letters, repeat=length):
                results = shoe("".join(rounds))
                assert drawn(roads_of(results)) == sheets_of(results), rounds


@pytest.mark.statistical
def test_one_by_one_as_all_at_once(seed: int) -> None:
    """After each result, too; and a board that was given out stays as it was."""
    chance = random.Random(seed)
    for _ in range(at_length(8, 1000)):
        results, roads = random_shoe(chance, 80), Roads()
        boards = [roads.board()]
        for result in results:
            roads.take(result)
            boards.append(roads.board())
        for taken, board in enumerate(boards):
            assert drawn(board) == sheets_of(results[:taken]), f"seed {seed}: {results[:taken]}"


@pytest.mark.statistical
def test_voids_and_corrections_recompute(seed: int) -> None:
    """Voids and corrections among results, of any round: what is there is as if it had come so."""
    chance = random.Random(seed)
    for _ in range(at_length(40, 10_000)):
        kept, roads = [], Roads()
        for result in random_shoe(chance):
            roads.take(result)
            kept.append(result)
            if chance.random() < 0.05:
                gone = chance.choice(kept)
                roads.void(gone.round)
                kept.remove(gone)
            if kept and chance.random() < 0.1:
                at = chance.randrange(len(kept))
                kept[at] = random_result(chance, kept[at].round, chance.choice(("banker", "player", "tie")))
                roads.correct(kept[at])
        assert roads.board() == roads_of(kept)
        assert drawn(roads.board()) == sheets_of(kept), f"seed {seed}: {kept}"


def assert_well_drawn(board: Board, results: list[RoundResult]) -> None:
    """Six rows, one mark in a cell, in the order of play; and the runs can be read off again."""
    wins = [result.outcome for result in results if result.outcome != "tie"]
    if wins:
        assert [cell.outcome for cell in board.big_road.cells] == wins
        assert_run_by_run(board.big_road)
    assert sum(cell.ties for cell in board.big_road.cells) == len(results) - len(wins)
    for road in (board.big_eye_boy, board.small_road, board.cockroach_pig):
        assert_run_by_run(road)


def assert_run_by_run(road: Road[BigCell] | Road[DerivedCell]) -> None:
    assert len(picture(road)) <= 6
    rounds = [cell.round for cell in road.cells]
    assert rounds == sorted(set(rounds))
    starts = []
    for _, group in groupby(road.cells, key=kind):
        run = list(group)
        assert run[0].row == 1
        starts.append(run[0].column)
        moves = [(after.row - cell.row, after.column - cell.column) for cell, after in pairwise(run)]
        down = moves.count((1, 0))
        assert moves == [(1, 0)] * down + [(0, 1)] * (len(moves) - down)
    assert starts == sorted(set(starts))


def kind(cell: BigCell | DerivedCell) -> str | None:
    """The kind of a run."""
    return cell.colour if isinstance(cell, DerivedCell) else cell.outcome
