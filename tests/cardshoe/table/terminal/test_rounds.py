"""A round of each game, an irregularity and a restart, typed in a real terminal; the screens are kept as text."""

import random
import signal
from pathlib import Path

import pytest

from sim.wires.pty import PtyWire
from tests.cardshoe.cli.support import answered
from tests.cardshoe.table.terminal.screen import Terminal
from tests.kit.running_table import journal_of, write_config
from tests.kit.sealed import verified
from tests.kit.shoe import Shoe

UNSEEN = "card null unseen=true\n"
ROUNDS: dict[str, list[str]] = {
    "casino_war": [
        """shuffled croupier
        cut player
        cut_card_placed 12
        loaded 52
        bets 1:ante:100 2:ante:50.50
        card 9h
        card ks
        card 9♦""",
        f"challenge\n{UNSEEN * 3}card 10s\ncard 2c\nround_closed",
    ],
    "blackjack": [
        f"""shuffled croupier
        cut player
        loaded 52
        {UNSEEN}bets 1:main:100 3:main:200
        card 9h
        card 2c
        card 10s
        card 9d
        card 5h""",
        """stand
        hit 3
        card kd
        stand 3
        revealed seat 1
        revealed seat 3
        card 8s
        round_closed""",
    ],
    "q_poker": [
        """shuffled croupier
        cut croupier
        cut_card_placed 0
        loaded 52
        bets 1:ante:100 2:ante:50 2:pair_plus:20
        card 9h
        card 9d
        card 2c
        card ks
        card qs
        card 3d
        card ah
        card qd
        card 4s
        revealed seat 1
        revealed seat 2""",
        """play 1
        fold
        revealed croupier
        round_closed""",
    ],
    "three_card_baccarat": [
        f"""shuffled croupier
        cut player
        loaded 52
        {UNSEEN}bets 1:main:100 1:tie:10 3:main:50.5
        {UNSEEN * 9}""",
        """revealed seat 1 cards=9h,2c,kd
        revealed seat 3 cards=5h,5c,ks
        revealed banker cards=ah,2d,3s
        round_closed""",
    ],
}
"""By game, without a device: what is typed up to the first screen that is kept, and up to the second."""


@pytest.mark.parametrize("game", sorted(ROUNDS))
def test_a_whole_round_by_hand(game: str, tmp_path: Path) -> None:
    sample = answered("config", "example", game).stdout.decode().replace("seats = 1\n", "seats = 3\n")
    (tmp_path / "table.toml").write_text(sample)
    with Terminal("run", "table.toml", folder=tmp_path) as terminal:
        terminal.until("shuffle the cards")
        for number, lines in enumerate(ROUNDS[game], start=1):
            terminal.say_all(lines)
            terminal.shows(f"{game}_{number}", "→")
        terminal.type("\x03")
        assert terminal.end() == 0
    assert verified(journal_of(tmp_path)).entries > sum(len(lines.splitlines()) for lines in ROUNDS[game])


def test_a_round_of_baccarat_with_a_shoe_whose_cable_is_pulled_and_a_table_that_is_killed(tmp_path: Path) -> None:
    rng = random.Random(5)
    with Shoe(PtyWire(tmp_path / "shoe")) as shoe:
        write_config(tmp_path, "./shoe")

        def draw(cards: int) -> None:
            for _ in range(cards):
                terminal.after(shoe.draw)

        with Terminal("run", "table.toml", folder=tmp_path) as terminal:
            terminal.until("shuffle the cards")
            terminal.say_all("shuffled croupier\ncut player\ncut_card_placed 14")
            shoe.load(rng)
            terminal.say("loaded 416")
            draw(8)
            terminal.say("bets 1:banker:100 3:tie:50.50")
            draw(2)
            shoe.unplug()
            terminal.until("resolve irregularity 1: void or end_shoe")
            shoe.replug()
            terminal.until("resolve irregularity 1: continue or void")
            terminal.type("con\t1 b\t7")
            terminal.shows("baccarat_1_irregularity", "> continue 1 by 7")
            terminal.after(lambda: terminal.type("\r"))
            draw(1)
            terminal.child.kill(signal.SIGKILL)
            terminal.end_of_output()
        with Terminal("run", "table.toml", folder=tmp_path) as terminal:
            terminal.until("resumed after")
            terminal.until("journal")
            terminal.shows("baccarat_2_restart", "→")
            while "close the round" not in terminal.text:
                draw(1)
                terminal.until("→")
            terminal.shows("baccarat_3_result", "→")
            terminal.say("round_closed")
            terminal.enter("quit")
            assert terminal.end() == 0
    verified(journal_of(tmp_path))
