"""Shoe games under the house's options: `cardshoe run` as a process, a simulated shoe, croupier and players."""

import itertools
import json
import random
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from regulations.events.codec import encode, output_decoder
from regulations.events.inputs import AnyInput
from regulations.events.outputs import AnyOutput
from regulations.games.baccarat.result import BaccaratResult
from sim.angel_eye.settings import ShoeSettings
from sim.croupier.croupier import Croupier
from sim.croupier.instructions import HouseInstructions
from sim.croupier.pace import Pace
from sim.croupier.routine import CroupierTraits
from sim.players import Players
from sim.wires.pty import PtyWire
from tests.kit.command import Ended, Line
from tests.kit.running_table import RunningTable, journal_of, lines_of, write_config
from tests.kit.sealed import verified
from tests.kit.shoe import Shoe

DECODER = output_decoder(BaccaratResult)
PROFILES: dict[str, dict[str, Any]] = {
    "face down": {"deal": "face_down", "overdrawn_card": "next_round"},
    "first card's value": {"initial_burn": "first_card_value", "demonstration_rounds": 3},
    "a burned card before each round": {"round_burn": True, "after_cut_card": "one_more"},
    "half on six": {"banker_win": "half_on_six", "overdrawn_card": "next_round"},
}


class HouseCroupier:
    """The simulator's croupier, who hears a process and types at it."""

    def __init__(self, shoe: Shoe, table: RunningTable, seed: int, orders: HouseInstructions, mistakes: float) -> None:
        self._shoe = shoe
        self._table = table
        self.done = threading.Event()
        rng = random.Random(seed)
        self.croupier = Croupier(
            shoe.hands,
            CroupierTraits(
                say=self._say,
                rng=rng,
                clock=shoe.clock,
                mistakes=mistakes,
                players=Players(rng),
                pace=Pace(0),
                orders=orders,
                game="baccarat",
            ),
        )
        self.croupier.on_done = self.done.set

    def _say(self, event: AnyInput) -> None:
        self._table.say(encode(event).decode())

    def play(self) -> None:
        """Tell the croupier what the table says until it ends."""
        heard: list[AnyOutput] = []
        is_who = False
        while True:
            try:
                text = self._table.line()
            except Ended:
                return
            line = json.loads(text)
            if "article" in line or line["event"] == "next":
                heard.append(DECODER.decode(text))
            is_who = is_who or line["event"] == "device_identified"
            if line["event"] == "next" and is_who:
                # The prompt is the one that the croupier has already.
                is_who, heard = False, []
            elif line["event"] == "next":
                outputs, heard = heard, []
                self._shoe.do(partial(self.croupier.apply, outputs))


def played(
    folder: Path, options: dict[str, Any], seed: int, orders: HouseInstructions, mistakes: float = 0.0
) -> tuple[list[Line], Shoe]:
    """A closed table's journal."""
    settings = ShoeSettings(
        initial_burn=options.get("initial_burn", "per_deck"), round_burn=options.get("round_burn", False)
    )
    with Shoe(PtyWire(folder / "shoe"), settings=settings) as shoe:
        with RunningTable(write_config(folder, shoe.port, options=options)) as table:
            croupier = HouseCroupier(shoe, table, seed, orders, mistakes)
            croupier.play()
            assert table.end() == 0, table.errors()
        assert croupier.croupier.stuck is None
        assert shoe.do(lambda: shoe.hands.cards_are_complete)
    verified(journal_of(folder))
    return [json.loads(line) for line in lines_of(journal_of(folder))], shoe


def events(log: list[Line], name: str) -> list[Line]:
    return [line for line in log if line["event"] == name]


@pytest.mark.parametrize("name", PROFILES)
def test_shoe_and_table_agree_under_every_option(tmp_path: Path, seed: int, name: str) -> None:
    orders = HouseInstructions(games=None, rounds=8, demonstrations=3)
    log, _ = played(tmp_path, PROFILES[name], seed, orders)
    assert (events(log, "irregularity"), events(log, "refused")) == ([], [])
    assert len(events(log, "result")) == len(events(log, "round_closed")) == 8
    assert {line["outcome"] for line in events(log, "device_result")} <= {"player", "banker", "tie"}
    assert [line["outcome"] for line in events(log, "device_result")] == [
        line["outcome"] for line in events(log, "result")
    ]
    if name == "face down":
        assert len(events(log, "revealed")) >= 2 * 8
        assert all(line["card"] is None for line in events(log, "dealt"))
    if name == "first card's value":
        assert len(events(log, "demonstration")) == 3
        shown, *others = events(log, "burned")
        # 2.º-1: an ace counts one, tens and figures ten; so many more are burned.
        value = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(shown["card"][0]) or int(shown["card"][0])
        assert len(others) == value
    if name == "a burned card before each round":
        whys = [line["why"] for line in events(log, "burned")]
        assert (whys.count("initial"), whys.count("round")) == (8, 7)


def test_every_wager_is_settled_exactly_once(tmp_path: Path, seed: int) -> None:
    log, _ = played(tmp_path, PROFILES["half on six"], seed, HouseInstructions(games=None, rounds=12), mistakes=0.3)
    placed: list[tuple[Any, ...]] = []
    settled: list[tuple[Any, ...]] = []
    tied: list[tuple[Any, ...]] = []
    """The stakes that stood in the last tie: in a round that its first card opens they stand on (art. 12.º)."""
    opened, tie = 0, False
    for line, answer in itertools.pairwise(log):
        match line["event"]:
            case "bets_closed" if answer["event"] != "refused":
                opened = line["round"]
                placed += [(line["round"], w["seat"], w["bet"], w["id"], w["stake"]) for w in line["wagers"]]
            case "result":
                tie = line["outcome"] == "tie"
            case "voided" if "round" not in line:
                # A bettor leaves between rounds, and takes along what stood in the tie (reading B12).
                for w in line["wagers"]:
                    tied.remove((w["seat"], w["bet"], w["id"], w["stake"]))
            case "settled" | "voided":
                if line["round"] != opened:
                    opened = line["round"]
                    placed += [(opened, *wager) for wager in tied]
                done = [(w["seat"], w["bet"], w["id"], w["stake"]) for w in line["wagers"]]
                settled += [(line["round"], *wager) for wager in done]
                stands = line["event"] == "settled" and tie
                tied = [wager for wager in done if stands and wager[1] in {"player", "banker"}]
            case "reversed":
                for w in line["wagers"]:
                    settled.remove((line["round"], w["seat"], w["bet"], w["id"], w["stake"]))
            case _:
                pass
    assert sorted(placed) == sorted(settled) != []
