"""Power fails at a machine in mid-round, in each game and on all that its regulation admits: no card is lost."""

from functools import partial
from pathlib import Path
from typing import Final

import pytest

from protocols.tdp.events import CardDrawn, PacketDispensed
from regulations.events.vocabulary import Game
from sim.croupier.instructions import HouseInstructions
from sim.tdp.hands import TdpKind
from sim.tdp.machine import Machine
from sim.tdp.memory import MakeEvent
from tests.kit.length import at_length
from tests.scenarios.linked import LINES, LINKED, TROUBLED_S, LinkedTable, at

CUTS: Final = at_length(2, 12)
FIRST, EVERY = 10, 7
"""The card at which the machine fails for the first time, and how many cards later again."""


def fail_behind_next_card(table: LinkedTable, device: Machine) -> None:
    """Its power goes when the next card has left and is kept, and before anybody was told."""
    memory = device.electronics.memory
    keep = memory.store

    def keep_and_fail(make: MakeEvent) -> None:
        keep(make)
        if isinstance(make(0, 0), CardDrawn | PacketDispensed):
            memory.store = keep  # type: ignore[method-assign]  # as it was
            device.mishaps.cut_power_after(0)
            table.clock.call_later(0, table.clock.skip_silence)  # nobody is there to be heard

    memory.store = keep_and_fail  # type: ignore[method-assign]  # what fails is between the two


@pytest.mark.parametrize(("game", "kind"), LINKED, ids=str)
def test_a_card_that_left_as_the_power_went_is_kept(game: Game, kind: TdpKind, tmp_path: Path, seed: int) -> None:
    table = LinkedTable(tmp_path, at(game, kind, {}), seed, link_second_s=TROUBLED_S)
    device = table.add(kind, line=LINES[kind]).hands.device
    for cut in range(CUTS):
        table.at_card(FIRST + EVERY * cut, partial(fail_behind_next_card, table, device))
    croupier = table.play(HouseInstructions(games=None, rounds=at_length(5, 30)), first=kind)
    # Each card that physically came out is in the journal, once.
    table.assert_whole(croupier)
    assert device.electronics.memory.boot == CUTS + 1
    assert table.codes["device_lost"] == CUTS
    assert table.codes["device_disagrees"] == table.codes["count_gap"] == 0
    if game != "q_poker":
        # There nothing but a void follows once a card lies on the table (89/2004 art. 11.º-5), often before it is told.
        assert table.codes == {"device_lost": CUTS, "device_fault": CUTS}, table.tail()


@pytest.mark.parametrize(("game", "kind"), LINKED, ids=str)
def test_killed_in_mid_round_each_card_is_there_once(game: Game, kind: TdpKind, tmp_path: Path, seed: int) -> None:
    table = LinkedTable(tmp_path, at(game, kind, {}), seed, link_second_s=TROUBLED_S)
    device = table.add(kind, line=LINES[kind]).hands.device
    table.at_card(FIRST, device.power_off)
    croupier = table.play(HouseInstructions(games=None, rounds=at_length(3, 30)), first=kind)
    table.assert_whole(croupier)
    assert device.electronics.memory.boot == 2
    assert table.codes["device_disagrees"] == table.codes["count_gap"] == 0
