"""The model has no error, each of eight seeded ones is found, and what shows it there shows it in our code."""

from pathlib import Path

import pytest

from protocols.tdp.link import Link
from tests.model.replaying import Replay
from tests.model.spin import MISSING, search, walk
from tests.model.wrong_links import BUGS, Bug

WALKS = 40

pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"needs {' and '.join(MISSING)}, as Debian packages")


def test_the_model_has_no_error(tmp_path: Path) -> None:
    found = search(tmp_path, is_large=False, shortest=False)
    assert (found.error, found.steps, found.is_whole) == (None, [], True)
    assert found.states > 100_000


def test_numbers_may_come_round_on_a_line_that_only_loses(tmp_path: Path) -> None:
    found = search(tmp_path, is_large=False, shortest=False, COPIES=0, MODULUS=3, ITEMS=4)
    assert (found.error, found.is_whole) == (None, True)
    too_few = search(tmp_path, is_large=False, shortest=False, COPIES=0, MODULUS=2, ITEMS=4)
    assert too_few.error is not None, "with as many numbers as the window an old frame looks new"


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.link.__name__)
def test_a_seeded_bug_is_found_and_its_counter_example_shows_it_in_our_code(bug: Bug, tmp_path: Path) -> None:
    found = search(tmp_path, is_large=False, BUG=bug.number)
    assert found.error is not None
    assert found.steps[0] == "open"
    assert Replay(bug.link).play(found.steps).wrong, "our link with the same mistake goes wrong on the same way"
    assert not Replay(Link).play(found.steps).wrong, "our link as it is does not"


def test_our_link_does_step_by_step_what_the_model_does(tmp_path: Path, seed: int) -> None:
    steps = 0
    for part in range(WALKS):
        way = walk(tmp_path, seed + part, FAULTS=3, RESTARTS=2)
        replay = Replay(Link).play(way)
        assert (replay.differs, list(replay.wrong)) == ([], []), way
        steps += len(way)
    assert steps > 10 * WALKS
