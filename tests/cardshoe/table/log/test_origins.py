"""Whose an input is: written by the way it came in, and held to by whoever reads a log."""

import json
import queue
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from cardshoe.journal import Journal, JournalBroken, Keyring
from cardshoe.journal.file.chain import data_of
from cardshoe.process.exits import Exit
from cardshoe.table.controller import Controller, Item
from cardshoe.table.log.log_builder import Scribe
from cardshoe.table.log.sealing_keys import FILE_NAME, make_keys
from cardshoe.table.log.table_journal import OpenLog, header_of, open_log
from cardshoe.table.log.verify import verify
from firmware_bridge.report import Report
from regulations.events.errors import WrongOrigin
from regulations.events.inputs import AnyInput, CardDrawn, DeviceLost, Fault, FaultCleared, Resolve
from regulations.events.notices import DeviceJudged
from tests.cardshoe.cli.support import PROFILE, STACK, answered, script
from tests.kit.command import Line
from tests.kit.table_log import AT, INPUTS, TABLE

CARD: Final = CardDrawn(card="9H", device="shoe", origin="device", at=AT)
PLAYED: Final[list[AnyInput]] = [
    *INPUTS[:13],
    CARD,
    Fault(device="shoe", code="not_admitted", origin="table", at=AT),
    FaultCleared(device="shoe", code="not_admitted", origin="table", at=AT),
    Resolve(irregularity=1, action="continue", by=[7], at=AT),
]


def desk(folder: Path) -> tuple[Controller, OpenLog]:
    log = open_log(folder, TABLE, AT, lambda _: None)
    inbox: queue.SimpleQueue[Item] = queue.SimpleQueue()
    return Controller(log, inbox, lambda: AT, boot_s=lambda: 0.0), log


def test_the_way_in_says_whose_it_is(tmp_path: Path) -> None:
    controller, log = desk(tmp_path)
    heard: list[tuple[str, object]] = []
    controller.listen(lambda taken: heard.append((str(taken.event.__struct_config__.tag), taken.event.origin)))
    judged = DeviceJudged(device="shoe", verdict="admitted", origin="table")
    with log.journal:
        assert log.last.event.origin == "table"
        controller.submit(INPUTS[0])
        controller.note(DeviceJudged(device="shoe", verdict="not_judged"))
        controller.stop()
        controller.run()
        controller.take(INPUTS[1])
        controller.take_report(Report("shoe", (DeviceLost(device="shoe"), judged)))
    assert heard == [
        ("shuffled", "person"),
        ("device_judged", "table"),
        ("cut", "person"),
        ("device_lost", "device"),
        ("device_judged", "table"),
    ]
    assert verify(log.journal.path).entries == 1 + len(heard)


@pytest.mark.parametrize("event", [DeviceLost(device="shoe"), CARD.__class__(card="9H", device="shoe")])
def test_nothing_reaches_the_journal_under_a_wrong_origin(tmp_path: Path, event: AnyInput) -> None:
    """This holds by whatever door: an input that comes in unnamed is a person's."""
    controller, log = desk(tmp_path)
    with log.journal:
        before = log.journal.last_seq
        controller.submit(event)
        with pytest.raises(WrongOrigin):
            controller.run()
        assert log.journal.last_seq == before


def written(path: Path, events: Sequence[AnyInput], old: bytes = b"", new: bytes = b"") -> Path:
    """A signed journal of these inputs in which something of their lines was written otherwise."""
    scribe = Scribe(TABLE)
    header = header_of(TABLE, scribe, AT, "ab" * 16)
    with Journal.create(path, header, Keyring(path)) as journal:
        journal.append([scribe.opening.entry])
        for event in events:
            lines = scribe.take(event).lines
            journal.append([data_of([lines[0].replace(old, new), *lines[1:]])])
        journal.sign(AT)
    return path


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b'"fault_cleared","seq":', b"", ""),
        (b'"origin":"device","device"', b'"origin":"person","device"', "`device` says that a device reports `card`"),
        (b'"origin":"device","device":"shoe"', b'"origin":"device"', "does not say which one's"),
        (
            b'"origin":"table","device"',
            b'"origin":"person","device"',
            "`fault` is said by devices and the table itself",
        ),
        (
            b'"origin":"person","by":"croupier"',
            b'"origin":"table","by":"croupier"',
            "`shuffled` is said by devices and",
        ),
        (b'"origin":"person",', b"", "not written as this program writes it"),
        (b'"origin":"person"', b'"origin":"nobody"', "nobody"),
    ],
    ids=["whole", "a person's card", "no device's", "a person's fault", "the table's shuffle", "nobody's", "unknown"],
)
def test_verification_holds_a_journal_to_who_may_say_what(tmp_path: Path, old: bytes, new: bytes, said: str) -> None:
    path = tmp_path / "a.journal"
    if not said:
        assert verify(written(path, PLAYED)).entries == 1 + len(PLAYED)
        return
    with pytest.raises(JournalBroken, match=said):
        verify(written(path, PLAYED, old, new))


BY_PERSON: Final[Line] = {"event": "fault_cleared", "device": "shoe", "code": 3, "origin": "person"}
REFUSED: Final = "$.event: `fault_cleared` is said by devices and the table itself, not by persons"


def test_replay_holds_a_script_to_it(tmp_path: Path) -> None:
    done = answered("replay", script(tmp_path / "a.jsonl", [PROFILE, *STACK, BY_PERSON]))
    assert done.returncode == Exit.USAGE
    assert f"a.jsonl, line {2 + len(STACK)}, {REFUSED}" in done.stderr.decode()


def test_import_holds_a_log_to_it_and_writes_whose_each_line_is(tmp_path: Path) -> None:
    make_keys(tmp_path / FILE_NAME)
    told = script(tmp_path / "a.jsonl", [PROFILE, *STACK, BY_PERSON])
    done = answered("journal", "import", told, tmp_path / "a.journal")
    assert done.returncode == Exit.USAGE
    assert REFUSED in done.stderr.decode()
    lines = [PROFILE, *STACK, {"event": "card", "card": "9H", "device": "shoe"}]
    assert answered("journal", "import", script(told, lines), tmp_path / "b.journal").returncode == 0
    printed = answered("log", "--inputs", tmp_path / "b.journal").stdout.splitlines()
    assert [json.loads(line)["origin"] for line in printed] == ["table", *["person"] * len(STACK), "device"]
