"""A log is taken up from where it last stood: the same table, with the open shoe alone replayed."""

import queue
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cardshoe.journal import JournalBroken, read_only
from cardshoe.table.controller import Controller
from cardshoe.table.log.log_builder import LoggedInput, Scribe
from cardshoe.table.log.replaying import replayed
from cardshoe.table.log.snapshot import LogSummary, TableSnapshot, begins_shoe
from cardshoe.table.log.table_journal import OpenLog, open_log
from drivers.errors import PortLost
from firmware_bridge.bridge import Bridge
from firmware_bridge.families import family_named
from firmware_bridge.report import Inbox, Report
from regulations.events.inputs import AnyInput, DeviceBack, Fault, Loaded, Resolve, Shuffled, Table
from tests.cardshoe.journal.sealed import by_the_verifier
from tests.kit.sealed import sealer_of, verified
from tests.kit.table_log import AT, INPUTS, SHOE, TABLE, ignore, played
from tests.regulations.support.fingerprint import LEFT_OVER, fingerprint

LATER = "2026-01-06T10:00:00.000000Z"
SMALL_BYTES = 4096


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
    past, sealer = LogSummary(), sealer_of(path)
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
        stood = evidence.snapshots()
    assert [one.epoch for one in stood] == [1, 2, 3, 4]
    assert all(len(one.state) < SMALL_BYTES for one in stood)
    assert verified(path).keys == 5


def changed(path: Path, sql: str, *bindings: object) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        assert database.execute(sql, bindings).rowcount > 0


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("UPDATE snapshots SET state = x'7b7d' WHERE epoch = 2", "the snapshot at key 2 is not what its statement"),
        ("DELETE FROM snapshots WHERE epoch = 2", "the snapshot at key 2 is missing"),
        ("INSERT INTO snapshots VALUES (9, x'7b7d')", "the snapshot at key 9 belongs to no key"),
    ],
)
def test_a_standing_that_was_altered_is_named(tmp_path: Path, sql: str, reason: str) -> None:
    path = played(tmp_path, 2)
    changed(path, sql)
    for act in (lambda: verified(path), lambda: opened(tmp_path)):
        with pytest.raises(JournalBroken, match=reason):
            act()
    status, said = by_the_verifier(path)
    assert (status, "a snapshot is not what the statement of its key was signed for" in said) == (4, True)


def test_a_journal_of_a_version_without_snapshots_is_replayed_as_a_whole(tmp_path: Path) -> None:
    log = open_log(tmp_path, TABLE, AT, ignore)
    with log.journal:
        for event in INPUTS:
            taken = log.scribe.take(event)
            log.journal.append([taken.entry])
            if begins_shoe(taken, log.scribe.procedure):
                log.journal.begin_shoe(AT)
        log.journal.sign(AT)
    assert opened(tmp_path).replayed == 1 + len(INPUTS)
    assert verified(log.journal.path).entries == 1 + len(INPUTS)


def signed_with(folder: Path, change: Callable[[TableSnapshot], object]) -> Path:
    """A journal whose keys have signed another snapshot than the table's."""
    log = open_log(folder, TABLE, AT, ignore)
    with log.journal:
        for event in INPUTS:
            taken = log.scribe.take(event)
            log.past.take(taken)
            log.journal.append([taken.entry])
            if begins_shoe(taken, log.scribe.procedure):
                snapshot = log.past.snapshot(log.scribe)
                assert snapshot is not None
                log.journal.begin_shoe(AT, msgspec.json.encode(change(snapshot)))
        log.journal.sign(AT)
    return log.journal.path


def test_verify_compares_a_standing_with_its_own_replay(tmp_path: Path) -> None:
    path = signed_with(tmp_path, lambda one: msgspec.structs.replace(one, entered=3))
    with pytest.raises(JournalBroken, match="the snapshot at key 1 is not how the table stands after it") as caught:
        verified(path)
    with read_only(path) as evidence:
        assert caught.value.entry == evidence.snapshots()[0].last


def test_a_standing_of_another_version_is_left_alone(tmp_path: Path) -> None:
    path = signed_with(tmp_path, lambda one: {**msgspec.json.decode(msgspec.json.encode(one)), "form": 1})
    assert verified(path).entries == 1 + len(INPUTS)
    assert opened(tmp_path).replayed == 1 + len(INPUTS)


def test_a_standing_whose_rule_is_gone_is_left_alone(tmp_path: Path) -> None:
    def with_another_rule(one: TableSnapshot) -> TableSnapshot:
        shoe = msgspec.structs.replace(one.regulation.shoe, row="poured@load")
        return msgspec.structs.replace(one, regulation=msgspec.structs.replace(one.regulation, shoe=shoe))

    signed_with(tmp_path, with_another_rule)
    assert opened(tmp_path).replayed == 1 + len(INPUTS)


# --- devices ---------------------------------------------------------------------------------------------------------


def bridges_of(*families: str, inbox: Inbox = lambda _: None) -> list[Bridge[Any]]:
    """A bridge of each family, named like it, at a port that is never opened."""
    return [family_named(one).part("make")(one, "/dev/null", {}, [], inbox) for one in families]


@dataclass(frozen=True)
class Lost:
    """The link to a device is gone, as its port's thread says."""

    device: str


def with_devices(
    folder: Path, families: Sequence[str], items: Sequence[AnyInput | Report | Lost]
) -> tuple[OpenLog, list[Bridge[Any]]]:
    """A log taken up by a table with these devices, which then takes inputs and reports, and is stopped."""
    said: list[AnyInput | Report] = []
    bridges = bridges_of(*families, inbox=said.append)
    by_name = {bridge.name: bridge for bridge in bridges}

    def remember(taken: LoggedInput) -> None:
        for bridge in bridges:
            bridge.replay(taken.opened)

    log = open_log(folder, TABLE, AT, remember, bridges=bridges)
    with log.journal:
        controller = Controller(log, queue.SimpleQueue(), lambda: AT, boot_s=lambda: 0.0)
        for bridge in bridges:
            controller.attach(bridge)
        for item in items:
            if isinstance(item, Lost):
                by_name[item.device].lost(PortLost(item.device, "unplugged", "Plug it in."))
            else:
                said.append(item)
            for one in said:
                controller.take_report(one) if isinstance(one, Report) else controller.take(one)
            said.clear()
        log.journal.sign(AT)
    log.past.settle()
    return log, bridges


LOST: list[AnyInput | Lost] = [
    Lost("angel_eye"),
    Resolve(irregularity=1, action="end_shoe", by=[1, 2]),
]
LOADED: list[AnyInput] = [Loaded(cards=416, device="bee_tek"), Fault(device="bee_tek", code="lid")]


def test_devices_know_after_a_restart_what_the_journal_knows(tmp_path: Path) -> None:
    families = ("angel_eye", "bee_tek")
    log, before = with_devices(tmp_path, families, [*LOST, *SHOE, *INPUTS[:3], Report("bee_tek", tuple(LOADED))])
    assert log.last.prompt.do == "resolve"
    again, after = with_devices(tmp_path, families, [])
    assert (again.replayed, again.loaded_by, again.last.event) == (0, "bee_tek", log.last.event)
    for one, other in zip(before, after, strict=True):
        assert other.snapshot() == one.snapshot()
        # The session that listens knows it too: a link that was lost and is back is an event.
        assert [type(event) for event in other._session.back()] == [DeviceBack] * (other.name == "angel_eye")  # noqa: SLF001  # what listens


def test_a_device_that_is_away_for_a_shoe_game_is_known_when_it_comes_back(tmp_path: Path) -> None:
    with_devices(tmp_path, ["angel_eye"], [*LOST, *SHOE])
    with_devices(tmp_path, ["bee_tek"], SHOE)
    log, after = with_devices(tmp_path, ["angel_eye"], [])
    assert log.replayed < len(SHOE)
    assert [type(event) for event in after[0]._session.back()] == [DeviceBack]  # noqa: SLF001  # what listens


def test_another_device_of_the_same_name_has_the_whole_log_replayed(tmp_path: Path) -> None:
    with_devices(tmp_path, ["angel_eye"], [*LOST, *SHOE])
    [other] = bridges_of("bee_tek")
    other.name = "angel_eye"  # type: ignore[misc]  # as a changed configuration has it
    log = open_log(tmp_path, TABLE, LATER, ignore, bridges=[other])
    with log.journal:
        assert log.replayed == log.recovered == 1 + len(LOST) + len(SHOE)


def test_the_shoe_game_of_a_shuffler_begins_once_it_has_shuffled() -> None:
    table = Table(table_id="Q-1", game="q_poker", decks=1, seats=7, equipment="shuffler", at=AT)
    scribe = Scribe(table)
    inputs = (Loaded(cards=52, at=AT), Loaded(cards=52, at=AT), Shuffled(by="shuffler", at=AT))
    assert [begins_shoe(scribe.take(one), scribe.procedure) for one in inputs] == [False, False, True]
    assert scribe.procedure.snapshot().shoe.row == "shuffled@mix"
