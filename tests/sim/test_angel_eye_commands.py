"""The shoe's answers to the host: docs/protocols/angel-eye.md, sections 7 and 8; bytes worked out by hand."""

import pytest

from protocols.angel_eye.messages import (
    CardDrawnOutsideGame,
    CardRetransmitted,
    ErrorCleared,
    Outcome,
    RoundResult,
    Target,
)
from regulations.events.cards import Card
from tests.sim.shoes import RecordedShoe

LOCK = "02 4F 50 4C 4B 30 32 03 31 42"
UNLOCK = "02 4F 50 4C 4B 30 31 03 31 38"
CLEAR_7 = "02 4F 50 45 43 30 37 03 31 46"
# 02^4F^50^45^43^30^32^03: as CLEAR_7 with 32 for 37, so 1F^05 = 1A.
CLEAR_2 = "02 4F 50 45 43 30 32 03 31 41"
CONFIRM = "02 4F 50 47 50 30 30 03 30 39"
ACK = "06"
FOUR: tuple[Card, ...] = ("9S", "2S", "KS", "3S", "6H")


def answer(it: RecordedShoe, command: str) -> str:
    """The shoe's answer at once, before anything it sends by itself."""
    it.raw()
    it.shoe.receive(bytes.fromhex(command))
    frames, it.frames = it.frames, []
    return b"".join(data for _at_s, data in frames).hex(" ").upper()


def test_lock_and_unlock() -> None:
    it = RecordedShoe(FOUR)
    assert answer(it, LOCK) == ACK
    assert it.said() == [], "the reply is one frame, not three, and no telegram tells of it"
    assert it.shoe.panel.is_locked
    assert answer(it, UNLOCK) == ACK
    assert not it.shoe.panel.is_locked


def test_a_locked_shoe_tells_no_card() -> None:
    it = RecordedShoe(FOUR)
    answer(it, LOCK)
    it.raw()
    it.shoe.draw()
    assert it.said() == [CardDrawnOutsideGame(2, locked=True, in_error=False, setting_mode=False, error_code=0)]


def test_clear_an_error() -> None:
    it = RecordedShoe(FOUR)
    it.draw(5)
    assert answer(it, CLEAR_2) == ACK
    assert it.said() == [ErrorCleared(7, 2), CardRetransmitted(8, Target.PLAYER, 1, "6H")]


def test_an_error_that_is_not_there_cannot_be_cleared() -> None:
    assert answer(RecordedShoe(FOUR), CLEAR_7) == "15 46 46"


def test_confirm_the_round() -> None:
    it = RecordedShoe(FOUR)
    it.draw(4)
    assert answer(it, CONFIRM) == ACK
    assert it.said() == [RoundResult(6, Outcome.PLAYER, player_pair=False, banker_pair=False)]
    assert it.shoe.panel.player == ()


def test_no_round_to_confirm() -> None:
    it = RecordedShoe(FOUR)
    it.draw(3)
    assert answer(it, CONFIRM) == "15 46 46"


def test_a_round_is_not_confirmed_in_error() -> None:
    it = RecordedShoe(FOUR)
    it.draw(5)
    assert answer(it, CONFIRM) == "15 46 46"


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("02 4F 50 4C 4B 30 32 03 31 43", "15 30 32"),  # BCC 1C instead of 1B
        ("02 4F 50 4C 4B 30 32 04 31 43", "15 30 33"),  # 04 instead of 03
        ("02 4F 51 4C 4B 30 32 03 31 41", "15 31 33"),  # "OQ"
        ("02 4F 50 4C 4C 30 32 03 31 43", "15 31 34"),  # "LL"
        ("02 4F 50 4C 4B 30 41 03 36 38", "15 31 31"),  # "0A"
        ("02 4F 50 4C 4B 30 33 03 31 41", "15 31 31"),  # lock neither on nor off: 03
        ("02 4F 50 47 50 30 31 03 30 38", "15 31 31"),  # confirm 01
    ],
)
def test_what_is_wrong_with_a_command(command: str, reply: str) -> None:
    assert answer(RecordedShoe(FOUR), command) == reply


def test_busy_while_a_card_is_half_out() -> None:
    it = RecordedShoe(FOUR)
    it.shoe.start_draw()
    assert answer(it, LOCK) == "15 32 31"


def test_writing_while_in_the_menu() -> None:
    it = RecordedShoe(FOUR)
    it.shoe.panel.set_setting_mode(on=True)
    assert answer(it, LOCK) == "15 32 32"


@pytest.mark.parametrize("command", ["", "06", "FF FF", "02 4F 50 4C 4B"])
def test_noise_and_halves_are_not_answered(command: str) -> None:
    assert answer(RecordedShoe(FOUR), command) == ""


def test_a_command_may_come_in_any_pieces_and_after_noise() -> None:
    it = RecordedShoe(FOUR)
    for value in bytes.fromhex("00 02 4F 02 4F 50 4C 4B 30 32 03 31 42"):
        it.shoe.receive(bytes([value]))
    assert it.raw().hex() == "06"


def test_a_shoe_without_power_answers_nothing() -> None:
    it = RecordedShoe(FOUR)
    it.shoe.receive(bytes.fromhex(LOCK)[:5])
    it.shoe.power_off()
    assert answer(it, LOCK) == ""
    it.shoe.power_on()
    it.raw()
    assert answer(it, LOCK) == ACK, "half a command from before the power cut does no harm"
