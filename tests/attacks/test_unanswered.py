"""Attack: an input on which the rules fail ends the table, at once and at every start."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from cardshoe.table.log.log_builder import LoggedInput, Scribe
from cardshoe.table.log.replay import replay
from firmware_bridge.report import Report
from protocols.bee_tek.codec import encode_line
from protocols.bee_tek.messages import CardDrawn as BeeTekCard
from protocols.bee_tek.messages import Mode
from regulations.events.codec import decode_input, encode
from regulations.events.inputs import CardDrawn, Loaded, Misdeal
from regulations.games.registry import GAMES
from regulations.law.rulebook import Rulebook
from regulations.procedure.procedure import NO_ANSWER
from tests.kit.desk import LAST, ROUND, RULES, Desk, broken, inputs
from tests.kit.far_ends import PtyEnd
from tests.kit.live_table import LiveTable
from tests.kit.running_table import journal_of, lines_of, write_config
from tests.kit.sealed import verified
from tests.kit.table_log import TABLE
from tests.kit.waiting import eventually


def use(monkeypatch: pytest.MonkeyPatch, rulebook: Rulebook) -> None:
    """Has every baccarat table of this process play by these rules."""
    monkeypatch.setattr("regulations.games.baccarat.game.GAME", replace(GAMES["baccarat"], rulebook=rulebook))


def told(taken: LoggedInput) -> list[dict[str, Any]]:
    return [json.loads(line) for line in taken.lines]


def test_an_input_on_which_the_rules_fail_is_refused_and_nothing_changes() -> None:
    scribe, twin = Scribe(TABLE, broken()), Scribe(TABLE)
    before = scribe.opening
    for event in ROUND:
        before, same = scribe.take(event), twin.take(event)
        assert before.lines == same.lines
    refused = scribe.take(LAST)
    assert [line["event"] for line in told(refused)] == ["card", "refused", "next"]
    answer = told(refused)[1]
    assert (answer["code"], answer["article"], answer["round"]) == ("no_answer", "reading G7", 1)
    assert answer["detail"] == NO_ANSWER
    assert replace_seq(refused.prompt) == replace_seq(before.prompt)
    assert refused.is_unanswered
    # What comes next is answered as if it had never come.
    assert scribe.procedure.states == twin.procedure.states
    more = inputs(
        {"event": "misdeal", "detail": "x"}, {"event": "resolve", "irregularity": 1, "action": "void", "by": [7, 8]}
    )
    for event in more:
        after, same = scribe.take(event), twin.take(event)
        assert [replace_seq(one) for one in after.outputs] == [replace_seq(one) for one in same.outputs]


def replace_seq(output: Any) -> Any:  # noqa: ANN401  any output
    return msgspec.structs.replace(output, seq=UNSET)


def test_a_log_with_such_an_input_replays_to_the_same_bytes() -> None:
    scribe = Scribe(TABLE, broken())
    taken = [scribe.take(event) for event in [*ROUND, LAST, LAST, *inputs({"event": "misdeal", "detail": "x"})]]
    again = Scribe(TABLE, broken())
    for one in taken:
        assert again.take_again(decode_input(one.lines[0])).lines == one.lines
    assert [one.is_unanswered for one in taken[-3:]] == [True, True, False]


def test_a_table_that_is_taken_up_at_its_shoe_game_fails_in_the_same_way() -> None:
    scribe = Scribe(TABLE, broken())
    last = [scribe.take(event) for event in ROUND[:4]][-1]
    snapshot = scribe.procedure.snapshot()
    taken_up = Scribe(TABLE, broken(), snapshot=snapshot, seq=int(last.prompt.seq or 0))
    for event in [*ROUND[4:], LAST, *inputs({"event": "misdeal", "detail": "x"})]:
        assert taken_up.take(event).lines == scribe.take(event).lines


def test_a_script_goes_on_behind_such_an_input(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, broken())
    written: list[bytes] = []
    script = [encode(event) for event in [TABLE, *ROUND, LAST, *inputs({"event": "misdeal", "detail": "x"})]]
    assert replay(script, "script", written.append).inputs == len(script)
    assert [json.loads(line)["event"] for line in written[-4:]] == ["refused", "next", "irregularity", "next"]


@pytest.fixture
def broken_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, broken())


@pytest.mark.usefixtures("broken_rules")
def test_a_device_s_report_on_which_the_rules_fail_shuts_the_device_out_and_the_table_stays_up(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    of_device = [
        msgspec.structs.replace(event, device="shoe", count=number, raw=f"c0ffee{number:02x}", boot=1, number=number)
        for number, event in enumerate((event for event in [*ROUND, LAST] if isinstance(event, CardDrawn)), start=1)
    ]
    with desk.log.journal:
        desk.run(*(event for event in ROUND if not isinstance(event, CardDrawn | Loaded) and event != ROUND[-4]))
        desk.run(Loaded(cards=416))
        desk.run(*of_device[:8], ROUND[-4], *of_device[8:])
        desk.run(Misdeal(detail="the table is there"))
        lines = [told(taken) for taken, _ in desk.taken[-4:]]
        durable = desk.log.journal.last_seq
    assert [[line["event"] for line in one] for one in lines] == [
        ["card", "refused", "next"],
        ["card", "irregularity", "next"],
        ["fault", "irregularity", "next"],
        ["misdeal", "refused", "next"],
    ]
    assert [lines[n][1]["code"] for n in range(4)] == ["no_answer", "unread_card", "device_fault", "irregularity_open"]
    given, instead, fault = (lines[n][0] for n in range(3))
    assert (given["card"], given["boot"], given["number"], "sealed" in given, "raw" in given) == (
        None,
        1,
        12,
        True,
        False,
    )
    assert (instead["card"], instead["count"], instead["device"], instead["origin"]) == (None, 12, "shoe", "device")
    assert (fault["code"], fault["origin"], "sealed" in fault) == ("not_answered", "table", True)
    assert desk.taken[-4][0].opened.raw == "c0ffee0c"  # type: ignore[union-attr]  # a card
    assert "c0ffee0c" not in json.dumps(lines)
    # The device is told that its event is in the journal, so that it is not repeated at every start; then shut out.
    assert [what for what, _ in desk.device.heard[-2:]] == ["durable: 1", "shut_out"]
    assert desk.device.entries == [given["seq"]]
    assert durable == lines[-1][-1]["seq"]
    assert verified(desk.log.journal.path).entries == len(desk.taken) + 1


def test_a_report_that_no_log_can_hold_shuts_the_device_out(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with desk.log.journal:
        desk.run(Report("shoe", (CardDrawn(card="9H", device="shoe", count=1 << 70, raw="c0ffee"),)))
        (fault,) = (told(taken) for taken, _ in desk.taken)
    assert [line["event"] for line in fault] == ["fault", "irregularity", "next"]
    assert (fault[0]["code"], fault[0]["device"]) == ("not_answered", "shoe")
    assert [what for what, _ in desk.device.heard] == ["durable: 1", "shut_out"]
    assert verified(desk.log.journal.path).entries == 2


@pytest.fixture
def no_card_before_a_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table whose rules lack that a card left the device while no stack is in."""
    lame = RULES.without("shoe:card@shuffle+")
    use(monkeypatch, lame)


@pytest.mark.usefixtures("no_card_before_a_stack")
def test_its_port_is_closed_until_two_people_readmit_it_also_after_a_start(tmp_path: Path) -> None:
    line = PtyEnd(tmp_path / "shoe")
    config = write_config(tmp_path, line.url)
    config.write_text(config.read_text().replace('family = "angel_eye"', 'family = "bee_tek"'))
    card = encode_line(BeeTekCard(card="9H", mode=Mode.GAME))

    def until(table: LiveTable, event: str, code: str) -> list[dict[str, Any]]:
        while True:
            lines = table.answer()
            if lines[0]["event"] == event and lines[0].get("code", "") == code:
                return lines

    with LiveTable(config) as table:
        line.send(card)
        assert until(table, "fault", "not_answered")[1]["code"] == "device_fault"
        eventually(lambda: table.bridges[0].health().connected_since_s is None, "the port is closed")
        table.tell({"event": "misdeal", "detail": "the table is there"})
        assert until(table, "misdeal", "")[1]["code"] == "irregularity_open"
    with LiveTable(config) as table:
        alone = table.tell({"event": "device_readmitted", "device": "shoe", "by": [7]})
        assert alone[1]["code"] == "two_persons_needed"
        assert table.bridges[0].health().connected_since_s is None
        table.tell({"event": "device_readmitted", "device": "shoe", "by": [7, 8]})
        assert until(table, "fault_cleared", "not_answered")[0]["origin"] == "table"
        eventually(lambda: table.bridges[0].health().connected_since_s is not None, "the port is open again")
    line.vanish()
    lines = [json.loads(one) for one in lines_of(journal_of(tmp_path))]
    assert sum(one["event"] == "refused" and one["code"] == "no_answer" for one in lines) >= 1
    verified(journal_of(tmp_path))
