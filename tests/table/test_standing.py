"""A log is taken up from where it last stood: the same table, with the open shoe alone replayed."""

import queue
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from regulations.events.inputs import (
    AnyInput,
    ShoeEnded,
    StackCounted,
)
from table.controller import Controller
from table.journal import JournalBroken, read_only
from table.scribe import Taken
from table.standing import Past, TableStanding, begins_shoe
from table.table_journal import OpenLog, open_log
from table.verify import replayed
from tests.regulations.support.fingerprint import fingerprint
from tests.regulations.test_standing import LEFT_OVER
from tests.table.support.sealed import sealer_of, verified
from tests.table.test_scribe import AT, INPUTS, TABLE

LATER = "2026-01-06T10:00:00.000000Z"
SHOE: list[AnyInput] = [*INPUTS, ShoeEnded(reason="the house asks"), StackCounted(cards=404)]
"""A shoe game with one round: 8 cards are burned and 4 dealt."""
SMALL_BYTES = 2048


def ignore(_taken: Taken) -> None:
    """Nobody remembers."""


def played(folder: Path, shoes: int, *, rest: int = 7) -> Path:
    """Shoe games as a controller plays them, then the first inputs of another one."""
    log = open_log(folder, TABLE, AT, ignore)
    with log.journal:
        controller = Controller(log, queue.SimpleQueue(), lambda: AT)
        for event in [*SHOE * shoes, *INPUTS[:rest]]:
            controller.take(event)
        log.journal.sign(AT)
    return log.journal.path


def opened(folder: Path) -> OpenLog:
    log = open_log(folder, TABLE, LATER, ignore)
    log.journal.close()
    return log


def test_the_open_shoe_alone_is_replayed(tmp_path: Path) -> None:
    few, many = tmp_path / "few", tmp_path / "many"
    played(few, 1)
    played(many, 20)
    one, twenty = opened(few), opened(many)
    # After the load: the three cards that were burned since.
    assert one.replayed == twenty.replayed == 3
    assert (one.recovered, twenty.recovered) == (1 + len(SHOE) + 7, 1 + 20 * len(SHOE) + 7)


@pytest.mark.parametrize("rest", [0, 3, 4, 5, 15, len(INPUTS)])
def test_it_is_the_table_that_a_whole_replay_gives(tmp_path: Path, rest: int) -> None:
    path = played(tmp_path, 2, rest=rest)
    log = opened(tmp_path)
    past, sealer = Past(), sealer_of(path)
    with read_only(path) as evidence:
        whole = list(replayed(path, evidence.entries(), sealer))
    for _, one in whole:
        past.note(one)
    scribe, taken = whole[-1]
    assert past.inputs == log.recovered > log.replayed
    assert fingerprint(log.scribe.procedure, LEFT_OVER) == fingerprint(scribe.procedure, LEFT_OVER)
    assert (log.last.event, log.last.outputs, log.last.lines) == (taken.event, taken.outputs, taken.lines)
    assert (log.loaded_by, log.entered) == (past.loaded_by, past.entered)
    for event in (*INPUTS[rest:], *SHOE):
        later = msgspec.structs.replace(event, at=LATER)
        # What is sealed anew is never the same twice.
        assert log.scribe.take(later).lines[1:] == scribe.take(later).lines[1:]


def test_a_standing_is_small_and_each_key_has_one(tmp_path: Path) -> None:
    path = played(tmp_path, 3)
    with read_only(path) as evidence:
        stood = evidence.standings()
    assert [one.epoch for one in stood] == [1, 2, 3, 4]
    assert all(len(one.state) < SMALL_BYTES for one in stood)
    assert verified(path).keys == 5


def changed(path: Path, sql: str, *bindings: object) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        assert database.execute(sql, bindings).rowcount > 0


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("UPDATE standings SET state = x'7b7d' WHERE epoch = 2", "the standing at key 2 is not what its statement"),
        ("DELETE FROM standings WHERE epoch = 2", "the standing at key 2 is missing"),
        ("INSERT INTO standings VALUES (9, x'7b7d')", "the standing at key 9 belongs to no key"),
    ],
)
def test_a_standing_that_was_altered_is_named(tmp_path: Path, sql: str, reason: str) -> None:
    path = played(tmp_path, 2)
    changed(path, sql)
    for act in (lambda: verified(path), lambda: opened(tmp_path)):
        with pytest.raises(JournalBroken, match=reason):
            act()


def test_a_journal_of_a_version_without_standings_is_replayed_as_a_whole(tmp_path: Path) -> None:
    log = open_log(tmp_path, TABLE, AT, ignore)
    with log.journal:
        for event in INPUTS:
            taken = log.scribe.take(event)
            log.journal.append(taken.lines)
            if begins_shoe(taken):
                log.journal.begin_shoe(AT)
        log.journal.sign(AT)
    assert opened(tmp_path).replayed == 1 + len(INPUTS)
    assert verified(log.journal.path).inputs == 1 + len(INPUTS)


def signed_with(folder: Path, change: Callable[[TableStanding], object]) -> Path:
    """A journal whose keys have signed another standing than the table's."""
    log = open_log(folder, TABLE, AT, ignore)
    with log.journal:
        for event in INPUTS:
            taken = log.scribe.take(event)
            log.past.take(taken)
            log.journal.append(taken.lines)
            if begins_shoe(taken):
                standing = log.past.standing(log.scribe)
                assert standing is not None
                log.journal.begin_shoe(AT, msgspec.json.encode(change(standing)))
        log.journal.sign(AT)
    return log.journal.path


def test_verify_compares_a_standing_with_its_own_replay(tmp_path: Path) -> None:
    path = signed_with(tmp_path, lambda one: msgspec.structs.replace(one, entered=3))
    with pytest.raises(JournalBroken, match="the standing at key 1 is not where the table stands after it") as caught:
        verified(path)
    with read_only(path) as evidence:
        assert caught.value.seq == evidence.standings()[0].last_seq


def test_a_standing_of_another_version_is_left_alone(tmp_path: Path) -> None:
    path = signed_with(tmp_path, lambda one: {**msgspec.to_builtins(one), "form": 2})
    assert verified(path).inputs == 1 + len(INPUTS)
    assert opened(tmp_path).replayed == 1 + len(INPUTS)


def test_a_standing_whose_rule_is_gone_is_left_alone(tmp_path: Path) -> None:
    def with_another_rule(one: TableStanding) -> TableStanding:
        shoe = msgspec.structs.replace(one.regulation.shoe, row="poured@load")
        return msgspec.structs.replace(one, regulation=msgspec.structs.replace(one.regulation, shoe=shoe))

    signed_with(tmp_path, with_another_rule)
    assert opened(tmp_path).replayed == 1 + len(INPUTS)
