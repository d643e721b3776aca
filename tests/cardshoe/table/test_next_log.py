"""After the house's hour another log begins at a clean end of a shoe game, and continues what the table needs."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from cardshoe.journal import Journal, Keyring, read_only
from cardshoe.table.inbox import Answer
from cardshoe.table.log.idempotency import Earlier
from cardshoe.table.log.journal_names import journals_of
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.replaying import replayed
from cardshoe.table.log.sealing import Sealer
from cardshoe.table.log.sealing_keys import FILE_NAME, read_keys
from firmware_bridge.interlock import DeviceActionKind
from regulations.events.inputs import BetsClosed, Closed, Fault, Table
from tests.cardshoe.journal.sealed import by_the_verifier
from tests.kit.desk import Device
from tests.kit.sealed import verified
from tests.kit.table_log import INPUTS, SHOE, TABLE
from tests.kit.timed_table import NEXT_DAY, TimedTable


def logs(folder: Path) -> list[Path]:
    return journals_of(folder, TABLE.table_id)


def taken_of(path: Path) -> list[LoggedInput]:
    """The inputs of a log with their answers, replayed from this log alone."""
    with read_only(path) as evidence:
        sealer = Sealer(read_keys(path.parent / FILE_NAME), evidence.header.origin)
        return [taken for _, taken in replayed(path, evidence.entries(), sealer)]


def rounds_of(path: Path) -> list[int]:
    return sorted({one.event.round for one in taken_of(path) if isinstance(one.event.round, int)})


def test_another_log_begins_and_names_the_one_before(tmp_path: Path) -> None:
    table = TimedTable(tmp_path)
    table.play()
    table.quiet()
    table.quiet(NEXT_DAY)
    table.play()
    table.quiet()
    table.run()
    first, second = logs(tmp_path)
    assert (verified(first).previous, table.log.journal.path) == (None, second)
    ended = taken_of(first)[-1]
    assert isinstance(ended.event, Closed)
    assert (ended.event.origin, ended.event.at) == ("table", NEXT_DAY)
    assert verified(second).previous_is_here
    assert by_the_verifier(first, second)[0] == 0
    opening = taken_of(second)[0].event
    assert isinstance(opening, Table)
    assert (opening.at, opening.rounds) == (NEXT_DAY, 1)
    assert (rounds_of(first), rounds_of(second)) == ([1], [2])


def test_a_log_ends_once_a_day(tmp_path: Path) -> None:
    table = TimedTable(tmp_path)
    for _ in range(3):
        table.play()
        table.quiet(NEXT_DAY)
    table.run()
    assert len(logs(tmp_path)) == 2


@pytest.mark.parametrize("played", [0, 4, len(INPUTS)], ids=["no shoe game", "before its cards", "between rounds"])
def test_it_does_not_end_before_a_shoe_game_has(tmp_path: Path, played: int) -> None:
    table = TimedTable(tmp_path)
    table.play(SHOE[:played])
    table.quiet(NEXT_DAY)
    table.run()
    assert len(logs(tmp_path)) == 1
    assert not table.log.scribe.procedure.is_closed


def test_it_does_not_end_while_something_is_open(tmp_path: Path) -> None:
    table = TimedTable(tmp_path)
    table.play([*SHOE, Fault(device="shoe", code="jam", origin="device")])
    table.quiet(NEXT_DAY)
    table.run()
    assert len(logs(tmp_path)) == 1


def test_it_does_not_end_while_a_device_is_held(tmp_path: Path) -> None:
    table = TimedTable(tmp_path)
    device = Device(table.log, DeviceActionKind.LOCK)
    table.controller.attach(device)
    device.interlock.latch("jam")
    table.play()
    table.quiet(NEXT_DAY)
    table.run()
    assert len(logs(tmp_path)) == 1


def test_it_does_not_end_without_room_for_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = TimedTable(tmp_path)
    monkeypatch.setattr("cardshoe.table.log.table_journal.free_space", lambda _: 0)
    table.play()
    table.quiet(NEXT_DAY)
    table.run()
    assert len(logs(tmp_path)) == 1


def test_without_an_hour_it_ends_where_the_table_is_closed(tmp_path: Path) -> None:
    table = TimedTable(tmp_path, day=None)
    table.play()
    table.quiet(NEXT_DAY)
    table.run()
    assert len(logs(tmp_path)) == 1


def test_the_numbers_of_rounds_continue_after_a_person_closed_the_table_too(tmp_path: Path) -> None:
    for _ in range(2):
        table = TimedTable(tmp_path, day=None)
        table.play([*SHOE, Closed()])
        table.run()
    assert [rounds_of(path) for path in logs(tmp_path)] == [[1], [2]]


def test_a_log_with_its_header_alone_continues_them_too(tmp_path: Path) -> None:
    table = TimedTable(tmp_path, day=None)
    table.play([*SHOE, Closed()])
    table.run()
    begun = TimedTable(tmp_path, at=NEXT_DAY)
    begun.log.journal.close()
    (path,) = logs(tmp_path)[1:]
    with read_only(path) as evidence:
        header = evidence.header
    path.unlink()
    first = logs(tmp_path)[0]
    with Journal.open(first, Keyring(first)) as ended:
        signer = ended.signer
    Journal.create(path, msgspec.structs.replace(header, journal_id=""), Keyring(path), signer).close()
    table = TimedTable(tmp_path, at=NEXT_DAY)
    table.play()
    table.run()
    assert (table.log.journal.path, rounds_of(path)) == (path, [2])


KEYED = msgspec.structs.replace(INPUTS[12], key="one")


def answers_to(folder: Path, at: str, event: object = KEYED) -> list[Answer]:
    """What a table answers that is started, and has not closed its log."""
    assert isinstance(event, BetsClosed)
    table, answers = TimedTable(folder, at=at), list[Answer]()
    table.say(event, answers)
    table.run()
    return answers


def with_a_key(folder: Path) -> tuple[LoggedInput, list[Answer]]:
    """A table that takes an input with a key, and receives the same once more in the next log."""
    table, answers = TimedTable(folder), list[Answer]()
    table.play(SHOE[:12])
    table.say(KEYED, answers)
    table.play(SHOE[13:])
    table.quiet(NEXT_DAY)
    table.say(KEYED, answers)
    table.run()
    first, again = answers
    assert isinstance(first, LoggedInput)
    assert len(logs(folder)) == 2
    return first, [again]


def test_an_input_of_the_log_before_has_its_first_answer(tmp_path: Path) -> None:
    first, (again,) = with_a_key(tmp_path)
    assert again == Earlier(first.lines, is_other=False)
    # After a restart too, from the closed log.
    assert answers_to(tmp_path, NEXT_DAY) == [Earlier(first.lines, is_other=False)]


def test_a_key_is_forgotten_after_a_day(tmp_path: Path) -> None:
    first, _ = with_a_key(tmp_path)
    (kept,) = answers_to(tmp_path, "2026-01-06T09:59:59.000000Z")
    assert kept == Earlier(first.lines, is_other=False)
    (taken,) = answers_to(tmp_path, "2026-01-06T10:00:01.000000Z")
    assert isinstance(taken, LoggedInput)


def test_listeners_and_viewers_follow(tmp_path: Path) -> None:
    table = TimedTable(tmp_path)
    seen: list[tuple[str, int]] = []

    def show(_taken: Sequence[LoggedInput], _view: object) -> None:
        view = table.log.view
        assert view is not None
        decoded = view.decoded()
        seen.append((decoded.log, decoded.seq))

    table.controller.show(show)
    table.play()
    table.quiet(NEXT_DAY)
    table.run()
    assert seen[-1] == (table.log.journal.header.fingerprint, 2)
    assert isinstance(table.taken[-1].event, Table)
