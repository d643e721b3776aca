"""Errors 1 to 7, overdraws and cards outside a game: what the shoe says, and that no card is lost."""

from itertools import pairwise

import pytest

from protocols.angel_eye.messages import (
    CardDrawn,
    CardRetransmitted,
    ErrorCleared,
    ErrorCode,
    ErrorRaised,
    Outcome,
    RoundResult,
    Target,
)
from regulations.events.cards import Card
from sim.angel_eye.settings import ShoeSettings
from sim.angel_eye.shoe import Draw, PulledCard, ShoeMisuse
from tests.sim.shoes import NO_BURN, RecordedShoe

# Player 9, banker 5: complete with four cards. Then cards for what comes after.
FOUR: tuple[Card, ...] = ("9S", "2S", "KS", "3S")


def complete_round() -> RecordedShoe:
    it = RecordedShoe([*FOUR, "6H", "7H", "8H"])
    it.draw(4)
    return it


def test_error_1_a_card_that_cannot_be_read() -> None:
    it = RecordedShoe(["8S", "9C"])
    it.shoe.fail_next_read()
    assert it.shoe.draw() == Draw((PulledCard("8S", None),))
    # Seq 2: 32^44^81^80^03 = 74. Seq 3, C1 = error mode, code 1: 33^45^C1^03 = B4.
    assert it.hex() == ["05 32 44 81 80 03 37 34", "05 33 45 C1 03 42 34"]
    it.shoe.panel.clear_error()
    # Seq 4: 34^65^81^03 = D3.
    assert it.hex() == ["05 34 65 81 03 44 33"]


def test_error_6_a_card_with_a_foreign_code() -> None:
    it = RecordedShoe(["8S", "9C"])
    it.shoe.fail_next_read(ErrorCode.CARD_CODE)
    it.shoe.draw()
    assert it.said() == [CardDrawn(2, Target.PLAYER, 1, None), ErrorRaised(3, 6, error_mode=True)]


def test_the_error_can_be_told_before_the_card() -> None:
    it = RecordedShoe(["8S"], ShoeSettings(initial_burn="none", error_before_card=True))
    it.shoe.fail_next_read()
    it.shoe.draw()
    assert it.said() == [ErrorRaised(2, 1, error_mode=True), CardDrawn(3, Target.PLAYER, 1, None)]


def test_a_misread_card_is_told_as_another_and_played_as_that() -> None:
    it = RecordedShoe(FOUR)
    it.shoe.misread_next("2D")
    assert it.shoe.draw() == Draw((PulledCard("9S", "2D"),))
    assert it.said() == [CardDrawn(2, Target.PLAYER, 1, "2D")]
    it.draw(3)
    assert it.shoe.panel.due is not None
    assert it.shoe.panel.due.target is Target.PLAYER


def test_with_an_unread_card_the_shoe_has_no_verdict_and_takes_up_to_six_cards() -> None:
    it = RecordedShoe([*FOUR, "6H", "7H", "8H"])
    it.shoe.fail_next_read()
    it.draw(1)
    it.shoe.panel.clear_error()
    it.said()
    for _ in range(5):
        it.shoe.draw()
    drawn = [(one.target, one.index) for one in it.said() if isinstance(one, CardDrawn)]
    assert drawn[-2:] == [(Target.PLAYER, 3), (Target.BANKER, 3)]
    assert it.shoe.panel.verdict is None
    assert it.shoe.panel.due is None
    it.shoe.panel.force_end()
    assert it.said()[-1] == RoundResult(1, Outcome.FORCED_END, player_pair=False, banker_pair=False)


def test_an_unread_first_card_fixes_no_burn_count() -> None:
    it = RecordedShoe(["9S", "2S"], ShoeSettings(initial_burn="first_card_value"))
    it.shoe.fail_next_read()
    it.draw(1)
    assert it.shoe.panel.due is not None
    assert it.shoe.panel.due.target is Target.PLAYER


def test_error_2_an_overdrawn_card_is_told_once_the_error_is_cleared() -> None:
    it = complete_round()
    it.shoe.draw()
    # Seq 6: 36^45^C2^03 = B2.
    assert it.hex() == ["05 36 45 C2 03 42 32"]
    it.shoe.panel.clear_error()
    # Seq 7: 37^65^82^03 = D3. R with Seq 8, player 1, 6 of hearts (C6): 38^52^81^C6^03 = 2E.
    assert it.hex() == ["05 37 65 82 03 44 33", "05 38 52 81 C6 03 32 45"]
    # The round it was too many for still waits for its button; the next has its first card.
    it.shoe.panel.press(Outcome.PLAYER)
    it.shoe.draw()
    assert it.said() == [
        RoundResult(9, Outcome.PLAYER, player_pair=False, banker_pair=False),
        CardDrawn(1, Target.BANKER, 1, "7H"),
    ]
    assert it.shoe.panel.player == ("6H",)


def test_two_overdraws_in_a_row() -> None:
    it = complete_round()
    for _ in range(2):
        it.shoe.draw()
        it.shoe.panel.clear_error()
    retransmitted = [one for one in it.said() if isinstance(one, CardRetransmitted)]
    assert [(one.target, one.card) for one in retransmitted] == [(Target.PLAYER, "6H"), (Target.BANKER, "7H")]


def test_while_in_error_cards_are_told_without_a_name() -> None:
    it = complete_round()
    it.shoe.draw()
    it.said()
    assert it.shoe.draw() == Draw((PulledCard("7H", None),))
    # Seq 7, state 1, error 2: 37^64^92^03 = C2.
    assert it.hex() == ["05 37 64 92 03 43 32"]


def test_no_room_in_the_next_round_either() -> None:
    """Eight cards too many, one after the other: the next round takes its own and the rest is just a card outside."""
    it = RecordedShoe([*FOUR, *FOUR, "6H"])
    it.draw(4)
    for _ in range(5):
        it.shoe.draw()
        it.shoe.panel.clear_error()
    retransmitted = [one.card for one in it.said() if isinstance(one, CardRetransmitted)]
    assert retransmitted == list(FOUR)
    assert it.shoe.cards_left == 0


@pytest.mark.parametrize(
    ("locked", "setting_mode", "code", "expected"),
    [
        # Seq counts the telegrams before: L or E. 33^64^80^03 = D4; 32^64^A0^03 = F5; 33^64^95^03 = C1.
        (True, False, None, "05 33 64 80 03 44 34"),
        (False, True, None, "05 32 64 A0 03 46 35"),
        (False, False, 5, "05 33 64 95 03 43 31"),
        (False, False, 60, "05 33 64 9F 03 43 42"),
    ],
)
def test_cards_outside_a_game(*, locked: bool, setting_mode: bool, code: int | None, expected: str) -> None:
    it = RecordedShoe(["8S"])
    it.shoe.panel.turn_key(locked=locked)
    it.shoe.panel.set_setting_mode(on=setting_mode)
    if code is not None:
        it.shoe.fault(code)
    it.shoe.draw()
    assert it.hex()[-1] == expected
    assert it.shoe.panel.player == ()


def test_error_3_a_wrong_button() -> None:
    it = complete_round()
    it.shoe.panel.press(Outcome.TIE)
    # Seq 6, no error mode: 36^45^83^03 = F3.
    assert it.hex() == ["05 36 45 83 03 46 33"]
    it.shoe.panel.press(Outcome.PLAYER)
    assert it.said() == [ErrorCleared(7, 3), RoundResult(8, Outcome.PLAYER, player_pair=False, banker_pair=False)]


def test_a_button_in_mid_round_is_wrong() -> None:
    it = RecordedShoe(FOUR)
    it.draw(2)
    it.shoe.panel.press(Outcome.PLAYER)
    assert it.said() == [ErrorRaised(4, 3, error_mode=False)]
    it.draw(1)
    assert it.shoe.panel.player == ("9S", "KS")


@pytest.mark.parametrize("state", ["locked", "setting mode", "error"])
def test_buttons_are_dead_while_locked_or_in_error(state: str) -> None:
    it = complete_round()
    it.shoe.panel.turn_key(locked=state == "locked")
    it.shoe.panel.set_setting_mode(on=state == "setting mode")
    if state == "error":
        it.shoe.fault(5)
    it.said()
    it.shoe.panel.press(Outcome.PLAYER)
    it.shoe.panel.press(Outcome.TIE)
    it.shoe.panel.force_end()
    assert it.said() == []
    assert it.shoe.panel.verdict is Outcome.PLAYER


@pytest.mark.parametrize(
    ("midway", "expected"),
    [
        # Seq 2: 32^45^C4^03 = B0; 32^45^C5^03 = B1.
        (False, "05 32 45 C4 03 42 30"),
        (True, "05 32 45 C5 03 42 31"),
    ],
)
def test_errors_4_and_5_a_card_pushed_back_comes_again(*, midway: bool, expected: str) -> None:
    it = RecordedShoe(["8S", "9C"])
    assert it.shoe.start_draw()
    it.shoe.push_back(midway=midway)
    assert it.hex() == [expected]
    assert it.shoe.cards_left == 2
    it.shoe.panel.clear_error()
    it.said()
    assert it.shoe.draw() == Draw((PulledCard("8S", "8S"),))


def test_error_7_a_card_that_hangs_in_the_mouth() -> None:
    it = RecordedShoe(["8S", "9C"])
    it.shoe.start_draw()
    it.clock.advance(4.9)
    assert it.frames == []
    it.clock.advance(0.1)
    # Seq 2: 32^45^87^03 = F3.
    assert it.hex() == ["05 32 45 87 03 46 33"]
    assert it.shoe.finish_draw() == Draw((PulledCard("8S", "8S"),))
    # It is over once the card is out: 33^65^87^03 = D2, then 34^44^81^B8^03 = 4A.
    assert it.hex() == ["05 33 65 87 03 44 32", "05 34 44 81 B8 03 34 41"]


def test_a_draw_in_time_is_no_error() -> None:
    it = RecordedShoe(["8S"])
    it.shoe.start_draw()
    it.clock.advance(4.0)
    it.shoe.draw()
    it.clock.advance(10.0)
    assert [type(one) for one in it.said()] == [CardDrawn]


def test_a_double_feed_tells_of_one_card() -> None:
    it = RecordedShoe(["8S", "9C", "2D"])
    it.shoe.double_feed_next()
    assert it.shoe.draw() == Draw((PulledCard("8S", "8S"), PulledCard("9C", None)))
    assert it.said() == [CardDrawn(2, Target.PLAYER, 1, "8S")]
    assert it.shoe.draw() == Draw((PulledCard("2D", "2D"),))


def test_the_cut_card_is_never_fed_along_with_a_card() -> None:
    it = RecordedShoe(["8S", "9C"], cut_card_behind=1)
    it.shoe.double_feed_next()
    assert it.shoe.draw() == Draw((PulledCard("8S", "8S"),))
    assert it.shoe.draw() == Draw(cut_card=True)


def test_errors_are_cleared_in_the_order_in_which_they_came() -> None:
    it = RecordedShoe(["8S"])
    for code in (9, 1, 40):
        it.shoe.fault(code)
    it.said()
    assert it.shoe.panel.clear_error()
    assert [one.code for one in it.said() if isinstance(one, ErrorCleared)] == [9, 1, 40]
    assert not it.shoe.panel.clear_error()
    assert it.said() == []


def test_force_end_in_a_burn_ends_the_burn() -> None:
    it = RecordedShoe([*FOUR, *FOUR, "6H"], ShoeSettings(burn_cards=8))
    it.draw(3)
    it.shoe.panel.force_end()
    assert it.shoe.panel.due is not None
    assert it.shoe.panel.due.target is Target.PLAYER


def test_force_end_forgets_cards_laid_ahead() -> None:
    it = complete_round()
    it.shoe.draw()
    it.shoe.panel.clear_error()
    it.shoe.panel.force_end()
    assert (it.shoe.panel.player, it.shoe.panel.banker) == ((), ())


def test_an_empty_shoe_gives_nothing() -> None:
    it = RecordedShoe(["8S"])
    it.draw(1)
    assert it.shoe.draw() == Draw()
    assert not it.shoe.start_draw()
    assert it.said() == []


def test_hands_cannot_do_the_impossible() -> None:
    it = RecordedShoe(["8S", "9C"])
    with pytest.raises(ShoeMisuse):
        it.shoe.push_back(midway=True)
    with pytest.raises(ShoeMisuse):
        it.shoe.finish_draw()
    it.shoe.start_draw()
    with pytest.raises(ShoeMisuse):
        it.shoe.start_draw()
    with pytest.raises(ValueError, match="64"):
        it.shoe.fault(64)
    with pytest.raises(ValueError, match="2 cards are still in the shoe"):
        it.shoe.load(["2D"], None)
    assert it.shoe.unload() == ["8S", "9C"]
    with pytest.raises(ValueError, match="no place for the cut card"):
        it.shoe.load(["2D"], 2)


def test_a_card_hanging_in_the_mouth_is_taken_out_with_the_rest() -> None:
    it = RecordedShoe(["8S", "9C"])
    it.shoe.start_draw()
    assert it.shoe.unload() == ["8S", "9C"]
    it.clock.advance(10.0)
    assert it.said() == []
    assert not it.shoe.panel.is_card_half_out


def test_a_new_shoe_begins_with_its_burn() -> None:
    it = RecordedShoe(["8S", "9C"], ShoeSettings(burn_cards=1))
    it.draw(2)
    it.shoe.unload()
    it.shoe.load(["2D"], None)
    it.shoe.draw()
    assert it.said()[-1] == CardDrawn(5, Target.BURN, 1, "2D")


def test_numbers_are_unbroken_through_all_of_it() -> None:
    it = complete_round()
    it.shoe.draw()
    it.shoe.draw()
    it.shoe.panel.clear_error()
    it.shoe.panel.press(Outcome.BANKER)
    it.shoe.panel.press(Outcome.PLAYER)
    it.shoe.panel.turn_key(locked=True)
    it.shoe.draw()
    seqs = [5, *(one.seq for one in it.said())]
    assert all(later == earlier % 9 + 1 for earlier, later in pairwise(seqs))
    assert len(seqs) > 8


def test_the_default_menu_burns_eight() -> None:
    assert ShoeSettings() == ShoeSettings(initial_burn="per_deck", burn_cards=8, round_burn=False)
    assert NO_BURN.initial_burn == "none"
