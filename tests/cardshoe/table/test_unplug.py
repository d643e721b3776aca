"""The cable is pulled in mid-round, with the real process on a pty and over TCP: no card lost, none doubled."""

import random
from collections import Counter
from pathlib import Path

import pytest

from sim.wires.pty import PtyWire
from sim.wires.tcp import TcpWire
from tests.kit.command import Line
from tests.kit.opening import BETS, open_with_shoe
from tests.kit.running_table import RunningTable, journal_of, lines_of, write_config
from tests.kit.sealed import opened, verified
from tests.kit.shoe import FAST, Shoe

SLOW = 0.5
"""The copies of a telegram come 0.1 s apart: there is time to pull the cable between two of them."""


@pytest.fixture(params=["pty", "tcp"])
def wire(request: pytest.FixtureRequest, tmp_path: Path) -> PtyWire | TcpWire:
    return PtyWire(tmp_path / "shoe") if request.param == "pty" else TcpWire()


class Play:
    """A table at its first round, with a shoe."""

    def __init__(self, folder: Path, shoe: Shoe, rng: random.Random) -> None:
        self.folder = folder
        self.shoe = shoe
        self.table = RunningTable(write_config(folder, shoe.port))
        self.prompt = open_with_shoe(self.table, shoe, rng)
        self.tell(BETS)

    def tell(self, line: Line) -> list[Line]:
        lines = self.table.tell(line)
        self.prompt = lines[-1]
        return lines

    def hear(self) -> list[Line]:
        lines = self.table.answer()
        self.prompt = lines[-1]
        return lines

    def draw(self) -> list[Line]:
        self.shoe.draw()
        return self.hear()

    def unplug(self) -> None:
        self.shoe.unplug()
        assert self.hear()[0]["event"] == "device_lost"
        assert self.prompt["actions"] == ["void", "end_shoe"]

    def replug(self) -> None:
        self.shoe.replug()
        assert self.hear()[0]["event"] == "device_back"
        assert "continue" in self.prompt["actions"]

    def go_on(self) -> None:
        self.resolve("continue")

    def blink(self) -> None:
        """The cable is pulled, put back, and the table continues."""
        self.unplug()
        self.replug()
        self.go_on()

    def misses_a_card(self) -> str:
        """A card is drawn, and the next one while the cable is out; return that one."""
        self.draw()
        self.unplug()
        (missed,) = self.shoe.draw().cards
        self.shoe.last_frame()
        self.replug()
        self.go_on()
        return missed.card

    def resolve(self, action: str, **fields: object) -> None:
        number = self.prompt["irregularity"]
        lines = self.tell({"event": "resolve", "irregularity": number, "action": action, "by": [101, 102], **fields})
        assert lines[1]["event"] == "resolved", lines

    def to_the_end(self) -> list[Line]:
        """Deals the round to its end, and closes the table; returns the journal, its cards opened."""
        while self.prompt["do"] == "draw":
            self.draw()
        assert self.prompt["do"] == "close_round"
        self.tell({"event": "round_closed"})
        self.tell({"event": "closed"})
        assert self.table.end() == 0, self.table.errors()
        journal = journal_of(self.folder)
        verified(journal)
        return [opened(line, journal.parent) for line in lines_of(journal)]


def cards_of(journal: list[Line]) -> list[str]:
    return [line["card"] for line in journal if line["event"] == "card"]


def codes_of(journal: list[Line]) -> list[str]:
    return [line["code"] for line in journal if line["event"] == "irregularity"]


def only_the_line_was_lost(shoe: Shoe, journal: list[Line], times: int = 1) -> bool:
    """True if each card of the shoe is in the journal once, and nothing else went wrong."""
    return (cards_of(journal), codes_of(journal)) == (shoe.out(), ["device_lost"] * times)


@pytest.mark.parametrize("before", [0, 3])
def test_a_cable_pulled_between_two_cards(wire: PtyWire | TcpWire, tmp_path: Path, seed: int, before: int) -> None:
    with Shoe(wire, speed=FAST) as shoe:
        play = Play(tmp_path, shoe, random.Random(seed))
        with play.table:
            for _ in range(before):
                play.draw()
            was = play.prompt
            play.blink()
            assert {**play.prompt, "seq": 0, "at": ""} == {**was, "seq": 0, "at": ""}
            journal = play.to_the_end()
        assert only_the_line_was_lost(shoe, journal)


def test_a_cable_pulled_between_the_copies_of_a_telegram(wire: PtyWire | TcpWire, tmp_path: Path, seed: int) -> None:
    with Shoe(wire, speed=SLOW) as shoe:
        play = Play(tmp_path, shoe, random.Random(seed))
        with play.table:
            play.draw()
            # The table has heard the first copy; the other two are still to come, and come on the new line.
            play.blink()
            shoe.last_frame()
            journal = play.to_the_end()
        assert only_the_line_was_lost(shoe, journal)


def test_a_card_drawn_while_the_cable_is_out_is_noticed(wire: PtyWire | TcpWire, tmp_path: Path, seed: int) -> None:
    with Shoe(wire, speed=FAST) as shoe:
        play = Play(tmp_path, shoe, random.Random(seed))
        with play.table:
            missed = play.misses_a_card()
            assert (play.prompt["to"], play.prompt["position"]) == ("banker", 1)
            # The shoe deals player 2 now, and the table sees that one is missing.
            lines = play.draw()
            assert [line["code"] for line in lines if line["event"] == "irregularity"] == ["count_gap"]
            play.resolve("identify", cards=[missed])
            assert (play.prompt["to"], play.prompt["position"]) == ("banker", 2)
            journal = play.to_the_end()
        told = cards_of(journal)
        assert Counter([*told, missed]) == Counter(shoe.out())
        dealt = [line["card"] for line in journal if line["event"] == "dealt"]
        assert dealt == shoe.out()[8:]
        assert codes_of(journal) == ["device_lost", "count_gap"]


def test_a_card_drawn_while_the_cable_is_out_may_be_entered_by_hand(tmp_path: Path, seed: int) -> None:
    with Shoe(PtyWire(tmp_path / "shoe")) as shoe:
        play = Play(tmp_path, shoe, random.Random(seed))
        with play.table:
            missed = play.misses_a_card()
            play.tell({"event": "card", "card": missed})
            # The shoe reads again: two people say that the card left (reading G19).
            assert play.prompt["actions"] == ["accept", "strike"]
            play.resolve("accept")
            assert (play.prompt["to"], play.prompt["position"]) == ("player", 2)
            play.draw()
            # One telegram is missing; what it told, a person has said.
            play.hear()
            play.hear()
            assert "continue" in play.prompt["actions"]
            play.go_on()
            journal = play.to_the_end()
        assert cards_of(journal) == shoe.out()
        assert codes_of(journal) == ["device_lost", "card_by_hand", "device_fault"]


@pytest.mark.parametrize("action", ["accept", "strike"])
def test_a_card_that_a_person_entered_is_doubted_still_after_a_kill(action: str, tmp_path: Path, seed: int) -> None:
    with Shoe(PtyWire(tmp_path / "shoe")) as shoe:
        play = Play(tmp_path, shoe, random.Random(seed))
        with play.table:
            play.draw()
            play.tell({"event": "card", "card": "2C"})
            opened_at = play.prompt
            assert opened_at["actions"] == ["accept", "strike"]
            play.table.kill()
        play.table = RunningTable(tmp_path / "table.toml")
        with play.table:
            play.prompt = play.table.answer(is_repeated=True)[-1]
            assert play.prompt == opened_at
            play.resolve(action)
            where = (play.prompt["to"], play.prompt["position"])
            assert where == (("player", 2) if action == "accept" else ("banker", 1))
            play.table.say("quit")
            assert play.table.end() == 0, play.table.errors()
        journal = journal_of(tmp_path)
        verified(journal)
        lines = [opened(line, journal.parent) for line in lines_of(journal)]
        assert codes_of(lines) == ["card_by_hand"]
        dealt = [line["card"] for line in lines if line["event"] == "dealt"]
        assert dealt == [*shoe.out()[8:], *(["2C"] if action == "accept" else [])]
        assert [line.get("mark") for line in lines if line["event"] == "resolved"] == (
            ["by_hand"] if action == "accept" else [None]
        )


def test_a_cable_that_comes_and_goes(wire: PtyWire | TcpWire, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    with Shoe(wire, speed=FAST) as shoe:
        play = Play(tmp_path, shoe, rng)
        with play.table:
            times = 0
            while play.prompt["do"] == "draw":
                if rng.random() < 1 / 2:
                    times += 1
                    play.blink()
                play.draw()
            journal = play.to_the_end()
        assert only_the_line_was_lost(shoe, journal, times)
