"""Single Angel Eye frames, both ways, against the bytes written by hand."""

import pytest

from protocols.angel_eye.codec import (
    decode_command,
    decode_reply,
    decode_telegram,
    encode_command,
    encode_reply,
    encode_telegram,
)
from protocols.angel_eye.messages import (
    CardDrawn,
    CardDrawnOutsideGame,
    CardRetransmitted,
    Command,
    CommandType,
    ErrorCleared,
    ErrorRaised,
    NakCode,
    Outcome,
    PresetChanged,
    RoundResult,
    ShoeMessage,
    Started,
    Target,
    Telegram,
)
from protocols.angel_eye.rows import ROWS
from protocols.errors import EncodeError, FrameError
from tests.vectors.angel_eye import golden


@pytest.mark.parametrize("vector", golden.TELEGRAMS, ids=lambda vector: vector.name)
def test_telegram_both_ways(vector: golden.Telegram) -> None:
    frame = bytes.fromhex(vector.frame)
    message = decode_telegram(frame)
    assert message == vector.message
    assert message.raw == frame
    assert encode_telegram(vector.message) == frame


@pytest.mark.parametrize("vector", golden.READ_ONLY, ids=lambda vector: vector.name)
def test_telegram_read_only(vector: golden.Telegram) -> None:
    message = decode_telegram(bytes.fromhex(vector.frame))
    assert message == vector.message
    assert message.raw == bytes.fromhex(vector.frame)


def test_golden_telegrams_cover_every_type_and_every_target_and_outcome() -> None:
    messages = [vector.message for vector in golden.TELEGRAMS]
    assert {type(message) for message in messages} == {row.message for row in ROWS}
    assert {message.target for message in messages if isinstance(message, CardDrawn)} == set(Target)
    assert {message.outcome for message in messages if isinstance(message, RoundResult)} == set(Outcome)


@pytest.mark.parametrize("vector", golden.REFUSED_TELEGRAMS + golden.NOT_UNDERSTOOD, ids=lambda vector: vector.name)
def test_telegram_refused(vector: golden.Refused) -> None:
    with pytest.raises(FrameError) as caught:
        decode_telegram(bytes.fromhex(vector.frame))
    assert (caught.value.reason, caught.value.offset) == (vector.reason, vector.offset)
    assert caught.value.raw == bytes.fromhex(vector.frame)


@pytest.mark.parametrize("vector", golden.COMMANDS, ids=lambda vector: vector.name)
def test_command_both_ways(vector: golden.Order) -> None:
    assert encode_command(vector.command) == bytes.fromhex(vector.frame)
    assert decode_command(bytes.fromhex(vector.frame)) == vector.command


def test_golden_commands_cover_every_type() -> None:
    assert {vector.command.type for vector in golden.COMMANDS} == set(CommandType)


@pytest.mark.parametrize("vector", golden.REFUSED_COMMANDS, ids=lambda vector: vector.name)
def test_command_refused(vector: golden.Refused) -> None:
    with pytest.raises(FrameError) as caught:
        decode_command(bytes.fromhex(vector.frame))
    assert (caught.value.reason, caught.value.offset) == (vector.reason, vector.offset)
    assert caught.value.raw == bytes.fromhex(vector.frame)


@pytest.mark.parametrize("vector", golden.REPLIES, ids=lambda vector: vector.name)
def test_reply_both_ways(vector: golden.Answer) -> None:
    assert encode_reply(vector.reply) == bytes.fromhex(vector.frame)
    assert decode_reply(bytes.fromhex(vector.frame)) == vector.reply


def test_golden_replies_cover_every_code() -> None:
    assert len(golden.REPLIES) == 1 + len(NakCode)


@pytest.mark.parametrize("vector", golden.REPLIES_READ_ONLY, ids=lambda vector: vector.name)
def test_reply_read_only(vector: golden.Answer) -> None:
    reply = decode_reply(bytes.fromhex(vector.frame))
    assert reply == vector.reply
    assert reply.raw == bytes.fromhex(vector.frame)


@pytest.mark.parametrize("vector", golden.REFUSED_REPLIES, ids=lambda vector: vector.name)
def test_reply_refused(vector: golden.Refused) -> None:
    with pytest.raises(FrameError) as caught:
        decode_reply(bytes.fromhex(vector.frame))
    assert (caught.value.reason, caught.value.offset) == (vector.reason, vector.offset)
    assert caught.value.raw == bytes.fromhex(vector.frame)


@pytest.mark.parametrize(
    "message",
    [
        Started(0),
        Started(10),
        CardDrawn(1, Target.PLAYER, 0, "8S"),
        CardDrawn(1, Target.BANKER, 4, "8S"),
        CardDrawn(1, Target.BURN, 11, "8S"),
        CardRetransmitted(1, Target.PLAYER, 16, "8S"),
        CardDrawnOutsideGame(1, locked=True, in_error=False, setting_mode=False, error_code=16),
        CardDrawnOutsideGame(1, locked=False, in_error=False, setting_mode=False, error_code=0),
        CardDrawnOutsideGame(1, locked=True, in_error=True, setting_mode=False, error_code=0),
        ErrorRaised(1, 64, error_mode=True),
        ErrorCleared(1, 128),
        PresetChanged(1, "7", "0120"),
        PresetChanged(1, "07", "01203"),
        PresetChanged(1, "07", "012\n"),
        PresetChanged(1, "07", "012é"),
    ],
    ids=repr,
)
def test_message_out_of_range_has_no_form(message: ShoeMessage) -> None:
    with pytest.raises(EncodeError):
        encode_telegram(message)


def test_what_was_written_before_is_written_under_its_own_number_and_type() -> None:
    drawn, again = (bytes.fromhex(one) for one in ("05 31 44 81 B8 03 34 46", "05 39 52 81 B8 03 35 31"))
    for _ in range(2):
        assert encode_telegram(CardDrawn(1, Target.PLAYER, 1, "8S")) == drawn
        assert encode_telegram(CardRetransmitted(9, Target.PLAYER, 1, "8S")) == again


def test_message_that_would_be_read_differently_names_both() -> None:
    message = PresetChanged(1, "07", "012é")
    with pytest.raises(EncodeError) as caught:
        encode_telegram(message)
    assert caught.value.subject == message
    assert "012?" in caught.value.why


@pytest.mark.parametrize("data", [-1, 100])
def test_command_data_out_of_range_has_no_form(data: int) -> None:
    with pytest.raises(EncodeError) as caught:
        encode_command(Command.clear_error(data))
    assert caught.value.subject == Command(CommandType.CLEAR_ERROR, data)


def test_raw_takes_no_part_in_comparison_or_encoding() -> None:
    received = decode_telegram(bytes.fromhex("05 31 53 03 36 31"))
    assert received == Started(1)
    assert encode_telegram(Started(1, raw=b"anything")) == received.raw
    assert issubclass(Started, Telegram)
