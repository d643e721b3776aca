"""Simulated players make wagers that art. 13.º allows."""

import random
from collections import Counter

from sim.players import Players


def test_wagers_are_lawful_and_of_every_kind(seed: int) -> None:
    players = Players(random.Random(seed), seats=7, unit=100)
    seen = Counter(wager.bet for _ in range(500) for wager in players.wagers())
    assert set(seen) == {"player", "banker", "tie", "player_pair", "banker_pair"}
    for _ in range(500):
        wagers = players.wagers()
        assert all(1 <= wager.seat <= 7 and wager.stake > 0 and wager.stake % 100 == 0 for wager in wagers)
        bettors = Counter((wager.seat, wager.id, wager.bet) for wager in wagers)
        assert all(count == 1 for count in bettors.values())
        mains = Counter((w.seat, w.id) for w in wagers if w.bet in ("player", "banker", "tie"))
        assert set(mains.values()) <= {1}


def test_at_times_nobody_bets_and_at_times_two_share_a_seat(seed: int) -> None:
    players = Players(random.Random(seed))
    rounds = [players.wagers() for _ in range(500)]
    assert [] in rounds
    assert any(wager.id == 2 for wagers in rounds for wager in wagers)


def test_the_same_seed_bets_the_same(seed: int) -> None:
    one, other = Players(random.Random(seed)), Players(random.Random(seed))
    assert [one.wagers() for _ in range(20)] == [other.wagers() for _ in range(20)]
