"""A table is killed, or its power cut, at each point at which it goes over to another log: nothing is lost."""

import random
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from cardshoe.table.log.journal_names import journals_of
from cardshoe.table.log.sealing_keys import FILE_NAME
from tests.kit.length import at_length
from tests.kit.sealed import verified
from tests.kit.table_log import SHOE, TABLE
from tests.kit.timed_table import NEXT_DAY, TimedTable
from tests.powercut.disk import Disk, Kept
from tests.powercut.layer import Folder, under
from tests.powercut.operations import Operation
from tests.powercut.recorder import Recorder

STEP: Final = at_length(13, 1)
"""One point of so many is tried."""


@pytest.fixture(scope="module")
def gone_over(tmp_path_factory: pytest.TempPathFactory) -> tuple[Sequence[Operation], range, bytes]:
    """A shoe game, and the change of logs: what was done to the folder, which part is the change, the sealing key."""
    path = tmp_path_factory.mktemp("recorded")
    recorder, places = Recorder(), list[int]()
    with under(Folder(path, recorder)):
        table = TimedTable(path)
        table.play()
        table.then(lambda: places.append(len(recorder.operations)))
        table.quiet(NEXT_DAY)
        table.then(lambda: places.append(len(recorder.operations)))
        table.run()
    assert len(journals_of(path, TABLE.table_id)) == 2
    begin, end = places
    return recorder.operations, range(begin, end + 1), (path / FILE_NAME).read_bytes()


@pytest.mark.no_cover  # each point opens and verifies two journals
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kept", ["all", "none", "torn"])
def test_nothing_is_lost_at_any_point(
    tmp_path: Path, gone_over: tuple[Sequence[Operation], range, bytes], kept: Kept, seed: int
) -> None:
    operations, change, sealing = gone_over
    (tmp_path / "store").mkdir()
    disk, done, begun = Disk(tmp_path / "store", tmp_path), 0, 0
    for place in [*change][::STEP]:
        journals = tmp_path / str(place)
        journals.mkdir()
        for operation in operations[done:place]:
            disk.apply(operation)
        done = place
        contents = disk.content(disk.image(kept, kept, random.Random(f"{seed} {place}")))
        for name, content in contents.items():
            (journals / name).write_bytes(content)
        (journals / FILE_NAME).touch(0o600)
        (journals / FILE_NAME).chmod(0o600)
        (journals / FILE_NAME).write_bytes(sealing)  # as it was made with the first log, by calls that are not seen
        found = len(journals_of(journals, TABLE.table_id))
        begun += found > 1
        table = TimedTable(journals, at=NEXT_DAY)
        table.quiet()
        table.play()
        table.run()
        logs = journals_of(journals, TABLE.table_id)
        # Each input before the change was acknowledged: the first log has it, whatever came then.
        first, *others = [verified(path) for path in logs]
        assert (first.entries, len(others)) == (1 + len(SHOE) + 1, 1)
        for before, after in pairwise([first, *others]):
            assert after.previous is not None
            assert after.previous_is_here
            assert after.previous.root == before.root
        assert table.log.scribe.procedure.last_round == 2
    disk.close()
    assert begun
