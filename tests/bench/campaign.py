"""``python -m tests.bench.campaign``: rounds of a campaign a CPU second, beside those of numpy and OpenSpiel.

numpy and open_spiel are no dependencies: what is not installed is left out.
"""

import argparse
import importlib
import random
import sys
import time
from collections.abc import Callable
from typing import Any, Final

from cardshoe.cli.campaign.blocks import Campaign, play_block
from cardshoe.cli.campaign.command import table_of
from cardshoe.cli.campaign.games import PLAYED
from cardshoe.cli.campaign.games.baccarat import BANKER_DRAWS
from cardshoe.cli.campaign.through import Way
from cardshoe.cli.campaign.verdict import cells_of, wrong_of
from cardshoe.process.progress import watched

ROUNDS: Final = PLAYED["baccarat"].rounds
BLOCK: Final = 256
"""Shoes that numpy deals side by side."""
STACK: Final = 416


def ours(way: Way, shoes: int) -> str:
    """Play baccarat; the totals must agree with the odds."""
    campaign = Campaign(table=table_of("baccarat"), shoes=shoes, seed=0, through=way)
    whole, *others = (
        play_block(campaign, block).totals for block in watched(f"through {way}", list(campaign.sizes()), unit="blocks")
    )
    for one in others:
        whole.add(one)
    played = PLAYED["baccarat"]
    doubts = [*wrong_of(whole, played), *(cell.name for cell in cells_of(whole, played, "") if cell.fails)]
    counted = whole.shoes * ROUNDS
    shares = " ".join(f"{name}={whole.cells[name] / counted:.6f}" for name in ("banker", "tie", "player"))
    return f"rounds={whole.rounds} {shares} doubts={len(doubts)}"


def by_numpy(shoes: int) -> str:
    """Baccarat as arrays: shoes side by side, the first rounds of each."""
    np: Any = importlib.import_module("numpy")
    rng = np.random.default_rng(0)
    deck = np.array([min(rank, 10) % 10 for rank in range(1, 14)] * 32, dtype=np.int8)
    draws = np.zeros((8, 11), dtype=bool)
    for points, thirds in BANKER_DRAWS.items():
        draws[points, list(thirds)] = True
    draws[:6, 10] = True  # the player stood
    wins = np.zeros(3, dtype=np.int64)
    for _ in range(0, shoes, BLOCK):
        cards = rng.permuted(np.tile(deck, (BLOCK, 1)), axis=1)
        at, row = np.full(BLOCK, 8), np.arange(BLOCK)
        for _ in range(ROUNDS):
            six = [cards[row, at + index].astype(np.int64) for index in range(6)]
            player, banker = (six[0] + six[2]) % 10, (six[1] + six[3]) % 10
            goes_on = (player < 8) & (banker < 8)
            takes = goes_on & (player < 6)
            third = np.where(takes, six[4], 10)
            gets = goes_on & draws[np.minimum(banker, 7), third]
            player = np.where(takes, (player + six[4]) % 10, player)
            banker = np.where(gets, (banker + np.where(takes, six[5], six[4])) % 10, banker)
            wins += np.bincount(1 + np.sign(player - banker), minlength=3)
            at += 4 + takes + gets
    share = wins / wins.sum()
    return f"rounds={wins.sum()} banker={share[0]:.6f} tie={share[1]:.6f} player={share[2]:.6f}"


def by_open_spiel(rounds: int) -> str:
    """Blackjack of OpenSpiel, which has no baccarat; the player hits or stands at random."""
    spiel: Any = importlib.import_module("pyspiel")
    game, rng = spiel.load_game("blackjack"), random.Random(0)
    for _ in range(rounds):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    return f"rounds={rounds}"


def timed(name: str, play: Callable[[], str]) -> None:
    """Print a line of what was played, with the CPU that it took."""
    began_s = time.process_time()
    try:
        found = play()
    except ModuleNotFoundError as error:
        print(f"campaign: by={name} left_out={error.name}")
        return
    cpu_s = time.process_time() - began_s
    rounds = int(found.split()[0].partition("=")[2])
    print(f"campaign: by={name} rounds_per_cpu_s={rounds / cpu_s:.0f} cpu_s={cpu_s:.1f} {found}", flush=True)


def main() -> int:
    """Print a line for each way and each peer."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.campaign", description=__doc__)
    parser.add_argument("--shoes", type=int, default=12_400, help="through the law; default: a million rounds")
    parser.add_argument("--devices", type=int, default=1_240, help="shoes through devices and through the journal")
    given = parser.parse_args()
    timed("numpy", lambda: by_numpy(given.shoes))
    timed("open_spiel", lambda: by_open_spiel(given.shoes))
    timed("law", lambda: ours("law", given.shoes))
    timed("journal", lambda: ours("journal", given.devices))
    timed("devices", lambda: ours("devices", given.devices))
    return 0


if __name__ == "__main__":
    sys.exit(main())
