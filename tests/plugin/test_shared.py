"""The plugin with shoes that several tests share, cards that a test asks for, and faults of the line."""

import json
import re
from pathlib import Path

from tests.cardshoe.cli.support import answered
from tests.plugin.foreign import Foreign

SHARED = """
import pytest

pytestmark = pytest.mark.cardshoe(decks=2, arguments=["--initial-burn", "none"])
BETS = {"seats": [1], "wagers": [{"seat": 1, "bet": "tie", "stake": 10_000}]}
PIDS = set()


@pytest.fixture(scope="module")
def shoe(cardshoe_module):
    return cardshoe_module.shoe()


@pytest.mark.parametrize("cards", [("8S", "KD"), ("9H", "9H")])
def test_cards_that_are_asked_for(shoe, cards):
    PIDS.add(shoe.process.pid)
    assert shoe.load(*cards) == 104
    assert shoe.draw(2).cards == cards
    shoe.arrange("2C", "?", "3C")
    assert shoe.draw(3).cards[::2] == ("2C", "3C")
    assert len(PIDS) == 1


def test_a_line_that_fails(shoe, cardshoe_module):
    fault = cardshoe_module.fault(shoe)
    fault.straighten()
    for said in (
        fault.damage(2), fault.lose(by="host"), fault.duplicate(), fault.split(2), fault.delay(20), fault.baud(9600)
    ):
        assert said["said"]
    fault.straighten()


@pytest.mark.cardshoe(device="bee-tek", arguments=["--mode", "game"])
def test_marks_of_function_and_module_merge(cardshoe_shoe, cardshoe_session):
    assert (cardshoe_shoe.family, cardshoe_shoe.decks) == ("bee_tek", 2)
    assert cardshoe_shoe.state()["mode"] == "game"
    assert cardshoe_session.device("bee-tek", decks=3).decks == 3


@pytest.mark.cardshoe(decks=8, arguments=[])
def test_a_tie_at_a_table(cardshoe_shoe, cardshoe_table):
    table = cardshoe_table(cardshoe_shoe)
    table.make_ready(cardshoe_shoe, cards=["?"] * 8 + ["8S", "KD", "TH", "8H"])
    answer = table.send("bets_closed", **BETS)
    while answer.do == "draw":
        cardshoe_shoe.draw()
        answer = table.answer()
    assert answer.one("result")["outcome"] == "tie"
"""

FAILING = """
import pytest


@pytest.fixture(scope="module")
def shoe(cardshoe_module):
    return cardshoe_module.shoe()


def test_nothing_such_comes(shoe, cardshoe_table):
    shoe.do("load", "7")
    shoe.control.watch("card", "fault")
    shoe.draw(2)
    shoe.control.wait_for("fault", code=7, patience_s=0.3)


def test_a_table_that_answers_otherwise(cardshoe_table):
    table = cardshoe_table()
    table.send("shuffled", by="croupier")
    table.process.send_line('{"event": "cut", "by": "player"}')
    table.until("burn", patience_s=3)
"""


def test_shoes_that_tests_share(tmp_path: Path) -> None:
    Foreign(tmp_path, SHARED).run("--cardshoe-seed=5").assert_outcomes("5 passed")


def test_a_field_fault_becomes_a_test_in_one_command(tmp_path: Path) -> None:
    """A card of an Angel Eye shoe outside a round, written by hand (docs/protocols/angel-eye.md)."""
    capture = tmp_path / "field fault.jsonl"
    lines = [{"t_s": 5 + number / 20, "hex": "05314481b8033446"} for number in range(3)]
    capture.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    done = answered("capture", "test", capture)
    assert done.returncode == 0, done.stderr
    ran = Foreign(tmp_path, done.stdout.decode()).run()
    ran.assert_outcomes("1 failed")  # the table was not ready for a card
    assert "def test_field_fault(cardshoe_shoe, cardshoe_table)" in ran.output
    assert "AssertionError: ['" in ran.output


def test_a_failure_names_commands_state_bytes_and_what_came_instead(tmp_path: Path) -> None:
    ran = Foreign(tmp_path, FAILING).run("--cardshoe-seed=5")
    ran.assert_outcomes("2 failed")
    first = ran.output.partition("_ test_nothing_such_comes _")[2].partition("_ test_a_table_that_answers")[0]
    assert re.search(r"the event 'fault' code=7 did not come within 0.3 s .*; came instead:\n", first)
    assert len(re.findall(r'\{"event": "card", "card": "..", "told": "..", "t_s"', first)) >= 2
    shoe = first.partition("cardshoe: angel_eye at ")[2]
    assert re.search(r"--- commands\nload 7 -> loaded 416 cards.*\nwatch card fault -> .*\ndraw -> drew ..\n", shoe)
    assert re.search(r"--- state\nplayer .*\n", shoe)
    # Every telegram begins with ENQ and its Seq; D, a card, is its third byte (docs/protocols/angel-eye.md).
    assert re.search(r"--- bytes\n(?:.*\n)*\d+\.\d+ device 05..44[0-9a-f]+", shoe)
    second = ran.output.partition("_ test_a_table_that_answers_otherwise _")[2]
    assert "table T-1: an answer after which 'burn' is next did not come within 3 s" in second
    assert re.search(r"came instead:\nE? *cut -> .*; next place_cut_card", second)
