"""``cardshoe run`` as a process and a simulated Bee-Tek shoe over a pty: rounds of every game, settled."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from protocols.bee_tek.messages import Mode
from sim.bee_tek.hands import BeeTekHands, bee_tek_at
from sim.bee_tek.shoe import BeeTekSettings
from sim.clock import RealClock
from sim.sim_thread import SimulatorThread
from sim.wires.pty import PtyWire
from tests.kit.command import Line
from tests.kit.running_table import RunningTable, journal_of
from tests.kit.sealed import opened as opened_line
from tests.kit.sealed import verified

CONFIG: Final = """
[table]
id = "T-1"
game = "{game}"
decks = {decks}
seats = 7
equipment = "shoe"
[journal]
folder = "journals"
[[device]]
name = "shoe"
family = "bee_tek"
port = "{port}"
"""
DECKS: Final = {"baccarat": 8, "blackjack": 6, "casino_war": 1, "three_card_baccarat": 2, "q_poker": 1}
BEHIND: Final = {"baccarat": 14, "blackjack": 100, "casino_war": 12, "three_card_baccarat": 40, "q_poker": 0}
BET: Final = {
    "baccarat": "banker",
    "blackjack": "main",
    "casino_war": "ante",
    "three_card_baccarat": "main",
    "q_poker": "ante",
}
STEPS: Final = 200


class Table:
    """A table, its shoe, and who follows the prompts."""

    def __init__(self, folder: Path, game: str, mode: Mode) -> None:
        self.game: Final = game
        self.folder: Final = folder
        self.wire: Final = PtyWire(folder / "shoe")
        clock = RealClock()
        self.hands: Final[BeeTekHands] = bee_tek_at(
            self.wire, clock, DECKS[game], BeeTekSettings(mode=mode, repeats_characters=True)
        )
        self.station: Final = SimulatorThread(clock, [self.wire])
        self.lines: Final[list[Line]] = []
        path = folder / "table.toml"
        path.write_text(CONFIG.format(game=game, decks=DECKS[game], port=self.wire.path))
        self.station.start()
        self.station.call(self.hands.make_ready)
        self.table: Final = RunningTable(path)
        self.take(self.table.answer())

    def take(self, lines: list[Line]) -> list[Line]:
        self.lines.extend(lines)
        return lines

    @property
    def prompt(self) -> Line:
        return self.lines[-1]

    def send(self, **event: Any) -> list[Line]:  # noqa: ANN401  a line of the table log has any values
        return self.take(self.table.tell(event))

    def draw(self) -> list[Line]:
        pulled = self.station.call(self.hands.draw)
        return self.send(event="cut_card") if pulled.cut_card else self.take(self.table.answer())

    def load(self) -> int:
        self.station.call(lambda: self.hands.shuffle(random.Random(20)))
        self.station.call(lambda: self.hands.place_cut_card(BEHIND[self.game]))
        return self.station.call(self.hands.load)

    def prepare(self) -> list[Line]:
        """Shuffles, cuts and loads, as the prompt says."""
        behind = BEHIND[self.game]
        acts: dict[str, Line] = {
            "shuffle": {"event": "shuffled", "by": "croupier"},
            "cut": {"event": "cut", "by": "croupier" if self.game == "q_poker" else "player"},
            "place_cut_card": {"event": "cut_card_placed", "behind": behind},
        }
        act = acts.get(self.prompt["do"])
        return self.send(**act) if act is not None else self.send(event="loaded", cards=self.load())

    def follow(self) -> list[Line]:
        """Does what the prompt says."""
        match self.prompt["do"]:
            case "shuffle" | "cut" | "place_cut_card" | "load":
                return self.prepare()
            case "close_bets":
                return self.send(
                    event="bets_closed",
                    seats=[1],
                    wagers=[{"seat": 1, "bet": BET[self.game], "stake": 10_000}],
                )
            case "draw" | "burn":
                return self.draw()
            case "decide":
                action = next(one for one in ("stand", "surrender", "play") if one in self.prompt["actions"])
                return self.send(
                    event="decision", seat=self.prompt["seat"], hand=self.prompt.get("hand", 1), action=action
                )
            case "reveal":
                seat = {key: self.prompt[key] for key in ("seat", "hand") if key in self.prompt}
                return self.send(event="revealed", who=self.prompt["to"], **seat)
            case "close_round":
                return self.send(event="round_closed")
        raise AssertionError(self.prompt)

    def until(self, event: str) -> list[Line]:
        """Follows the prompts until an event of this kind is told; returns the lines of that step."""
        for _ in range(STEPS):
            lines = self.follow()
            if any(line["event"] == event for line in lines):
                return lines
        raise AssertionError(f"no {event}: {self.lines[-10:]}")

    def events(self, kind: str) -> list[Line]:
        return [line for line in self.lines if line["event"] == kind]


@contextmanager
def opened(folder: Path, game: str, mode: Mode = Mode.DIAGNOSTIC) -> Iterator[Table]:
    table = Table(folder, game, mode)
    try:
        with table.table:
            yield table
    finally:
        table.station.stop()


def told_cards(table: Table) -> list[str]:
    """The shoe's cards, as the journal has them."""
    return [opened_line(line, table.folder / "journals")["card"] for line in table.events("card")]


@pytest.mark.parametrize(
    ("game", "mode"),
    [*((game, Mode.DIAGNOSTIC) for game in DECKS if game != "baccarat"), ("baccarat", Mode.GAME)],
)
def test_a_round_from_the_shoe_to_its_settlement(tmp_path: Path, game: str, mode: Mode) -> None:
    with opened(tmp_path, game, mode) as table:
        if game == "baccarat":
            table.until("burned")
            while table.prompt["do"] == "burn":
                table.follow()
            table.send(event="bets_closed", seats=[1], wagers=[{"seat": 1, "bet": "banker", "stake": 10_000}])
        settled = next(line for line in table.until("settled") if line["event"] == "settled")
        assert [(one["seat"], one["bet"]) for one in settled["wagers"]] == [(1, BET[game])]
        assert table.events("irregularity") == []
        table.until("next")
        assert told_cards(table) == [out.card for out in table.hands.out]
        assert all(line["device"] == "shoe" and ("raw" in line or "sealed" in line) for line in table.events("card"))
        table.table.say("quit")
        assert table.table.end() == 0
    assert verified(journal_of(tmp_path)) is not None


@pytest.mark.parametrize("game", ["blackjack", "casino_war"])
def test_unplugged_in_mid_round_and_plugged_in_again(tmp_path: Path, game: str) -> None:
    with opened(tmp_path, game) as table:
        table.until("dealt")
        table.station.call(table.wire.unplug)
        lost = table.take(table.table.answer())
        assert lost[0]["event"] == "device_lost"
        assert table.prompt["do"] == "resolve"
        table.station.call(table.wire.replug)
        assert table.take(table.table.answer())[0]["event"] == "device_back"
        number = table.prompt["irregularity"]
        table.send(event="resolve", irregularity=number, action="continue", by=["7"])
        table.until("settled")
        assert [line["code"] for line in table.events("irregularity")] == ["device_lost"]
        assert told_cards(table) == [out.card for out in table.hands.out]


def test_a_damaged_line_stops_the_table_until_a_person_has_looked(tmp_path: Path) -> None:
    with opened(tmp_path, "casino_war") as table:
        table.until("dealt")
        table.station.call(lambda: table.hands.device.junk(b"[Manual Burn Ca\xff\r\n"))
        fault = table.take(table.table.answer())
        assert (fault[0]["event"], fault[0]["code"]) == ("fault", "line_damaged")
        assert table.take(table.table.answer())[0]["event"] == "fault_cleared"
        table.send(event="resolve", irregularity=table.prompt["irregularity"], action="continue", by=["7"])
        table.until("settled")
