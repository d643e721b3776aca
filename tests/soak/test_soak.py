"""The long run counts what is wrong, and says so in its last line."""

import subprocess
import sys

from protocols.tdp.events import ShuffleStarted
from tests.soak.tdp_game import Game, Tally

FIRST, SECOND, THIRD = (ShuffleStarted(1, number) for number in (1, 2, 3))


def test_what_is_lost_doubled_or_invented_is_counted() -> None:
    assert Tally.of([FIRST, SECOND], [FIRST, SECOND], 3) == Tally(events=2, detaches=3)
    assert Tally.of([FIRST, SECOND], [FIRST], 0) == Tally(events=1, lost=1)
    assert Tally.of([FIRST], [FIRST, FIRST, FIRST], 0) == Tally(events=3, doubled=2)
    assert Tally.of([FIRST], [FIRST, THIRD], 0) == Tally(events=2, invented=1)
    assert [tally.is_exactly_once for tally in (Tally(9), Tally(9, 1), Tally(9, 0, 1), Tally(9, 0, 0, 1))] == [
        True,
        False,
        False,
        False,
    ]


def test_games_are_added_up_and_the_same_seed_plays_the_same_game(seed: int) -> None:
    games = [Game(seed, 60), Game(seed, 60)]
    for game in games:
        game.play()
    assert games[0].journal == games[1].journal
    assert (games[0].tally + games[1].tally).events == 2 * len(games[0].journal)


def test_the_last_line_is_the_sum() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.soak", "--events", "240", "--processes", "1"],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    *parts, last = run.stdout.splitlines()
    assert len(parts) == 4
    assert last.startswith("soak: events=2")
    assert " lost=0 doubled=0 invented=0 detaches=0 seed=" in last
