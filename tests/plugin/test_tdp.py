"""The plugin with devices that the table unlocks for each card, and that tell by themselves what is loaded."""

from pathlib import Path

from tests.plugin.foreign import Foreign

TESTS = """
import pytest

BETS = {"seats": [1], "wagers": [{"seat": 1, "bet": "banker", "stake": 10_000}]}
MACHINE = {
    "option": "equipment", "value": "shuffler_dealer",
    "reference": "DICJ/1", "requested": "2024-01-02", "effective": "2024-02-01",
}


def play(table, shoe):
    assert table.make_ready(shoe).do == "draw"
    answer = table.send("bets_closed", **BETS)
    drawn, dealt = [], []
    while answer.do == "draw":
        drawn += shoe.draw().cards
        answer = table.answer()
        dealt += [line["card"] for line in answer.of("dealt")]
    assert dealt == drawn
    assert answer.do == "close_round"


@pytest.mark.cardshoe(device="tdp-shoe", wire="tcp")
def test_a_shoe(cardshoe_shoe, cardshoe_table):
    play(cardshoe_table(cardshoe_shoe, device={"commands": ["lock", "let_draw"]}), cardshoe_shoe)


@pytest.mark.cardshoe(device="shuffler-dealer", speed=100)
def test_a_shuffler_dealer_whose_power_goes(cardshoe_shoe, cardshoe_table, cardshoe_fault):
    commands = {"commands": ["lock", "let_draw", "accept_return"]}
    machine = {"equipment": "shuffler_dealer", "authorisations": [MACHINE]}
    machine["options"] = {"rounds_without_wagers": True}
    table = cardshoe_table(cardshoe_shoe, device=commands, **machine)
    play(table, cardshoe_shoe)
    cardshoe_fault.power_cut()
    assert table.wait_for("device_lost").irregularities
    cardshoe_fault.power_back()
    assert table.wait_for("device_back").do == "resolve"
"""


def test_a_table_with_tdp_devices(tmp_path: Path) -> None:
    Foreign(tmp_path, TESTS).run("--cardshoe-seed=5").assert_outcomes("2 passed")
