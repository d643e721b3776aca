"""One frame, both directions, against bytes written by hand."""

import pytest

from protocols.bee_tek.codec import decode_frame, encode_line
from protocols.bee_tek.messages import AlarmRaised, BeeTekMessage, CardDrawn, Mode, WarningGiven
from protocols.errors import EncodeError, FrameError
from regulations.events.cards import DECK
from tests.vectors.bee_tek import golden


@pytest.mark.parametrize("vector", golden.FRAMES + golden.READ_ONLY, ids=lambda vector: vector.frame.decode())
def test_a_frame_is_read(vector: golden.Said) -> None:
    message = decode_frame(vector.frame)
    assert message == vector.message
    assert message.raw == vector.frame


@pytest.mark.parametrize("vector", golden.FRAMES, ids=lambda vector: vector.frame.decode())
def test_a_message_is_written(vector: golden.Said) -> None:
    assert encode_line(vector.message) == vector.frame + b"\r\n"


@pytest.mark.parametrize("vector", golden.REFUSED, ids=lambda vector: vector.frame.decode() or "nothing")
def test_what_is_no_frame_is_refused_with_its_place(vector: golden.Refused) -> None:
    with pytest.raises(FrameError) as caught:
        decode_frame(vector.frame)
    assert (caught.value.offset, caught.value.reason, caught.value.raw) == (vector.offset, vector.reason, vector.frame)


@pytest.mark.parametrize("mode", Mode)
def test_every_card_goes_both_ways(mode: Mode) -> None:
    for card in DECK:
        assert decode_frame(encode_line(CardDrawn(card, mode)).removesuffix(b"\r\n")) == CardDrawn(card, mode)


def test_the_characters_of_a_card_come_again_where_a_unit_does_so() -> None:
    assert encode_line(CardDrawn("9C", Mode.GAME), repeat=True) == b"[Game]<Card:9C>9C\r\n"
    assert encode_line(WarningGiven(2), repeat=True) == b"<W0x02>\r\n"


@pytest.mark.parametrize(
    "message",
    [
        AlarmRaised(""),
        AlarmRaised(" E3"),
        AlarmRaised("E3>"),
        AlarmRaised("é"),
        AlarmRaised("x" * 41),
        WarningGiven(256),
        WarningGiven(-1),
    ],
)
def test_what_has_no_form_in_bytes_is_refused(message: BeeTekMessage) -> None:
    with pytest.raises(EncodeError):
        encode_line(message)


def test_the_characters_of_a_card_are_not_repeated_in_the_diagnostic_mode() -> None:
    with pytest.raises(EncodeError):
        encode_line(CardDrawn("9C", Mode.DIAGNOSTIC), repeat=True)


def test_an_alarm_is_known_by_its_first_word() -> None:
    assert AlarmRaised("E3 Card Not Read").code == "E3"
    assert AlarmRaised("Door").code == "Door"
