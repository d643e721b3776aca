"""Players put down what the regulation of their game allows, and nothing that leans on a wager that is not there."""

import random
from collections import Counter, defaultdict
from collections.abc import Sequence

import pytest
from msgspec import UNSET

from regulations.events.inputs import Wager
from regulations.events.outputs import Reversed, Settled, SettledWager
from regulations.events.vocabulary import Bet, Game
from regulations.games.registry import NAMES
from regulations.law.stakes import stake_of
from sim.players import Players

BETS: dict[Game, set[str]] = {
    "baccarat": {"player", "banker", "tie", "player_pair", "banker_pair"},
    "blackjack": {"main", "any_pair", "sevens", "over_13", "under_13"},
    "casino_war": {"ante", "tie"},
    "q_poker": {"ante", "pair_plus"},
    "three_card_baccarat": {"main", "odd", "even", "three_figures", "tie", *(f"points_{n}" for n in range(10))},
}
LEANING: dict[Game, dict[str, str]] = {
    "blackjack": dict.fromkeys(("any_pair", "sevens", "over_13", "under_13"), "main"),
    "casino_war": {"tie": "ante"},
    "three_card_baccarat": {"tie": "main"},
}
GAMES = NAMES


def settled(bet: Bet, *, carried: bool, seat: int = 3, stake: int = 100) -> SettledWager:
    wager = SettledWager(seat=seat, bet=bet, id=1, hand=1, stake=stake, net=0 if carried else stake, article="art.")
    return SettledWager(**{**{f: getattr(wager, f) for f in wager.__struct_fields__}, "carried": carried})


@pytest.mark.parametrize("game", GAMES)
def test_wagers_are_lawful_and_of_every_kind(seed: int, game: Game) -> None:
    players = Players(random.Random(seed), seats=7, unit=100, game=game)
    rounds = [players.wagers() for _ in range(1500)]
    assert {wager.bet for wagers in rounds for wager in wagers} == BETS[game]
    for wagers in rounds:
        assert all(1 <= wager.seat <= 7 for wager in wagers)
        assert all(stake_of(wager) > 0 and stake_of(wager) % 100 == 0 for wager in wagers)
        assert max(Counter((wager.seat, wager.id, wager.bet) for wager in wagers).values(), default=1) == 1
        assert without_support(game, wagers) == []


def without_support(game: Game, wagers: Sequence[Wager], carried: Sequence[tuple[int, str, int]] = ()) -> list[Wager]:
    there = defaultdict(set, {seat: {bet} for seat, bet, _id in carried})
    for wager in wagers:
        there[wager.seat].add(wager.bet)
    leaning = LEANING.get(game, {})
    return [wager for wager in wagers if leaning.get(wager.bet, wager.bet) not in there[wager.seat]]


@pytest.mark.parametrize("game", GAMES)
def test_two_may_share_a_seat_and_only_baccarat_has_rounds_without_wagers(seed: int, game: Game) -> None:
    players = Players(random.Random(seed), game=game)
    rounds = [players.bets() for _ in range(500)]
    assert any(wager.id == 2 for closed in rounds for wager in closed.wagers)
    assert any(not closed.seats for closed in rounds) == (game == "baccarat")
    assert all(closed.seats == sorted({wager.seat for wager in closed.wagers}) for closed in rounds)


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_bets_the_same(seed: int, game: Game) -> None:
    one, other = Players(random.Random(seed), game=game), Players(random.Random(seed), game=game)
    assert [one.bets() for _ in range(20)] == [other.bets() for _ in range(20)]


def test_nobody_of_baccarat_bets_on_both_sides(seed: int) -> None:
    players = Players(random.Random(seed))
    for _ in range(500):
        mains = Counter((w.seat, w.id) for w in players.wagers() if w.bet in ("player", "banker", "tie"))
        assert set(mains.values()) <= {1}


def _bets_of(game: Game, seed: int) -> dict[tuple[int, int, int], set[str]]:
    players = Players(random.Random(seed), game=game)
    bets: defaultdict[tuple[int, int, int], set[str]] = defaultdict(set)
    for number in range(500):
        for wager in players.wagers():
            bets[number, wager.seat, wager.id].add(wager.bet)
    return bets


def test_a_second_bettor_may_lean_on_the_first(seed: int) -> None:
    bets = _bets_of("three_card_baccarat", seed)
    assert {"tie"} in [found for (_, _, bettor), found in bets.items() if bettor == 2]
    assert {"tie"} not in [found for (_, _, bettor), found in bets.items() if bettor == 1]


def test_in_casino_war_a_tie_leans_on_the_own_ante(seed: int) -> None:
    """Reading W3."""
    bets = _bets_of("casino_war", seed)
    assert {"ante", "tie"} in [found for (_, _, bettor), found in bets.items() if bettor == 2]
    assert {"tie"} not in bets.values()


def test_a_carried_stake_keeps_its_seat_in_play_until_it_is_settled(seed: int) -> None:
    players = Players(random.Random(seed), game="three_card_baccarat")
    players.bets()
    players.notice([Settled(wagers=[settled("main", carried=True)])])
    assert players.carried == {(3, "main", 1): 100}
    for _ in range(200):
        closed = players.bets()
        assert 3 in closed.seats
        assert without_support("three_card_baccarat", closed.wagers, [*players.carried]) == []
    players.notice([Settled(wagers=[settled("main", carried=False)])])
    assert players.carried == {}
    assert any(3 not in players.bets().seats for _ in range(50))


def test_a_carried_stake_is_raised_at_times(seed: int) -> None:
    players = Players(random.Random(seed), game="three_card_baccarat")
    players.notice([Settled(wagers=[settled("main", carried=True)])])
    raised = [w for _ in range(200) for w in players.wagers() if (w.seat, w.bet, w.id) == (3, "main", 1)]
    assert raised


def test_what_was_carried_before_a_round_is_carried_still_if_its_result_falls(seed: int) -> None:
    players = Players(random.Random(seed), game="three_card_baccarat")
    players.notice([Settled(wagers=[settled("odd", carried=True)])])
    players.bets()
    players.notice([Settled(wagers=[settled("odd", carried=False), settled("main", carried=True, seat=5)])])
    assert players.carried == {(5, "main", 1): 100}
    players.notice([Reversed(wagers=[settled("odd", carried=False), settled("main", carried=True, seat=5)])])
    assert players.carried == {(3, "odd", 1): 100}


@pytest.mark.parametrize("game", GAMES)
def test_where_stakes_are_not_told_a_seat_may_say_enough(seed: int, game: Game) -> None:
    players = Players(random.Random(seed), game=game, stakes_known=False)
    rounds = [players.bets() for _ in range(300)]
    assert all(wager.stake is UNSET for closed in rounds for wager in closed.wagers)
    silent = [seat for closed in rounds for seat in set(closed.seats) - {wager.seat for wager in closed.wagers}]
    told = [wager for closed in rounds for wager in closed.wagers]
    assert silent
    assert told
    assert all(without_support(game, closed.wagers) == [] for closed in rounds)


def test_a_carried_wager_whose_stake_is_not_told_is_carried_all_the_same(seed: int) -> None:
    players = Players(random.Random(seed), game="three_card_baccarat", stakes_known=False)
    seat = next(seat for _ in range(100) for seat in players.bets().seats if (seat, "main", 1) in players.open)
    untold = SettledWager(seat=seat, bet="main", id=1, hand=1, pays="carried", article="art.")
    players.notice([Settled(wagers=[untold, SettledWager(bet="tie", id=1, hand=1, pays="8", article="art.")])])
    assert set(players.carried) == {(seat, "main", 1)}
    assert all(seat in players.bets().seats for _ in range(20))
