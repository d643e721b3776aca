"""Attack: somebody at the table's keyboard, or a program on its standard input, says what only others can know.

What is longer than 65,536 bytes is passed over now.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from cardshoe.table.terminal.typing_in import LINE_MAX
from tests.firmware_bridge.admission.sites import TodaysSite, made_site, site
from tests.kit.command import Line
from tests.kit.far_ends import PtyEnd
from tests.kit.judged_table import TRUST, configured, is_fault, machine, until
from tests.kit.live_table import LiveTable
from tests.kit.running_table import RunningTable, journal_of, lines_of, write_config
from tests.kit.sealed import verified

__all__ = ["made_site", "site"]

DEVICES: Final = "is said by devices, not by persons"
DEVICES_AND_TABLE: Final = "is said by devices and the table itself, not by persons"
TABLES: Final = "is said by the table itself, not by persons"
FORGED: Final = {
    "fault_cleared shoe not_admitted": f"`fault_cleared` {DEVICES_AND_TABLE}",
    "fault shoe jam": f"`fault` {DEVICES_AND_TABLE}",
    "fault": f"`fault` {DEVICES_AND_TABLE}",
    '{"event":"device_judged","device":"shoe","verdict":"admitted"}': f"`device_judged` {TABLES}",
    "device_judged shoe admitted": f"`device_judged` {TABLES}",
    "device_identified shoe Acme Shuffler SN-1 1.1.0 00 2": f"`device_identified` {DEVICES}",
    "device_lost shoe": f"`device_lost` {DEVICES}",
    "device_back shoe": f"`device_back` {DEVICES}",
    "device_result shoe banker": f"`device_result` {DEVICES}",
    "device_noted shoe emptied": f"`device_noted` {DEVICES}",
    "round_partial shoe": f"`round_partial` {DEVICES}",
    "clock_stepped -3600": f"`clock_stepped` {TABLES}",
    "witness_behind stick 1 61": f"`witness_behind` {TABLES}",
    "witness_current stick 3": f"`witness_current` {TABLES}",
    "signed_in 9 supervisor terminal": f"`signed_in` {TABLES}",
    "signed_out 9 terminal asked": f"`signed_out` {TABLES}",
    "sign_ins_refused 1 x": f"`sign_ins_refused` {TABLES}",
    "persons_listed 99 x y 1": f"`persons_listed` {TABLES}",
    "table T-1": f"`table` {TABLES}",
    "card 9H device=shoe": "`device` says that a device reports `card`, not a person",
    "stack_counted 402 device=shoe": "`device` says that a device reports `stack_counted`",
    "card 9H boot=1": "`boot` is written by a device alone",
    "card 9H number=7": "`number` is written by a device alone",
    '{"event":"card","card":"9H","raw":"c0ffee"}': "`raw` is written by a device alone",
    "loaded 416 device=shoe boot=1 number=2": "`boot` is written by a device alone",
    "card 9H origin=device": "`origin` is written by the table",
    '{"event":"closed","origin":"person"}': "`origin` is written by the table",
    '{"event":"fault_cleared","device":"shoe","code":"not_admitted","origin":"table"}': "`origin` is written by",
    '{"event":"card","card":null,"sealed":"x.eA=="}': "`sealed` is written by the table",
}
"""The typed line, and the answer now."""
HUGE: Final = 64 * 1024 * 1024
"""Bytes of a line."""
CONTINUE: Final[Line] = {"event": "resolve", "irregularity": 1, "action": "continue", "by": [7]}


def test_a_refused_device_stays_refused_whatever_is_typed(site: TodaysSite, tmp_path: Path) -> None:
    site.revoke()
    config = configured(tmp_path, site, device=tmp_path / "shoe")
    with machine(tmp_path / "shoe", site.device()), RunningTable(config) as table:
        lines = table.answer()
        while not any(is_fault("not_admitted")(line) for line in lines):
            lines = table.answer()
        assert (lines[-1]["do"], lines[-1]["actions"]) == ("resolve", ["end_shoe"])

        for typed, answer in FORGED.items():
            before = table.errors().count("not taken: ")
            table.say(typed)
            table.wait_for_error("not taken: ", before + 1)
            refusal = table.errors().rpartition("not taken: ")[2]
            assert refusal.startswith(answer), typed
            assert len(refusal.splitlines()) == 2, "what is wrong; and what to do"

        table.say("resolve 1 continue by=7")
        answer_to_him = table.answer()
        while answer_to_him[0]["origin"] == "device":
            answer_to_him = table.answer()
        assert [line["event"] for line in answer_to_him] == ["resolve", "refused", "next"]
        assert answer_to_him[-1]["actions"] == ["end_shoe"]
        table.say("quit")
        table.rest()
        assert table.end() == 0

    inputs = [line for line in map(json.loads, lines_of(journal_of(tmp_path))) if "origin" in line]
    assert [(line["event"], line["origin"]) for line in inputs if line["origin"] == "person"] == [("resolve", "person")]
    tables = {line["event"] for line in inputs if line["origin"] == "table"}
    assert tables == {"table", "device_judged", "fault"}
    assert {line["event"] for line in inputs if line["origin"] == "device"} <= {"device_identified", "device_noted"}
    verified(journal_of(tmp_path))


def test_a_line_without_an_end_takes_no_memory(tmp_path: Path) -> None:
    with RunningTable(write_config(tmp_path, None)) as table:
        assert table.prompt()["do"] == "shuffle"
        before = peak_bytes(table.process.pid)
        table.say("card 9H " + "9" * HUGE)
        table.wait_for_error(f"not taken: a line of more than {LINE_MAX} bytes")
        assert [line["event"] for line in table.tell("shuffled croupier")] == ["shuffled", "next"]
        assert peak_bytes(table.process.pid) - before < HUGE // 8


def peak_bytes(process: int) -> int:
    """The most memory that a process has had so far."""
    (peak,) = (line for line in Path(f"/proc/{process}/status").read_text().splitlines() if line.startswith("VmHWM:"))
    return int(peak.split()[1]) * 1024


@pytest.fixture
def line(tmp_path: Path) -> Iterator[PtyEnd]:
    end = PtyEnd(tmp_path / "shoe")
    yield end
    end.vanish()


def test_an_alarm_with_the_name_of_the_judges_fault_does_not_end_it(
    site: TodaysSite, tmp_path: Path, line: PtyEnd
) -> None:
    """A Bee-Tek shoe's alarms are texts of its own, over as soon as they are told."""
    config = write_config(tmp_path, line.url)
    text = config.read_text().replace('family = "angel_eye"', 'family = "bee_tek"')
    config.write_text(text + TRUST.format(folder=site.folder))
    with LiveTable(config) as table:
        refused = until(table, is_fault("not_admitted"))[-1]
        assert refused["actions"] == ["end_shoe"]
        line.send(b"[GameAlarm]<Alarm:not_admitted>\r\n")
        told = until(table, lambda one: one["event"] == "fault_cleared")
        assert [one["origin"] for one in told if one["event"] in {"fault", "fault_cleared"}] == ["device", "device"]
        after = table.tell(CONTINUE)
        assert [one["event"] for one in after] == ["resolve", "refused", "next"]
        assert (after[-1]["irregularity"], after[-1]["actions"]) == (1, ["end_shoe"])
