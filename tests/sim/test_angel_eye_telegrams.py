"""The simulated shoe's bytes on the line, against bytes worked out by hand from docs/protocols/angel-eye.md."""

from collections.abc import Callable

import pytest

from protocols.angel_eye.messages import ErrorCode, Outcome
from regulations.events.cards import Card
from sim.angel_eye.settings import ShoeSettings
from tests.sim.shoes import NO_BURN, RecordedShoe

# Each BCC: XOR from Seq to 03. 31^53^03 = 61. 32^53^03 = 62.
POWER_ON = "05 31 53 03 36 31"
CHANGE_OF_SHOE = "05 32 53 03 36 32"


def cards(card: Card, count: int) -> list[Card]:
    return [card] * count


def test_each_telegram_goes_out_three_times_50_ms_apart() -> None:
    it = RecordedShoe(keep_opening=True)
    it.clock.run_until_idle()
    assert [(at_s, data.hex(" ").upper()) for at_s, data in it.frames] == [
        (0.0, POWER_ON),
        (0.05, POWER_ON),
        (0.1, POWER_ON),
    ]


def test_a_telegram_waits_until_the_one_before_has_gone_out_three_times() -> None:
    it = RecordedShoe(["8S", "9C"], keep_opening=True)
    it.shoe.draw()
    it.clock.run_until_idle()
    assert [at_s for at_s, _data in it.frames] == pytest.approx([0.0, 0.05, 0.1, 0.15, 0.2, 0.25])
    assert {data[1] for _at_s, data in it.frames[3:]} == {0x32}


def test_nothing_is_sent_while_the_hand_still_pulls() -> None:
    it = RecordedShoe(["8S"])
    pulled = it.shoe.draw()
    assert [out.card for out in pulled.cards] == ["8S"]
    assert it.frames == []


def test_switching_on_and_changing_the_shoe_are_told() -> None:
    it = RecordedShoe(["8S"], keep_opening=True)
    it.shoe.unload()
    it.shoe.load(["9C"], None)
    assert it.hex() == [POWER_ON, CHANGE_OF_SHOE]


def test_a_round_s_last_card_a_wrong_button_and_the_right_one() -> None:
    it = RecordedShoe(["8S", "KH", "8D", "6C"])
    it.draw(3)
    it.shoe.draw()
    # Seq 5 (S was 1). 35^44 = 71, ^92 (banker 2) = E3, ^A6 (6 of clubs) = 45, ^03 = 46.
    assert it.hex() == ["05 35 44 92 A6 03 34 36"]
    it.shoe.panel.press(Outcome.BANKER)
    it.shoe.panel.press(Outcome.TIE)
    # 8+8 = 6 stands... player 6, banker 6: a tie with a player pair. Wrong first: 36^45 = 73, ^83 = F0, ^03 = F3.
    # Then e 3: 37^65 = 52, ^83 = D1, ^03 = D2; G: 38^47 = 7F, ^A1 = DE, ^03 = DD.
    assert it.hex() == ["05 36 45 83 03 46 33", "05 37 65 83 03 44 32", "05 38 47 A1 03 44 44"]


def test_the_first_vector_byte_for_byte() -> None:
    """devices.md: 8 of spades to player 1, Seq 1."""
    it = RecordedShoe(["8S"])
    for _ in range(8):
        it.shoe.panel.stand_by()
    it.said()
    it.shoe.draw()
    assert it.hex() == ["05 31 44 81 B8 03 34 46"]


def test_seq_runs_from_1_to_9_and_begins_again() -> None:
    it = RecordedShoe(keep_opening=True)
    for _ in range(20):
        it.shoe.panel.stand_by()
    it.clock.run_until_idle()
    digits = "".join(chr(data[1]) for _at_s, data in it.frames[::3])
    assert digits == "123456789123456789123"
    assert it.frames[3][1].hex(" ").upper() == "05 32 50 03 36 31"


def test_nine_telegrams_take_1_35_s() -> None:
    """docs/protocols/angel-eye.md, section 11: so a true telegram never looks like a copy of one nine before it."""
    it = RecordedShoe(keep_opening=True)
    for _ in range(9):
        it.shoe.panel.stand_by()
    it.clock.run_until_idle()
    assert it.frames[27][0] - it.frames[0][0] == pytest.approx(1.35)


@pytest.mark.parametrize(
    ("burn_cards", "expected"),
    [
        # Seq 2 to 4; target 2 (A0) with index 1, 2, 3: 32^44^A1^96^03 = 42, 33^44^A2^96^03 = 40, 34^44^A3^96^03 = 46,
        # the cards all being 6 of diamonds (96).
        (3, ["05 32 44 A1 96 03 34 32", "05 33 44 A2 96 03 34 30", "05 34 44 A3 96 03 34 36"]),
    ],
)
def test_the_initial_burn(burn_cards: int, expected: list[str]) -> None:
    it = RecordedShoe(cards("6D", 5), ShoeSettings(burn_cards=burn_cards))
    for _ in range(burn_cards):
        it.shoe.draw()
    assert it.hex() == expected
    it.shoe.draw()
    # Then the player's first: 35^44^81^96^03 = 65.
    assert it.hex() == ["05 35 44 81 96 03 36 35"]


def test_a_burn_by_the_first_card_s_value() -> None:
    it = RecordedShoe(["2C", "9S", "9S", "9S"], ShoeSettings(initial_burn="first_card_value"))
    for _ in range(4):
        it.shoe.draw()
    # C0 A2, then D1 and D2 with B9 (9 of spades), then 81 B9.
    # 32^44^C0^A2^03 = 17; 33^44^D1^B9^03 = 1C; 34^44^D2^B9^03 = 18; 35^44^81^B9^03 = 4A.
    assert it.hex() == [
        "05 32 44 C0 A2 03 31 37",
        "05 33 44 D1 B9 03 31 43",
        "05 34 44 D2 B9 03 31 38",
        "05 35 44 81 B9 03 34 41",
    ]


@pytest.mark.parametrize(("first", "count"), [("AS", 1), ("9H", 9), ("TD", 10), ("JC", 10), ("QS", 10), ("KH", 10)])
def test_how_many_follow_the_first_card(first: Card, count: int) -> None:
    it = RecordedShoe([first, *cards("2S", 12)], ShoeSettings(initial_burn="first_card_value"))
    it.draw(1 + count)
    assert it.shoe.panel.due is not None
    assert (it.shoe.panel.due.target.name, it.shoe.panel.due.number) == ("PLAYER", 1)


def test_the_index_of_a_burned_card_does_not_go_beyond_10() -> None:
    it = RecordedShoe(cards("6D", 12), ShoeSettings(burn_cards=12))
    for _ in range(12):
        it.shoe.draw()
    # Target 2 is A0: the index is the low nibble of the fourth byte.
    assert [frame.split()[3] for frame in it.hex()][8:] == ["A9", "AA", "AA", "AA"]


def test_a_card_is_burned_before_each_round_but_a_shoe_s_first() -> None:
    it = RecordedShoe(["9S", "2S", "KS", "3S", "6H", "9S"], ShoeSettings(initial_burn="none", round_burn=True))
    for _ in range(4):
        it.shoe.draw()
    it.shoe.panel.press(Outcome.PLAYER)
    it.shoe.draw()
    it.shoe.draw()
    # The third byte of the payload's first byte tells where: 81 91 82 92, then the result, A1 burn, 81 player.
    assert [frame.split()[3] for frame in it.hex()] == ["81", "91", "82", "92", "90", "A1", "81"]


def test_the_cut_card_is_a_pull_of_its_own() -> None:
    it = RecordedShoe(["8S", "9C", "2D"], cut_card_behind=2)
    before = [it.shoe.cards_before_cut_card]
    pulled = []
    for _ in range(3):
        pulled.append(it.shoe.draw())
        before.append(it.shoe.cards_before_cut_card)
    assert before == [1, 0, None, None]
    assert [[out.card for out in one.cards] for one in pulled] == [["8S"], [], ["9C"]]
    assert [one.cut_card for one in pulled] == [False, True, False]
    # Seq 3: 33^43^03 = 73, the vector of the protocol page.
    assert it.hex()[1] == "05 33 43 03 37 33"


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        # Seq 2. 32^4C^81^03 = FC; 32^4D^30^37^30^31^32^30^03 = 78; 32^50^03 = 61.
        ("lock", "05 32 4C 81 03 46 43"),
        ("preset", "05 32 4D 30 37 30 31 32 30 03 37 38"),
        ("standby", "05 32 50 03 36 31"),
        # 32^45^C9^03 = BD: error 9 in error mode.
        ("fault", "05 32 45 C9 03 42 44"),
    ],
)
def test_what_else_it_says(act: str, expected: str) -> None:
    it = RecordedShoe()
    acts: dict[str, Callable[[], None]] = {
        "lock": lambda: it.shoe.panel.turn_key(locked=True),
        "preset": lambda: it.shoe.panel.change_preset("07", "0120"),
        "standby": it.shoe.panel.stand_by,
        "fault": lambda: it.shoe.fault(9),
    }
    acts[act]()
    assert it.hex() == [expected]


def test_the_key_is_told_only_when_it_changes_something() -> None:
    it = RecordedShoe()
    it.shoe.panel.turn_key(locked=False)
    assert it.hex() == []
    it.shoe.panel.turn_key(locked=True)
    it.shoe.panel.turn_key(locked=False)
    # 32^4C^81^03 = FC; 33^4C^80^03 = FC.
    assert it.hex() == ["05 32 4C 81 03 46 43", "05 33 4C 80 03 46 43"]


def test_a_lost_telegram_uses_up_its_number() -> None:
    it = RecordedShoe(["8S", "9C", "2D"])
    it.shoe.drop_telegrams(1)
    for _ in range(3):
        it.shoe.draw()
    assert [frame.split()[1] for frame in it.hex()] == ["33", "34"]


def test_a_power_cut_loses_what_was_not_sent_yet() -> None:
    it = RecordedShoe(["8S", "9C"])
    it.shoe.draw()
    it.clock.advance(0.06)
    it.shoe.draw()
    it.shoe.power_off()
    it.clock.run_until_idle()
    assert len(it.frames) == 2
    assert not it.shoe.is_powered


def test_without_power_cards_leave_in_silence() -> None:
    it = RecordedShoe(["8S", "9C"])
    it.shoe.power_off()
    (out,) = it.shoe.draw().cards
    assert (out.card, out.told) == ("8S", None)
    it.shoe.panel.press(Outcome.TIE)
    it.shoe.panel.force_end()
    it.shoe.panel.stand_by()
    it.shoe.power_on()
    it.shoe.power_on()
    assert it.hex() == [POWER_ON]


def test_a_round_survives_a_power_cut() -> None:
    it = RecordedShoe(["8S", "9C", "2D", "3D"])
    it.draw(2)
    it.shoe.power_cycle()
    it.said()
    it.draw(1)
    assert it.shoe.panel.player == ("8S", "2D")


def test_an_error_survives_a_power_cut_only_for_an_overdraw() -> None:
    it = RecordedShoe(["9S", "2S", "KS", "3S", "6H"], NO_BURN)
    it.draw(5)
    it.shoe.fault(1)
    before = list(it.shoe.panel.errors)
    it.shoe.power_cycle()
    assert (before, list(it.shoe.panel.errors)) == ([ErrorCode.OVERDRAW, ErrorCode.CANNOT_READ], [ErrorCode.OVERDRAW])
