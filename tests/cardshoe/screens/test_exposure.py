"""The largest payout of an open round: by hand for each game, never less than what was paid, and blind to cards."""

from collections.abc import Sequence

import msgspec
import pytest
from msgspec import UNSET

from cardshoe.screens.felt.pit import largest_payout
from cardshoe.screens.view import TableView
from cardshoe.screens.view.parts import Profile, WagerView
from regulations.events.inputs import BetsClosed, Decision, Resolve
from regulations.events.vocabulary import Bet, EquipmentKind, Game
from regulations.games.registry import NAMES
from sim.croupier.instructions import HouseInstructions
from tests.cardshoe.screens.view.support import taken
from tests.sim.croupier.plain_table import PlainTable
from tests.sim.croupier.profiles import profile

BOX: dict[Game, EquipmentKind] = {"three_card_baccarat": "box"}
ROUNDS = 25


def laid(*wagers: tuple[int, Bet, int]) -> list[WagerView]:
    return [WagerView(seat=seat, bet=bet, stake=stake) for seat, bet, stake in wagers]


@pytest.mark.parametrize(
    ("game", "wagers", "payout"),
    [
        # One of the three ends; both pairs may come with it.
        ("baccarat", [(1, "player", 1000), (2, "banker", 2000), (3, "tie", 200)], 1900),
        ("baccarat", [(1, "player", 1000), (3, "tie", 200), (4, "banker_pair", 10), (4, "player_pair", 20)], 1930),
        # The special hand pays 3, three sevens of a suit 5,000; one of over and under.
        ("blackjack", [(1, "main", 100), (1, "any_pair", 10), (1, "over_13", 30), (1, "under_13", 20)], 440),
        ("blackjack", [(2, "main", 100), (2, "sevens", 5), (2, "insurance", 50)], 25_400),
        # Each bettor has the better of the two; a challenge lies there with its raise.
        ("casino_war", [(1, "ante", 100), (1, "tie", 50), (2, "ante", 100), (3, "ante", 200)], 800),
        ("casino_war", [(1, "ante", 1000), (1, "tie", 50)], 1000),
        ("q_poker", [(1, "ante", 100), (1, "pair_plus", 10), (2, "ante", 50)], 850),
        # The banker has one number of points, odd or even, or three figures; a seat wins or ties.
        ("three_card_baccarat", [(1, "main", 100), (1, "tie", 10), (2, "points_3", 10), (2, "odd", 100)], 375),
        ("three_card_baccarat", [(1, "points_3", 10), (2, "points_4", 10), (2, "even", 100), (3, "odd", 100)], 175),
        ("three_card_baccarat", [(1, "three_figures", 100), (2, "points_4", 10), (2, "even", 100)], 1600),
        ("three_card_baccarat", [(1, "three_figures", 100), (2, "points_0", 100)], 1600),
    ],
)
def test_by_hand(game: Game, wagers: Sequence[tuple[int, Bet, int]], payout: int) -> None:
    table = Profile(table_id="T", game=game, decks=8, seats=7, equipment="shoe")
    assert largest_payout(table, laid(*wagers)) == payout


def test_without_commission_the_banker_pays_one_to_one_and_unknown_stakes_nothing() -> None:
    table = Profile(table_id="T", game="baccarat", decks=8, seats=7, equipment="shoe")
    assert largest_payout(table, laid((1, "banker", 101))) == 96  # 95.95, rounded up
    table = msgspec.structs.replace(table, options={"banker_win": "half_on_six"})
    assert largest_payout(table, laid((1, "banker", 101))) == 101
    assert largest_payout(table, [WagerView(seat=1, bet="banker")]) == 0


def test_three_figures_that_win_as_0_points_pay_both_bets() -> None:
    options = {"three_figures_win_zero_points": True}
    table = Profile(table_id="T", game="three_card_baccarat", decks=8, seats=7, equipment="box", options=options)
    assert largest_payout(table, laid((1, "three_figures", 100), (2, "points_0", 100), (3, "even", 100))) == 2400


@pytest.mark.parametrize("game", NAMES)
def test_no_round_pays_more_and_no_card_changes_it(game: Game) -> None:
    table = profile(game, BOX.get(game, "shoe"), {})
    at = PlainTable(5, table, reads=True, strategy="random", orders=HouseInstructions(games=None, rounds=ROUNDS))
    at.run()
    view, before, rounds = TableView(), 0, 0
    for _, one in taken(table, [event for event, _ in at.log[1:]]):
        view.take(one.event, one.outputs)
        now = view.round
        if now is None or view.profile is None:
            before = 0
            continue
        payout = largest_payout(view.profile, now.wagers)
        assert payout == before or isinstance(one.event, BetsClosed | Decision | Resolve), one
        before = payout
        if now.result is not UNSET:
            paid = sum(max(wager.net, 0) for wager in now.settled if wager.net is not UNSET)
            assert paid <= payout
            rounds += paid > 0
    assert rounds > ROUNDS // 4
