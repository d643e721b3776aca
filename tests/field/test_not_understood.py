"""A valid frame that the protocol page lacks blocks the table; so do bytes without a frame."""

import json
from pathlib import Path

import pytest

from drivers.link_health import UNFRAMED_S
from firmware_bridge.report import Report
from regulations.events.inputs import Fault, FaultCleared
from tests.cardshoe.cli.support import answered
from tests.field.peers import ShoeByHand, shoe_by_hand, told
from tests.firmware_bridge.bee_tek import wired as bee_tek
from tests.firmware_bridge.lossy.wired import wired
from tests.firmware_bridge.pen import frame
from tests.kit.command import Command, Line
from tests.kit.far_ends import PtyEnd
from tests.kit.running_table import journal_of, lines_of, write_config
from tests.kit.sealed import opened
from tests.kit.waiting import eventually

NOISE = bytes.fromhex("F8 C4 00 9E F8 C4 00 9E F8 C4 00 9E F8 C4 00 9E F8 C4 00 9E F8 C4 00 9E")


def irregular(lines: list[Line]) -> Line:
    (one,) = [line for line in lines if line["event"] == "irregularity"]
    return one


def ways(lines: list[Line]) -> list[str]:
    return list(lines[-1]["actions"])


def test_a_card_named_outside_a_game_is_that_card(tmp_path: Path) -> None:
    with shoe_by_hand(tmp_path) as shoe:
        for line in ({"event": "shuffled", "by": "croupier"}, {"event": "cut", "by": "player"}):
            shoe.table.tell(line)
        shoe.table.tell({"event": "cut_card_placed", "behind": 14})
        shoe.table.tell({"event": "loaded", "cards": 416})
        # State 0 (locked), five of hearts: the bytes as they were recorded.
        lines = shoe.answers(bytes.fromhex("05 31 64 80 C5 03 31 33"))
        assert lines[0]["event"] == "card"
        assert opened(lines[0], tmp_path / "journals")["card"] == "5H"


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        pytest.param(frame(9, ord("u"), 0x81), "75", id="type"),
        pytest.param(frame(9, ord("D"), 0xB1, 0xB8), "44", id="target"),
        pytest.param(frame(9, ord("D"), 0x81, 0xB8, 0x80), "44", id="longer"),
        pytest.param(bytes.fromhex("05 30 44 81 B8 03 34 45"), "44", id="sequence 0"),
        pytest.param(bytes.fromhex("05 41 44 81 B8 03 33 46"), "44", id="sequence A"),
    ],
)
def test_it_blocks_with_type_and_length_and_its_bytes_are_sealed(tmp_path: Path, said: bytes, kind: str) -> None:
    with shoe_by_hand(tmp_path) as shoe:
        shoe.begin_round()
        lines = shoe.answers(said)
        assert (lines[0]["event"], lines[0]["code"], lines[0]["origin"]) == ("fault", "not_understood", "table")
        assert (lines[0]["frame_type"], lines[0]["frame_length"]) == (kind, len(said))
        assert "raw" not in lines[0]
        assert opened(lines[0], tmp_path / "journals")["raw"] == said.hex()
        one = irregular(lines)
        assert (one["code"], one["card"], one["article"]) == ("device_fault", None, "reading G7")
        assert one["detail"] == f"the device sent an unknown message: type {kind}, {len(said)} bytes"
        assert ways(lines) == ["void", "end_shoe"]


def unknown(shoe: ShoeByHand) -> bytes:
    """A telegram of a type that the page does not have, under the shoe's next number."""
    seq = shoe.pen.seq
    shoe.pen.write("X")
    return frame(seq, ord("u"))


def test_it_ends_with_the_next_frame_that_is_understood(tmp_path: Path) -> None:
    with shoe_by_hand(tmp_path) as shoe:
        shoe.begin_round()
        shoe.answers(unknown(shoe))
        over = shoe.say("P")
        assert (over[0]["event"], over[0]["code"], over[0]["origin"]) == ("fault_cleared", "not_understood", "table")
        assert ways(over) == ["continue", "void", "end_shoe"]
        number = over[-1]["irregularity"]
        after = shoe.table.tell({"event": "resolve", "irregularity": number, "action": "continue", "by": [7]})
        assert (after[-1]["do"], after[-1]["to"]) == ("draw", "player")
        dealt = shoe.say("P1 8S")
        assert [line["event"] for line in dealt] == ["card", "dealt", "next"]


def test_it_ends_once_two_people_readmit_the_device(tmp_path: Path) -> None:
    with shoe_by_hand(tmp_path) as shoe:
        shoe.begin_round()
        shoe.answers(unknown(shoe))
        shoe.table.tell({"event": "device_readmitted", "device": "shoe", "by": [7, 8]})
        over = shoe.table.answer()
        assert (over[0]["event"], over[0]["code"]) == ("fault_cleared", "not_understood")
        assert "continue" in ways(over)


def test_a_card_that_was_not_understood_is_a_gap_as_the_order_of_the_deal_shows(tmp_path: Path) -> None:
    """Player 1, a frame that nobody understands, player 2: banker 1 was in it, and two people name it."""
    with shoe_by_hand(tmp_path) as shoe:
        shoe.begin_round()
        shoe.say("P1 8S")
        shoe.answers(unknown(shoe))
        over = shoe.say("P2 4D")
        assert over[0]["event"] == "fault_cleared"
        card = shoe.table.answer()
        assert (card[0]["event"], irregular(card)["code"]) == ("card", "count_gap")


def test_three_copies_are_one_fault_and_no_gap_in_the_numbers(tmp_path: Path) -> None:
    with shoe_by_hand(tmp_path) as shoe:
        shoe.begin_round()
        shoe.answers(unknown(shoe))
        assert shoe.say("P1 8S")[0]["event"] == "fault_cleared"
        shoe.table.answer()
    said = [json.loads(line) for line in lines_of(journal_of(tmp_path))]
    assert [line["code"] for line in said if line["event"] == "fault"] == ["not_understood"]


def test_after_a_restart_it_is_still_open_and_ends_in_the_same_way(tmp_path: Path) -> None:
    with shoe_by_hand(tmp_path) as shoe:
        shoe.begin_round()
        shoe.answers(unknown(shoe))
        pen = shoe.pen
    with shoe_by_hand(tmp_path) as shoe:
        shoe.send(pen.write("P1 8S"))
        assert shoe.table.answer()[0]["event"] == "fault_cleared"
        assert shoe.table.answer()[0]["event"] == "card"


def test_screen_and_status_name_it_and_no_byte_is_shown(tmp_path: Path) -> None:
    end = PtyEnd(tmp_path / "shoe")
    config = write_config(tmp_path, end.url)
    said = bytes.fromhex("05 31 75 81 C5 03 30 33")  # 31 xor 75 xor 81 xor C5 xor 03
    try:
        with Command("run", config) as table:
            end.send(said * 3)
            shown = "\n".join(table.until(lambda line: "device_fault" in line))
            assert "fault not_understood (type 75, 8 bytes)" in shown
            status = answered("status", config).stdout.decode()
            words = " ".join(status.split())
            assert "fault not_understood (type 75, 8 bytes) since" in words
            assert "the device sent an unknown message: type 75, 8 bytes" in words
            assert said.hex() not in shown + status
    finally:
        end.vanish()


# --- bytes without a frame --------------------------------------------------------------------------------------------


def test_bytes_without_a_frame_for_some_seconds_are_reported_once(tmp_path: Path) -> None:
    with wired(tmp_path, "8S") as rig:
        rig.told()
        rig.put(NOISE)
        rig.settle()
        assert rig.told() == []
        rig.clock.advance(UNFRAMED_S)
        eventually(lambda: bool(rig.log.entries()), "it is reported")
        (fault,) = rig.events()
        assert fault == Fault(
            device="shoe", code="not_understood", origin="table", frame_length=len(NOISE), raw=NOISE.hex()
        )
        rig.put(NOISE)
        rig.clock.advance(10 * UNFRAMED_S)
        rig.settle()
        assert rig.told() == []
        assert rig.draw() == ["fault_cleared not_understood", "1: 8S player 1"]


def test_the_last_telegram_of_a_round_lost_in_all_its_copies_is_reported(tmp_path: Path) -> None:
    """Nothing comes behind it, so no gap in Seq shows it; but bytes came."""
    with wired(tmp_path, "8S") as rig:
        rig.told()
        assert rig.draw(lambda raw: raw[:-1] + bytes([raw[-1] ^ 1])) == []
        rig.clock.advance(UNFRAMED_S)
        assert told(rig) == ["fault not_understood"]


def test_a_shoe_whose_bytes_make_no_line_raises_a_fault(tmp_path: Path) -> None:
    with bee_tek.wired(tmp_path) as rig:
        rig.put(NOISE)
        rig.settle()
        assert rig.told() == []
        rig.clock.advance(UNFRAMED_S)
        assert told(rig) == ["fault not_understood"]
        rig.put(b"[Game]<Card:4S>\r\n")
        assert told(rig) == ["4S"]
        reports = [entry for entry in rig.log.entries() if isinstance(entry, Report)]
        over = [event for report in reports for event in report.events if isinstance(event, FaultCleared)]
        assert [event.code for event in over] == ["not_understood"]
