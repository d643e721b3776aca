"""A log is judged in one walk, and the verdict is the same whether its shoe games are replayed apart or in a row."""

from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from cardshoe.journal import JournalBroken, read_only
from cardshoe.journal.reading import reader
from cardshoe.table.log import judging
from cardshoe.table.log.judging import Judge, processes
from cardshoe.table.log.replaying import SealingKeyMissing, replayed
from cardshoe.table.log.sealing_keys import SealingKeys
from cardshoe.table.log.snapshot import begins_shoe
from cardshoe.table.log.table_journal import open_log
from tests.cardshoe.journal.sealed import edited
from tests.kit.sealed import keys_beside
from tests.kit.table_log import AT, INPUTS, SHOE, TABLE, ignore, played

Change = Callable[[int, bytes], bytes]
SHOES: Final = 4


def thread() -> Executor:
    """Replays shoe games in this process, by themselves."""
    return ThreadPoolExecutor(1)


class Dying(ThreadPoolExecutor):
    """A pool whose processes the system ends, as where memory is short."""

    def submit(self, *_call: Any, **_named: Any) -> Future[Any]:  # noqa: ANN401  as the base has it
        future: Future[Any] = Future()
        future.set_exception(BrokenExecutor("a process was killed"))
        return future


def same(_number: int, data: bytes) -> bytes:
    return data


def at_shoe(shoe: int, change: Callable[[bytes], bytes], place: int = 11) -> Change:
    """A change of one entry of a shoe game; the first draws of the player come eleventh and later."""
    wanted = shoe * len(SHOE) + place
    return lambda number, data: change(data) if number == wanted else data


def log_with(folder: Path, entry: Change = same, state: Change = same) -> Path:
    """A log that its own keys sign, with other entries or snapshots than a table writes."""
    log = open_log(folder, TABLE, AT, ignore)
    count = 0
    with log.journal as journal:
        for number, event in enumerate([*SHOE * SHOES, *INPUTS]):
            taken = log.scribe.take(msgspec.structs.replace(event, at=AT))
            log.past.take(taken)
            data = entry(number, taken.entry)
            journal.append([data])
            if begins_shoe(taken, log.scribe.procedure):
                count += 1
                journal.begin_shoe(AT, state(count, msgspec.json.encode(log.past.snapshot(log.scribe))))
        journal.sign(AT)
    return journal.path


def verdict(path: Path, pool: Callable[[], Executor] | None, keys: SealingKeys | None = None) -> tuple[object, ...]:
    """The error of a whole verification and the entry that it names; or what was not replayed, and the odd times."""
    try:
        with read_only(path) as evidence:
            judge = Judge(evidence, keys_beside(path) if keys is None else keys, pool=pool)
            checked = evidence.verify(follow=judge.follow)
            return (*judge.verdict(without_keys=False), checked.last, judge.timeline.odd)
    except JournalBroken as error:
        return type(error).__name__, error.entry, error.reason
    except SealingKeyMissing as error:
        return type(error).__name__, error.seq, error.key_id


def wrong_output(data: bytes) -> bytes:
    changed = data.replace(b'"article":"', b'"article":"9')
    assert changed != data
    return changed


def no_input(data: bytes) -> bytes:
    return data.replace(b'{"event":"card"', b'{"event":"bogus"', 1)


def state_of(number_of: int, shoe: Mapping[str, object] = {}, **members: object) -> Change:
    """A change of the snapshot with which a shoe game begins, from 1: of its members, and of those of its shoe."""

    def change(number: int, state: bytes) -> bytes:
        if number != number_of:
            return state
        said = msgspec.json.decode(state)
        said["regulation"]["shoe"].update(shoe)
        return msgspec.json.encode({**said, **members})

    return change


LOGS: Final[dict[str, tuple[Change, Change]]] = {
    "a sound one": (same, same),
    "an output that the rules do not give": (at_shoe(2, wrong_output, place=8), same),
    "one in the first shoe game": (at_shoe(0, wrong_output, place=8), same),
    "one at the end of a shoe game": (at_shoe(2, wrong_output, place=3), same),
    "one in the open shoe game": (at_shoe(SHOES, wrong_output, place=8), same),
    "the last one": (at_shoe(SHOES, wrong_output, place=len(INPUTS) - 1), same),
    "an input that is none": (at_shoe(1, no_input), same),
    "two": (lambda n, data: at_shoe(1, wrong_output, 8)(n, at_shoe(3, wrong_output, 8)(n, data)), same),
    "a snapshot of another number of inputs": (same, state_of(2, inputs=7)),
    "a snapshot of another version": (same, state_of(2, form=99)),
    "a snapshot whose rule is gone": (same, state_of(2, shoe={"row": "poured@load"})),
    "the last snapshot is another": (same, state_of(SHOES + 1, entered=3)),
}


@pytest.mark.parametrize("case", LOGS)
def test_the_verdict_is_that_of_one_replay_after_another(tmp_path: Path, case: str) -> None:
    path = log_with(tmp_path, *LOGS[case])
    alone = verdict(path, None)
    assert verdict(path, thread) == alone
    assert (alone[0] is None) == (case in {"a sound one", "a snapshot of another version"})


def test_shoe_games_apart_are_enough_where_they_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No entry of a sound log is replayed twice, and each is read once for its tree."""
    path = log_with(tmp_path)
    taken: list[object] = []
    numbers: list[int] = []
    replay, follow = replayed, reader.followed

    def counted(*arguments: Any) -> Any:  # noqa: ANN401  handed on
        for stands in replay(*arguments):
            taken.append(stands)
            yield stands

    def counted_tree(*arguments: Any) -> Any:  # noqa: ANN401  handed on
        for one in follow(*arguments):
            numbers.append(one.number)
            yield one

    monkeypatch.setattr(judging, "replayed", counted)
    monkeypatch.setattr(reader, "followed", counted_tree)
    for pool in (None, thread):
        taken.clear()
        numbers.clear()
        assert verdict(path, pool)[0] is None
        with read_only(path) as evidence:
            last = evidence.last
        assert (len(taken), numbers) == (last, list(range(1, last + 1)))


def test_a_tree_that_does_not_hold_is_named_before_a_replay(tmp_path: Path) -> None:
    path = log_with(tmp_path, at_shoe(0, wrong_output, place=8))
    (_, replay, _), last = verdict(path, None), SHOES * len(SHOE)
    assert isinstance(replay, int)
    edited(path, lambda database: database.execute("UPDATE entries SET node = zeroblob(32) WHERE number = ?", (last,)))
    for pool in (None, thread):
        kind, entry, _ = verdict(path, pool)
        assert (kind, entry) == ("JournalBroken", last)


def test_a_snapshot_that_was_altered_is_named_after_the_tree(tmp_path: Path) -> None:
    path = played(tmp_path, 2)
    edited(path, lambda database: database.execute("UPDATE snapshots SET state = x'7b7d' WHERE epoch = 2"))
    for pool in (None, thread):
        assert "the snapshot at key 2 is not what" in str(verdict(path, pool)[2])
    edited(path, lambda database: database.execute("UPDATE entries SET node = zeroblob(32) WHERE number = 9"))
    for pool in (None, thread):
        assert verdict(path, pool)[1] == 9


def test_a_sealing_key_that_is_not_here_is_missed_in_either_way(tmp_path: Path) -> None:
    path = played(tmp_path, SHOES)
    found = {verdict(path, pool, SealingKeys([])) for pool in (None, thread)}
    assert len(found) == 1
    assert next(iter(found))[0] == "SealingKeyMissing"


def test_processes_that_are_killed_leave_the_work_to_this_one(tmp_path: Path) -> None:
    path = played(tmp_path, SHOES)
    assert verdict(path, lambda: Dying(1)) == verdict(path, None)


def test_processes_of_their_own_replay_a_log(tmp_path: Path) -> None:
    for case in ("a sound one", "an output that the rules do not give"):
        folder = tmp_path / case
        path = log_with(folder, *LOGS[case])
        assert verdict(path, processes) == verdict(path, None)
