"""A reaction to every irregularity, every refusal and every silence."""

import random
from typing import get_args

import pytest
from msgspec import UNSET

from protocols.angel_eye.messages import CardRetransmitted, ErrorCleared
from regulations.events.inputs import (
    AnyInput,
    BetsClosed,
    CardDrawn,
    Closed,
    CutCard,
    Loaded,
    Resolve,
    ShoeEnded,
    Shuffled,
    Void,
)
from regulations.events.notices import SignedIn
from regulations.events.outputs import AnyOutput, Next
from regulations.events.vocabulary import IrregularityCode, RefusalCode, ResolutionAction
from sim.croupier.instructions import PATIENCE_S, REPLUG_PATIENCE_S, HouseInstructions
from sim.croupier.resolution_choice import ways
from tests.sim.croupier.table import (
    BETWEEN,
    BURN,
    CLOSE_ROUND,
    DRAW,
    SHUFFLE,
    ScriptedTable,
    dealt,
    irregular,
    refused,
    resolved,
    result,
)

ONE = ["croupier"]
TWO = ["croupier", "supervisor"]


@pytest.mark.parametrize(
    ("code", "actions", "expected", "by"),
    [
        ("card_not_due", ["burn", "void"], "burn", ONE),
        ("card_not_due", ["next_round", "void"], "next_round", ONE),
        ("card_not_due", ["void"], "void", TWO),
        ("card_before_bets_closed", ["burn"], "burn", ONE),
        ("card_after_last_round", ["burn"], "burn", ONE),
        ("cut_card_not_due", ["counts", "set_aside", "end_shoe"], "counts", TWO),
        ("cut_card_not_due", ["set_aside", "end_shoe"], "set_aside", TWO),
        ("cut_card_missing", ["continue", "end_shoe"], "continue", ONE),
        ("card_turned", ["burn", "accept"], "burn", ONE),
        ("croupier_card_exposed", ["void"], "void", TWO),
        ("misdeal", ["reassign", "identify", "void"], "void", TWO),
        ("misdeal", ["reassign", "identify"], "reassign", TWO),
        ("stack_exhausted", ["void"], "void", TWO),
        ("device_fault", ["continue", "void", "end_shoe"], "continue", ONE),
        ("device_lost", ["continue", "void", "end_shoe"], "continue", ONE),
        ("round_partial", ["void", "end_shoe"], "void", TWO),
        ("device_disagrees", ["continue", "void"], "continue", TWO),
        ("wrong_stack_count", ["continue"], "continue", ONE),
        ("surplus_card", ["identify", "void", "end_shoe"], "void", TWO),
        ("count_gap", ["identify", "end_shoe"], "end_shoe", TWO),
        ("unread_card", ["void"], "void", TWO),
    ],
)
def test_the_way_out_of_each_irregularity(
    code: IrregularityCode, actions: list[ResolutionAction], expected: ResolutionAction, by: list[str]
) -> None:
    (said,) = ScriptedTable().hear(*irregular(code, *actions, number=7))
    assert isinstance(said, Resolve)
    assert (said.irregularity, said.action, said.by) == (7, expected, by)


def test_every_code_of_the_vocabulary_has_a_reaction() -> None:
    for code in get_args(IrregularityCode):
        for action in get_args(ResolutionAction):
            table = ScriptedTable()
            table.hear(DRAW)
            table.hear(*irregular(code, action))
            table.wait(10 * REPLUG_PATIENCE_S)
            assert table.said or table.croupier.stuck, (code, action)


def test_an_irregularity_never_heard_of_is_settled_all_the_same() -> None:
    (said,) = ScriptedTable().hear(Next(do="resolve", irregularity=3, actions=["void", "burn"]))
    assert isinstance(said, Resolve)
    assert (said.irregularity, said.action) == (3, "burn")


def test_ways_out_are_tried_once_each() -> None:
    assert ways("device_disagrees", ["void", "continue"], ()) == ["continue", "void"]
    assert ways("device_disagrees", ["void", "continue"], {"continue"}) == ["void"]
    assert ways(None, [], ()) == []


def test_an_unread_card_is_named_from_the_hand() -> None:
    table = ScriptedTable(["9S", "2S"])
    table.shoe.fail_next_read()
    table.hear(DRAW)
    (said,) = table.hear(*irregular("unread_card", "identify", "void"))
    assert isinstance(said, Resolve)
    assert (said.action, said.card, said.by) == ("identify", "9S", TWO)


def test_unread_cards_are_named_in_the_order_in_which_they_left() -> None:
    table = ScriptedTable(["9S", "2S"])
    for _ in range(2):
        table.shoe.fail_next_read()
        table.hands.draw()
        table.shoe.panel.clear_error()
    table.telegrams()
    named = []
    for number in (1, 2, 3):
        (said,) = table.hear(*irregular("unread_card", "identify", number=number))
        assert isinstance(said, Resolve)
        named.append(said.card)
        table.hear(resolved("identify", number), CLOSE_ROUND)
    assert named == ["9S", "2S", "2S"], "when all are named, it can only be the one in the hand"


def test_a_misread_card_is_named_truly() -> None:
    table = ScriptedTable(["9S", "2S"])
    table.shoe.misread_next("AH")
    table.hear(DRAW)
    table.hear(DRAW)
    (said,) = table.hear(*irregular("surplus_card", "identify", "void", card="AH"))
    assert isinstance(said, Resolve)
    assert (said.action, said.card) == ("identify", "9S")


def test_missing_cards_are_named_in_order() -> None:
    table = ScriptedTable(["9S", "2S", "3S"])
    table.shoe.panel.turn_key(locked=True)
    for _ in range(2):
        table.hands.draw()
    table.shoe.panel.turn_key(locked=False)
    table.hands.draw()
    (said,) = table.hear(*irregular("count_gap", "identify", "void"))
    assert isinstance(said, Resolve)
    assert (said.cards, said.card) == (["9S", "2S"], UNSET)


def test_a_refused_way_out_is_followed_by_the_next_and_by_a_void() -> None:
    table = ScriptedTable(["9S"])
    table.hear(DRAW)
    prompt = Next(do="resolve", irregularity=1, actions=["identify", "end_shoe"])
    said = [table.hear(*irregular("unread_card", "identify", "end_shoe"))]
    said += [table.hear(*refused("not_allowed", prompt)) for _ in range(3)]
    assert [[one.action if isinstance(one, Resolve) else type(one) for one in each] for each in said] == [
        ["identify"],
        ["end_shoe"],
        [Void],
        [],
    ]
    assert table.croupier.done
    assert "irregularity 1 (unread_card)" in str(table.croupier.stuck)


# --- devices ----------------------------------------------------------------------------------------------------------


def waits() -> Next:
    return Next(do="resolve", irregularity=1, actions=["void", "end_shoe"])


def fault(code: IrregularityCode = "device_fault") -> list[AnyOutput]:
    return [irregular(code, "continue", "void", "end_shoe")[0], waits()]


def test_a_fault_is_mended_first_and_then_continued() -> None:
    table = ScriptedTable(["9S"])
    table.shoe.fault(5)
    table.telegrams()
    assert table.hear(*fault()) == []
    assert table.telegrams() == [ErrorCleared(3, 5)]
    (said,) = table.hear(Next(do="resolve", irregularity=1, actions=["continue", "void", "end_shoe"]))
    assert isinstance(said, Resolve)
    assert said.action == "continue"
    assert table.hear(resolved(), DRAW) == []
    assert table.hands.felt.laid == ["9S"]


def test_a_card_that_hangs_in_the_mouth_is_pulled_out() -> None:
    table = ScriptedTable(["9S"])
    table.shoe.start_draw()
    table.clock.advance(6.0)
    assert table.hear(*fault()) == []
    assert table.hands.felt.laid == ["9S"]
    assert table.shoe.panel.errors == ()


def test_clearing_an_overdraw_brings_the_card() -> None:
    table = ScriptedTable(["9S", "2S", "KS", "3S", "6S"])
    for _ in range(5):
        table.hands.draw()
    table.telegrams()
    table.hear(*fault())
    assert [type(one) for one in table.telegrams()] == [ErrorCleared, CardRetransmitted]


def test_a_fault_that_cannot_be_mended_ends_the_round() -> None:
    table = ScriptedTable()
    assert table.hear(*fault()) == []
    assert table.wait(PATIENCE_S - 2) == []
    (said,) = table.wait(2.0)
    assert isinstance(said, Resolve)
    assert said.action == "void"


def test_a_lost_device_is_waited_for_and_then_the_table_closes() -> None:
    table = ScriptedTable()
    assert table.hear(*fault("device_lost")) == []
    assert table.wait(REPLUG_PATIENCE_S - 2) == []
    (said,) = table.wait(2.0)
    assert isinstance(said, Resolve)
    assert said.action == "end_shoe"
    assert table.hear(resolved("end_shoe"), SHUFFLE) == [Closed()]


def test_a_device_that_comes_back_is_continued_with() -> None:
    table = ScriptedTable()
    table.hear(*fault("device_lost"))
    (said,) = table.hear(Next(do="resolve", irregularity=1, actions=["continue", "void", "end_shoe"]))
    assert isinstance(said, Resolve)
    assert said.action == "continue"


def test_a_device_that_goes_again_while_it_is_continued_with_is_continued_with_later() -> None:
    table = ScriptedTable()
    table.hear(*fault("device_lost"))
    well = Next(do="resolve", irregularity=1, actions=["continue", "void", "end_shoe"])
    table.hear(well)
    gone = Next(do="resolve", irregularity=1, actions=["void", "end_shoe"])
    assert table.hear(*refused("not_now", gone)) == []
    (said,) = table.hear(well)
    assert isinstance(said, Resolve)
    assert said.action == "continue"


def test_without_any_way_out_he_waits_longer_and_is_then_stuck() -> None:
    table = ScriptedTable()
    table.hear(irregular("device_lost", "continue")[0], Next(do="resolve", irregularity=1, actions=[]))
    assert table.wait(4 * REPLUG_PATIENCE_S) == []
    assert isinstance(table.wait(2 * REPLUG_PATIENCE_S)[0], Void)
    table.hear(*refused("not_now", Next(do="resolve", irregularity=1, actions=[])))
    assert table.croupier.stuck is not None


def test_a_card_pulled_while_the_line_was_down_is_entered_by_hand() -> None:
    table = ScriptedTable(["9S", "2S"])
    table.hear(DRAW)
    table.hear(*fault("device_lost"))
    table.hear(Next(do="resolve", irregularity=1, actions=["continue"]))
    assert table.hear(resolved(), DRAW) == []
    assert table.wait(PATIENCE_S + 1) == [CardDrawn(card="9S")]
    assert table.hands.felt.laid == ["9S"]


# --- silence ----------------------------------------------------------------------------------------------------------


def test_a_card_whose_telegram_was_lost_is_entered_by_hand() -> None:
    table = ScriptedTable(["9S"])
    table.shoe.drop_telegrams(1)
    assert table.hear(DRAW) == []
    assert table.wait(PATIENCE_S - 2) == []
    assert table.wait(2.0) == [CardDrawn(card="9S")]


def test_so_is_a_cut_card() -> None:
    table = ScriptedTable()
    table.hands.shuffle(random.Random(1))
    table.hands.place_cut_card(52)
    table.hands.load()
    table.shoe.drop_telegrams(1)
    table.hear(DRAW)
    assert table.wait(PATIENCE_S + 1) == [CutCard()]


def test_an_overdraw_that_was_not_heard_shows_on_the_shoe() -> None:
    table = ScriptedTable(["9S", "2S", "KS", "3S", "6S"])
    for _ in range(4):
        table.hear(dealt(), DRAW)
    table.shoe.drop_telegrams(1)
    table.hands.draw()
    table.telegrams()
    table.hear(result("player"), CLOSE_ROUND)
    assert [type(one) for one in table.telegrams()] == [ErrorCleared, CardRetransmitted]


def test_two_cards_at_once_are_both_told() -> None:
    table = ScriptedTable(["9S", "2S"])
    table.shoe.double_feed_next()
    table.hear(DRAW)
    assert table.hear(dealt(), DRAW) == [CardDrawn(card="2S")]
    table.hear(dealt(), DRAW)
    assert len(table.hands.felt.laid) == 3


def test_the_second_of_two_waits_until_nothing_is_open() -> None:
    table = ScriptedTable(["9S", "2S"])
    table.shoe.double_feed_next()
    table.hear(DRAW)
    (said,) = table.hear(*irregular("device_disagrees", "continue"))
    assert isinstance(said, Resolve)
    assert table.hear(resolved(), DRAW) == [CardDrawn(card="2S")]


def test_a_notice_that_repeats_the_prompt_is_no_word_of_the_card_that_was_drawn() -> None:
    table = ScriptedTable()
    table.hear(DRAW)
    drawn = len(table.hands.out)
    table.croupier.apply([DRAW], SignedIn(person="cara", role="croupier", place="table_screen"))
    table.wait(0.9)
    assert len(table.hands.out) == drawn == 1


def test_a_table_that_never_answers_is_given_up() -> None:
    table = ScriptedTable(loaded=False)
    table.hear(SHUFFLE)
    table.wait(10 * PATIENCE_S)
    assert table.said == [Shuffled(by="croupier")] * 6
    assert table.croupier.stuck == "the table does not answer"
    assert table.croupier.done


@pytest.mark.parametrize("in_round", [True, False])
def test_an_empty_shoe_ends_the_round_or_the_game(*, in_round: bool) -> None:
    table = ScriptedTable()
    table.hands.felt.gather(table.shoe.unload())
    (said,) = table.hear(dealt(), DRAW) if in_round else table.hear(BETWEEN)
    assert isinstance(said, Void if in_round else ShoeEnded)


# --- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", get_args(RefusalCode))
def test_after_any_refusal_he_goes_by_the_prompt(code: RefusalCode) -> None:
    table = ScriptedTable(players=True)
    (said,) = table.hear(BETWEEN)
    assert isinstance(said, BetsClosed)
    assert table.hear(*refused(code, BURN)) == []
    assert len(table.hands.felt.laid) == 1


def test_a_table_that_refuses_for_ever_is_left_step_by_step() -> None:
    table = ScriptedTable(loaded=False)
    prompt = Next(do="load")
    table.hands.place_cut_card(14)
    said = list(table.hear(prompt))
    for _ in range(8):
        said += table.hear(*refused("wrong_deck_count", prompt))
    assert [type(one) for one in said] == [Loaded] * 4 + [ShoeEnded, Closed]
    assert table.croupier.done
    assert table.croupier.stuck == "asked to load, and refused with wrong_deck_count"


def test_in_mid_round_the_round_is_void_before_anything_else() -> None:
    table = ScriptedTable()
    table.hear(dealt(), DRAW)
    prompt = Next(do="reveal", to="player")
    said: list[AnyInput] = [one for _ in range(7) for one in table.hear(*refused("not_allowed", prompt))]
    expected: list[AnyInput] = [
        Void(ground="misdeal", reason="the table does not continue", by=["croupier", "supervisor"]),
        ShoeEnded(reason="house"),
        Closed(),
    ]
    assert said[-3:] == expected
    assert table.croupier.stuck == "asked to reveal, and refused with not_allowed"


def test_the_count_of_refusals_starts_anew_with_every_success() -> None:
    table = ScriptedTable(orders=HouseInstructions(games=None))
    for _ in range(10):
        table.hear(*refused("not_now", BURN))
        table.hear(BURN)
    assert table.croupier.stuck is None
