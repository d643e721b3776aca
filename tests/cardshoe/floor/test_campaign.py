"""The short form of `make floor`."""

import subprocess
import sys
from pathlib import Path

from cardshoe.floor.pages.tiles import DETAILED_MAX
from tests.cardshoe.floor.plotted import plotting
from tests.cardshoe.floor.postgres import needs_postgres
from tests.cardshoe.floor.searched import searching
from tests.cardshoe.floor.site import Site
from tests.cardshoe.floor.storm import REVOKED_MAX_S, storm
from tests.cardshoe.floor.viewers import BYTES_PER_S_MAX, viewing
from tests.cardshoe.floor.week import KIB, catching_up, pace
from tests.kit.certificates import needs_openssl

pytestmark = [needs_postgres, needs_openssl]
GROWTH_MIB = 12
"""What a process may have more after a second day than after the first: allocators are no scales."""


def test_every_line_comes_once_and_copied_disks_are_alarms_while_tables_play_through_kills() -> None:
    command = "--only playing --tables 4 --rounds 10 --speed 90 --processes 1 --again 1"
    # A process of its own: it forks, and this one may have threads.
    done = subprocess.run(
        [sys.executable, "-m", "tests.cardshoe.floor.campaign", *command.split()],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    said = done.stdout.splitlines()[-1].split()
    assert said[0] == "floor:"
    found = dict(figure.split("=") for figure in said[1:])
    assert {found[f"playing_{what}"] for what in ("marks_ahead", "logs_wrong", "alarms_wrong")} == {"0"}
    assert int(found["playing_fewest"]) >= 70
    assert int(found["playing_again"]) > 0


def test_days_off_line_are_caught_up_with_in_bounded_memory(tmp_path: Path, site: Site, database: str) -> None:
    found = catching_up(tmp_path, site, database, days=2, shoes=1)
    assert found.wrong == 0
    assert found.entries > 1000
    assert found.last.uplink - found.first.uplink < GROWTH_MIB * KIB
    assert found.last.collector - found.first.collector < GROWTH_MIB * KIB


def test_seven_days_are_half_a_million_lines() -> None:
    found = pace()
    assert 400_000 < 7 * found.shoes_a_day * found.lines < 800_000


def test_all_tables_at_once_are_let_in_and_a_revoked_one_is_not(tmp_path: Path, database: str) -> None:
    found = storm(tmp_path, Site(tmp_path / "own"), database, tables=12)
    assert found.refused == 0
    assert found.asked > 12
    assert found.revoked_s < REVOKED_MAX_S


def test_viewers_receive_the_whole_page_once_and_then_what_changes(tmp_path: Path, database: str) -> None:
    # The tiles of fewer tables show cards and roads: where all of them play, nearly all of the page changes.
    found = viewing(tmp_path, Site(tmp_path / "own"), database, tables=DETAILED_MAX + 1, viewers=[8], seconds=2)
    [one] = found.each
    assert one.whole > 2000
    assert 0 < one.bytes_per_s < one.changes_per_s * one.whole
    assert one.bytes_per_s < BYTES_PER_S_MAX


def test_plots_are_asked_for_days_whose_rounds_are_summed(tmp_path: Path, database: str) -> None:
    found = plotting(tmp_path, database, tables=3, days=5)
    assert found.rounds == 3 * 5 * 60
    assert not found.is_bad


def test_rounds_are_searched_by_each_filter(database: str) -> None:
    found = searching(database, rounds=3000)
    assert found.took["all"][0] == 101
    assert found.took["nobody"][0] == 0
    assert 0 < found.took["two cards"][0] < 101
    assert not found.is_bad
