"""One act for each prompt, and what comes between rounds and shoes."""

from typing import get_args

import pytest
from msgspec import UNSET

from protocols.angel_eye.messages import CardDrawn, Outcome, RoundResult, Target
from regulations.events.cards import Card
from regulations.events.inputs import (
    BetsClosed,
    CardsReturned,
    Closed,
    Cut,
    CutCardPlaced,
    Decision,
    Demonstration,
    Loaded,
    Resolve,
    Revealed,
    RoundClosed,
    ShoeEnded,
    Shuffled,
    StackCounted,
)
from regulations.events.outputs import Next
from regulations.events.vocabulary import Do
from sim.croupier.instructions import HouseInstructions
from tests.sim.croupier.table import (
    BETWEEN,
    BURN,
    CLOSE_ROUND,
    DRAW,
    SHOE_OVER,
    SHUFFLE,
    ScriptedTable,
    dealt,
    irregular,
    resolved,
    result,
    voided,
)

FOUR: tuple[Card, ...] = ("9S", "2S", "KS", "3S")


def test_the_stack_from_shuffle_to_load() -> None:
    table = ScriptedTable(loaded=False)
    assert table.hear(SHUFFLE) == [Shuffled(by="croupier")]
    shuffled = list(table.hands.felt.stack)
    assert table.hear(Next(do="cut")) == [Cut(by="player")]
    assert table.hands.felt.stack != shuffled
    assert table.hear(Next(do="place_cut_card")) == [CutCardPlaced(behind=14)]
    assert table.hear(Next(do="load")) == [Loaded(cards=52)]
    assert table.shoe.is_powered
    assert table.shoe.cards_before_cut_card == 52 - 14
    assert table.hear(Next(do="load")) == [Loaded(cards=52)], "asked once more, they are in already"


def test_orders_say_who_shuffles_and_cuts_and_how_deep() -> None:
    table = ScriptedTable(
        loaded=False, orders=HouseInstructions(shuffled_by="shuffler", cut_by="croupier", cut_card_behind=20)
    )
    said = [*table.hear(SHUFFLE), *table.hear(Next(do="cut")), *table.hear(Next(do="place_cut_card"))]
    assert said == [Shuffled(by="shuffler"), Cut(by="croupier"), CutCardPlaced(behind=20)]


@pytest.mark.parametrize("prompt", [DRAW, BURN, BETWEEN])
def test_a_prompt_for_a_card_gets_one_card(prompt: Next) -> None:
    table = ScriptedTable(["9S"])
    assert table.hear(prompt) == []
    assert table.hands.felt.laid == ["9S"]
    (told,) = table.telegrams()
    assert isinstance(told, CardDrawn)
    table.wait(5.0)
    assert table.hands.felt.laid == ["9S"], "one act for one answer"


def test_only_the_newest_prompt_counts() -> None:
    table = ScriptedTable()
    table.croupier.apply([DRAW])
    table.croupier.apply([Next(do="reveal", to="banker")])
    assert table.wait(0.5) == [Revealed(who="banker")]
    assert table.hands.felt.laid == []


def test_revealing_names_whose_cards() -> None:
    table = ScriptedTable()
    assert table.hear(Next(do="reveal", to="player")) == [Revealed(who="player")]
    assert table.hear(Next(do="reveal", to="seat", seat=3, hand=1)) == [Revealed(who="seat", seat=3, hand=1)]
    assert table.hear(Next(do="reveal")) == [Revealed(who="player")]


def test_a_round_is_closed_by_its_result_button_and_then_in_words() -> None:
    table = ScriptedTable(FOUR)
    table.deal(4)
    assert table.hear(result("player"), CLOSE_ROUND) == []
    assert table.telegrams() == [RoundResult(6, Outcome.PLAYER, player_pair=False, banker_pair=False)]
    assert table.hear(CLOSE_ROUND) == [RoundClosed()]
    assert table.hands.felt.rack == list(FOUR)


def test_if_the_table_says_nothing_to_the_button_he_goes_on_after_a_second() -> None:
    table = ScriptedTable(FOUR)
    table.deal(4)
    assert table.hear(result("player"), CLOSE_ROUND) == []
    assert table.wait(2.0) == [RoundClosed()]


@pytest.mark.parametrize("how", ["void", "another result", "in mid-round"])
def test_a_round_that_the_shoe_sees_otherwise_is_ended_by_force(how: str) -> None:
    table = ScriptedTable(FOUR)
    table.deal(3 if how == "in mid-round" else 4)
    outputs = [voided()] if how == "void" else [result("tie")]
    assert table.hear(*outputs, CLOSE_ROUND) == []
    (told,) = table.telegrams()
    assert isinstance(told, RoundResult)
    assert told.outcome is Outcome.FORCED_END
    assert table.hear(CLOSE_ROUND) == [RoundClosed()]


def test_a_card_held_for_the_next_round_stays_on_the_table_and_in_the_shoe_s_round() -> None:
    table = ScriptedTable([*FOUR, "6S", "7S"])
    table.deal(5)
    table.shoe.panel.clear_error()
    table.telegrams()
    table.hear(dealt(), result("player"), *irregular("card_not_due", "next_round"))
    table.hear(resolved("next_round"), CLOSE_ROUND)
    assert table.shoe.panel.player == ("6S",)
    assert table.hear(CLOSE_ROUND) == [RoundClosed()]
    assert table.hands.felt.laid == ["6S"]
    table.telegrams()
    table.hear(BETWEEN)
    (told,) = table.telegrams()
    assert isinstance(told, CardDrawn)
    assert (told.target, told.card) == (Target.BANKER, "7S")


def test_a_shoe_that_counts_a_burned_card_is_brought_in_step_before_the_round() -> None:
    table = ScriptedTable([*FOUR])
    hands = []
    for prompt in (BURN, BETWEEN):
        table.hear(prompt)
        hands.append(list(table.shoe.panel.player))
    table.wait(1.0)
    assert [*hands, list(table.shoe.panel.player)] == [["9S"], [], ["2S"]]


def test_he_may_join_in_mid_round() -> None:
    table = ScriptedTable(FOUR)
    table.deal(2)
    table.hear(DRAW)
    assert table.shoe.panel.player == ("9S", "KS")


def test_a_shoe_that_has_ended_a_round_that_goes_on_is_made_to_take_cards() -> None:
    table = ScriptedTable([*FOUR, "6S"])
    table.deal(4)
    table.hear(dealt(), DRAW)
    table.wait(1.0)
    assert table.shoe.panel.player == ("6S",)
    assert table.shoe.panel.errors == ()


def test_bets_are_closed_once_a_round_before_the_first_card() -> None:
    table = ScriptedTable(players=True)
    (closed,) = table.hear(BETWEEN)
    assert isinstance(closed, BetsClosed)
    assert closed.seats == sorted({wager.seat for wager in closed.wagers})
    assert table.hear(BETWEEN) == []
    assert len(table.hands.felt.laid) == 1


def test_without_players_the_first_card_closes_the_bets() -> None:
    table = ScriptedTable()
    assert table.hear(BETWEEN) == []
    assert len(table.hands.felt.laid) == 1


def test_where_bets_must_be_closed_they_are_even_if_nobody_bets() -> None:
    table = ScriptedTable()
    prompt = Next(do="close_bets", actions=["shoe_ended", "closed"])
    assert table.hear(prompt) == [BetsClosed(seats=[], wagers=[])]


def test_demonstrations_come_first_and_take_no_wagers() -> None:
    table = ScriptedTable(players=True, orders=HouseInstructions(demonstrations=1))
    offered = Next(do="draw", to="player", position=1, actions=["demonstration", "shoe_ended", "closed"])
    assert table.hear(offered) == [Demonstration()]
    assert table.hear(BETWEEN) == []
    assert len(table.hands.felt.laid) == 1
    table.hear(result("player"), CLOSE_ROUND)
    table.wait(1.0)
    (closed,) = table.hear(offered)
    assert isinstance(closed, BetsClosed)


def test_after_so_many_rounds_he_ends_the_shoe_game_and_closes() -> None:
    table = ScriptedTable(orders=HouseInstructions(rounds=1, games=None))
    table.hear(result("player"), CLOSE_ROUND)
    assert table.hear(BETWEEN) == [ShoeEnded(reason="house")]
    assert table.croupier.rounds_played == 1
    assert table.hear(SHOE_OVER, SHUFFLE) == [StackCounted(cards=52)]
    assert table.hear(SHUFFLE) == [Closed()]
    table.hear(Next(do="nothing"))
    assert table.croupier.done
    assert table.croupier.stuck is None


def test_where_a_shoe_game_cannot_be_ended_he_closes_at_once() -> None:
    table = ScriptedTable(orders=HouseInstructions(rounds=0))
    assert table.hear(Next(do="draw", to="player", position=1, actions=["closed"])) == [Closed()]


def test_after_so_many_shoe_games_he_closes() -> None:
    table = ScriptedTable(orders=HouseInstructions(games=2, counts_stack=False))
    assert table.hear(SHOE_OVER, SHUFFLE) == [Shuffled(by="croupier")]
    assert table.hear(SHOE_OVER, SHUFFLE) == [Closed()]
    assert table.croupier.games_played == 2


def test_he_closes_when_told() -> None:
    table = ScriptedTable(orders=HouseInstructions(games=None))
    table.croupier.close_after_round()
    assert table.hear(BETWEEN) == [ShoeEnded(reason="house")]


def test_when_he_is_done_he_says_so_once_and_hears_no_more() -> None:
    table = ScriptedTable()
    done: list[int] = []
    table.croupier.on_done = lambda: done.append(1)
    table.hear(Next(do="nothing"))
    table.hear(DRAW)
    assert done == [1]
    assert table.hands.felt.laid == []


def test_cards_go_back_into_a_shuffler_dealer() -> None:
    table = ScriptedTable()
    table.deal(3)
    table.hands.collect(keep=1)
    assert table.hear(Next(do="return_cards")) == [CardsReturned(cards=3)]


@pytest.mark.parametrize(
    ("actions", "action"), [(["hit", "stand"], "stand"), (["play", "fold"], "fold"), (["even_money"], "even_money")]
)
def test_a_decision_is_made_for_a_player(actions: list[str], action: str) -> None:
    table = ScriptedTable()
    (said,) = table.hear(Next(do="decide", seat=2, hand=1, actions=actions))
    assert isinstance(said, Decision)
    assert (said.seat, said.hand, said.action) == (2, 1, action)


def test_every_prompt_of_the_vocabulary_has_its_act() -> None:
    for do in get_args(Do):
        table = ScriptedTable(FOUR)
        table.hear(Next(do=do))
        table.wait(30.0)
        acted = table.said or table.hands.felt.laid or table.croupier.done
        assert acted, do


def test_he_gives_the_shoe_its_key_its_power_and_its_menu_back() -> None:
    table = ScriptedTable(FOUR)
    table.shoe.fault(5)
    table.shoe.panel.turn_key(locked=True)
    table.shoe.panel.set_setting_mode(on=True)
    table.shoe.power_off()
    table.hear(DRAW)
    table.wait(5.0)
    assert table.shoe.is_powered
    assert not table.shoe.panel.is_locked
    assert table.shoe.panel.player == ("9S",)


def test_he_clears_an_error_that_the_table_has_not_heard_of() -> None:
    table = ScriptedTable(FOUR)
    table.shoe.fault(5)
    table.hear(DRAW)
    table.wait(1.0)
    assert table.shoe.panel.errors == ()
    assert table.shoe.panel.player == ("9S",)


def test_a_resolve_without_a_number_is_about_the_oldest() -> None:
    table = ScriptedTable()
    table.hear(*irregular("device_disagrees", "continue", number=4)[:1], *irregular("device_disagrees", number=3)[:1])
    (said,) = table.hear(Next(do="resolve", actions=["continue"]))
    assert isinstance(said, Resolve)
    assert said.irregularity == 3
    assert said.card is UNSET
