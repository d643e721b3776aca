"""The acts that the regulation's answers permit at devices, derived and over the whole stack."""

import random
from pathlib import Path

import pytest
from msgspec import structs

from cardshoe.table.log.log_builder import Scribe
from cardshoe.table.permits import Permits, called_for
from firmware_bridge.interlock import DeviceAction, DeviceActionKind
from regulations.events.inputs import AnyInput, CardDrawn, Misdeal, Resolve, RoundClosed
from regulations.events.outputs import Next
from sim.wires.pty import PtyWire
from tests.kit.opening import BETS, open_with_shoe
from tests.kit.running_table import RunningTable, write_config
from tests.kit.shoe import Shoe
from tests.kit.table_log import AT, INPUTS, TABLE
from tests.kit.waiting import eventually

ALL = ("lock", "unlock", "clear_error", "confirm_round")
LOCK, UNLOCK, CONFIRM = (
    DeviceAction(DeviceActionKind.LOCK),
    DeviceAction(DeviceActionKind.UNLOCK),
    DeviceAction(DeviceActionKind.CONFIRM_ROUND),
)


def acts(permits: Permits, scribe: Scribe, *events: AnyInput) -> list[list[DeviceAction]]:
    return [list(permits.after(scribe.take(event))) for event in events]


def test_a_round_without_fault_is_confirmed_and_nothing_else() -> None:
    scribe, permits = Scribe(TABLE), Permits()
    assert acts(permits, scribe, *INPUTS) == [[]] * (len(INPUTS) - 2) + [[CONFIRM], []]


def test_locked_while_an_irregularity_is_open_unlocked_when_a_card_is_due() -> None:
    scribe, permits = Scribe(TABLE), Permits()
    acts(permits, scribe, *INPUTS[:14])
    wrong = Misdeal(detail="x", at=AT)
    settled = Resolve(irregularity=1, action="void", by=[1, 2], at=AT)
    another = CardDrawn(card="2H", at=AT)
    # The void ends the undue card's irregularity too.
    assert acts(permits, scribe, wrong, another, settled) == [[LOCK], [], []]
    assert acts(permits, scribe, RoundClosed(at=AT), another) == [[UNLOCK], []]


def test_after_a_restart_nobody_knows_whether_the_devices_are_locked() -> None:
    scribe = Scribe(TABLE)
    permits = Permits(known=False)
    assert acts(permits, scribe, *INPUTS[:6]) == [[], [], [], [UNLOCK], [], []]


def test_a_machine_gives_no_card_before_the_bets_are_closed() -> None:
    draw = Next(do="draw", to="player", position=1)
    assert called_for(draw, 1) == (
        DeviceAction(DeviceActionKind.LET_DRAW, 1),
        DeviceAction(DeviceActionKind.DISPENSE, 1),
    )
    # The device is given the number of the prompt, and tells it back with the card.
    numbered = structs.replace(draw, seq=28)
    assert called_for(numbered, 2) == (
        DeviceAction(DeviceActionKind.LET_DRAW, 2, 28),
        DeviceAction(DeviceActionKind.DISPENSE, 2, 28),
    )
    # The first card closes the bets (55/2004 art. 7.º), and a hand draws it when they are made.
    assert called_for(structs.replace(draw, actions=["shoe_ended", "closed"]), 1) == (
        DeviceAction(DeviceActionKind.LET_DRAW, 1),
    )


class TestWholeStack:
    @pytest.fixture
    def shoe_wire(self, tmp_path: Path) -> PtyWire:
        return PtyWire(tmp_path / "shoe")

    def play(self, table: RunningTable, shoe: Shoe, seed: int) -> None:
        """Up to a misdeal after the first card."""
        open_with_shoe(table, shoe, random.Random(seed))
        table.tell(BETS)
        shoe.draw()
        table.answer()
        assert table.tell("misdeal 'the card lies with the banker'")[-1]["do"] == "resolve"

    def test_the_shoe_is_locked_and_unlocked(self, shoe_wire: PtyWire, tmp_path: Path, seed: int) -> None:
        with Shoe(shoe_wire) as shoe, RunningTable(write_config(tmp_path, shoe.port, commands=ALL)) as table:
            self.play(table, shoe, seed)
            eventually(lambda: shoe.hands.shoe.panel.is_locked, "locked")
            table.tell("resolve 1 void by=101,102")
            table.tell("round_closed")
            eventually(lambda: not shoe.hands.shoe.panel.is_locked, "unlocked")
            table.say("quit")
            assert table.end() == 0

    def test_killed_while_it_was_locked_it_is_unlocked_afterwards(
        self, shoe_wire: PtyWire, tmp_path: Path, seed: int
    ) -> None:
        config = write_config(tmp_path, shoe_wire.path.as_posix(), commands=ALL)
        with Shoe(shoe_wire) as shoe:
            with RunningTable(config) as table:
                self.play(table, shoe, seed)
                eventually(lambda: shoe.hands.shoe.panel.is_locked, "locked")
            with RunningTable(config) as table:
                assert table.prompt()["do"] == "resolve"
                before = len(shoe.from_host())
                table.tell("resolve 1 void by=101,102")
                table.tell("round_closed")
                eventually(lambda: not shoe.hands.shoe.panel.is_locked, "unlocked")
                assert len(shoe.from_host()) > before

    def test_the_verdict_confirms_the_round(self, shoe_wire: PtyWire, tmp_path: Path, seed: int) -> None:
        with Shoe(shoe_wire) as shoe, RunningTable(write_config(tmp_path, shoe.port, commands=ALL)) as table:
            prompt = open_with_shoe(table, shoe, random.Random(seed))
            prompt = table.tell(BETS)[-1]
            while prompt["do"] == "draw":
                shoe.draw()
                prompt = table.prompt()
            # Nobody has pressed a button.
            told = table.answer()[0]
            assert told["event"] == "device_result"
            assert "device_disagrees" not in "".join(table.heard)

    def test_a_person_clears_an_error(self, shoe_wire: PtyWire, tmp_path: Path, seed: int) -> None:
        config = write_config(tmp_path, shoe_wire.path.as_posix(), commands=("clear_error",))
        with Shoe(shoe_wire) as shoe, RunningTable(config) as table:
            open_with_shoe(table, shoe, random.Random(seed))
            shoe.do(lambda: shoe.hands.shoe.fault(40))
            assert table.answer()[0]["code"] == 40
            table.say("clear_error 40")
            assert table.answer()[0]["event"] == "fault_cleared"
            assert table.tell("resolve 1 continue by=7")[-1]["do"] == "draw"

    def test_without_leave_not_one_byte_is_written(self, shoe_wire: PtyWire, tmp_path: Path, seed: int) -> None:
        with Shoe(shoe_wire) as shoe, RunningTable(write_config(tmp_path, shoe.port)) as table:
            self.play(table, shoe, seed)
            table.say("clear_error 2")
            table.wait_for_error("the table's configuration does not allow it")
            table.tell("resolve 1 void by=101,102")
            assert table.tell("round_closed")[-1]["do"] == "draw"
            table.say("quit")
            assert table.end() == 0
            assert shoe.from_host() == b""
            assert not shoe.hands.shoe.panel.is_locked
