"""Telegrams and replies out of a stream, at the host's end."""

import pytest

from protocols.angel_eye.decoder import TelegramDecoder
from protocols.angel_eye.framing import LONGEST_TELEGRAM
from protocols.angel_eye.messages import Ack, CardDrawn, CutCardDrawn, Nak, NakCode, StandBy, Started, Target
from protocols.garbage import Garbage, NotUnderstood
from tests.protocols.angel_eye.streams import feed_bytewise, messages_of, without_seams
from tests.vectors.angel_eye import golden

STARTED = bytes.fromhex("05 31 53 03 36 31")
CARD = bytes.fromhex("05 31 44 81 B8 03 34 46")
CUT = bytes.fromhex("05 33 43 03 37 33")
EIGHT = CardDrawn(1, Target.PLAYER, 1, "8S")
NOISE = bytes.fromhex("00 FF 31 44 03 80")
LONGEST_WAIT = 65
"""Bytes: a frame of 63 whose end byte has just come, and a digit of its check."""
EVERY_TELEGRAM = golden.TELEGRAMS + golden.READ_ONLY


@pytest.mark.parametrize("vector", EVERY_TELEGRAM, ids=lambda vector: vector.name)
def test_three_copies_whole_and_byte_by_byte(vector: golden.Telegram) -> None:
    frame = bytes.fromhex(vector.frame)
    assert TelegramDecoder().feed(frame * 3) == [vector.message] * 3
    assert feed_bytewise(TelegramDecoder(), frame * 3) == [vector.message] * 3


@pytest.mark.parametrize("vector", EVERY_TELEGRAM, ids=lambda vector: vector.name)
def test_noise_before_and_after(vector: golden.Telegram) -> None:
    frame = bytes.fromhex(vector.frame)
    expected = [Garbage(NOISE, "noise"), vector.message, Garbage(NOISE, "noise")]
    assert TelegramDecoder().feed(NOISE + frame + NOISE) == expected
    assert without_seams(feed_bytewise(TelegramDecoder(), NOISE + frame + NOISE)) == expected


@pytest.mark.parametrize("vector", EVERY_TELEGRAM, ids=lambda vector: vector.name)
def test_truncated_anywhere_is_displaced_by_the_next_copy(vector: golden.Telegram) -> None:
    frame = bytes.fromhex(vector.frame)
    for length in range(1, len(frame)):
        decoder = TelegramDecoder()
        assert decoder.feed(frame[:length]) == []
        assert decoder.pending == frame[:length]
        assert decoder.feed(frame) == [Garbage(frame[:length], "truncated"), vector.message]


@pytest.mark.parametrize("vector", EVERY_TELEGRAM, ids=lambda vector: vector.name)
def test_head_lost_anywhere_costs_one_copy(vector: golden.Telegram) -> None:
    frame = bytes.fromhex(vector.frame)
    for start in range(1, len(frame)):
        assert TelegramDecoder().feed(frame[start:] + frame) == [Garbage(frame[start:], "noise"), vector.message]


@pytest.mark.parametrize("vector", EVERY_TELEGRAM, ids=lambda vector: vector.name)
def test_byte_lost_anywhere_costs_one_copy(vector: golden.Telegram) -> None:
    frame = bytes.fromhex(vector.frame)
    for at in range(len(frame)):
        damaged = frame[:at] + frame[at + 1 :]
        assert messages_of(TelegramDecoder().feed(damaged + frame * 2)) == [vector.message] * 2


@pytest.mark.parametrize("vector", golden.REPLIES + golden.REPLIES_READ_ONLY, ids=lambda vector: vector.name)
def test_replies_between_telegrams(vector: golden.Answer) -> None:
    stream = STARTED + bytes.fromhex(vector.frame) + CARD
    assert TelegramDecoder().feed(stream) == [Started(1), vector.reply, EIGHT]
    assert feed_bytewise(TelegramDecoder(), stream) == [Started(1), vector.reply, EIGHT]


@pytest.mark.parametrize(
    "vector",
    [vector for vector in golden.REFUSED_TELEGRAMS if vector.reason not in {"start", "length", "truncated"}],
    ids=lambda vector: vector.name,
)
def test_refused_telegram_is_garbage_with_its_reason(vector: golden.Refused) -> None:
    decoder = TelegramDecoder()
    items = decoder.feed(bytes.fromhex(vector.frame) + CARD)
    first = items[0]
    assert isinstance(first, Garbage)
    assert first.reason == vector.reason
    assert messages_of(items) == [EIGHT]
    assert decoder.damaged == 1
    assert decoder.garbage_bytes == len(bytes.fromhex(vector.frame))


@pytest.mark.parametrize("vector", golden.NOT_UNDERSTOOD, ids=lambda vector: vector.name)
def test_frame_that_the_page_does_not_have_is_not_understood_with_its_type(vector: golden.Refused) -> None:
    frame = bytes.fromhex(vector.frame)
    expected = [NotUnderstood(frame, vector.reason, vector.frame.split()[2]), EIGHT]
    decoder = TelegramDecoder()
    assert decoder.feed(frame + CARD) == expected
    assert (decoder.not_understood, decoder.damaged, decoder.garbage_bytes) == (1, 0, len(frame))
    assert feed_bytewise(TelegramDecoder(), frame + CARD) == expected


def test_a_frame_of_64_bytes_is_the_longest_that_is_not_understood() -> None:
    # ENQ, "1", "Q", the payload of as many "A", ETX: an even number of them leaves 31 xor 51 xor 03 = 63.
    longest = b"\x05\x311Q"[:2] + b"Q" + b"A" * 58 + b"\x03" + b"63"
    assert len(longest) == 64
    assert TelegramDecoder().feed(longest) == [NotUnderstood(longest, "type", "51")]
    decoder = TelegramDecoder()
    longer = b"\x051Q" + b"A" * 62 + b"\x0363"
    assert messages_of(decoder.feed(longer + CARD)) == [EIGHT]
    assert (decoder.not_understood, decoder.damaged) == (0, 1)


def test_answer_with_data_that_is_none_costs_nothing_behind_it() -> None:
    assert messages_of(TelegramDecoder().feed(b"\x02" + CARD)) == [EIGHT]
    assert messages_of(TelegramDecoder().feed(b"\x02OP\x06")) == [Ack()]
    assert messages_of(TelegramDecoder().feed(b"\x02OP\x03ZZ" + CARD)) == [EIGHT]


def test_wrong_byte_is_taken_along_with_the_telegram_it_spoils() -> None:
    # Seen on its own, the 06 would be an acknowledgement: one flipped bit of the last check character, 46.
    items = TelegramDecoder().feed(bytes.fromhex("05 31 44 81 B8 03 34 06"))
    assert items == [Garbage(bytes.fromhex("05 31 44 81 B8 03 34 06"), "bcc")]
    assert TelegramDecoder().feed(bytes.fromhex("15 46 06")) == [Garbage(bytes.fromhex("15 46 06"), "code")]


def test_refusals_damaged_truncated_or_unknown() -> None:
    assert TelegramDecoder().feed(b"\x15\x33\x30") == [Garbage(b"\x15\x33\x30", "code")]
    assert TelegramDecoder().feed(b"\x15\x30" + STARTED) == [Garbage(b"\x15\x30", "truncated"), Started(1)]
    assert TelegramDecoder().feed(b"\x15" + STARTED) == [Garbage(b"\x15", "truncated"), Started(1)]
    decoder = TelegramDecoder()
    assert decoder.feed(b"\x15\x32") == []
    assert decoder.feed(b"\x31\x06") == [Nak(NakCode.BUSY), Ack()]


def test_telegram_that_begins_inside_a_damaged_one_is_not_lost() -> None:
    stream = bytes.fromhex("05 31 44 05 05 05 33") + CUT
    assert TelegramDecoder().feed(stream) == [
        Garbage(bytes.fromhex("05 31 44"), "truncated"),
        Garbage(b"\x05", "truncated"),
        Garbage(b"\x05", "truncated"),
        Garbage(b"\x05\x33", "truncated"),
        CutCardDrawn(3),
    ]


def test_reset_gives_out_what_waited_so_that_halves_never_join() -> None:
    decoder = TelegramDecoder()
    assert decoder.reset() == []
    assert decoder.feed(CARD[:4]) == []
    assert decoder.reset() == [Garbage(CARD[:4], "truncated")]
    assert decoder.pending == b""
    assert decoder.feed(CARD[4:]) == [Garbage(CARD[4:], "noise")]


def test_a_copy_is_recognised_only_if_every_byte_is_the_same() -> None:
    stand_by_then_started = bytes.fromhex("05 32 50 03 36 31") + STARTED
    assert TelegramDecoder().feed(stand_by_then_started) == [StandBy(2), Started(1)]
    damaged = CARD[:-1] + b"\x45"
    assert TelegramDecoder().feed(CARD + damaged + CARD) == [EIGHT, Garbage(damaged, "bcc"), EIGHT]


def test_counters_account_for_every_byte() -> None:
    decoder = TelegramDecoder()
    decoder.feed(NOISE + CARD * 3 + b"\x06" + b"\x15\x30\x31" + CARD[:-1] + b"\x45" + CUT[:2])
    assert decoder.frames == 3
    assert decoder.replies == 2
    assert decoder.damaged == 1
    assert decoder.garbage_bytes == len(NOISE) + len(CARD)
    assert decoder.pending == CUT[:2]
    assert decoder.bytes_fed == len(NOISE) + 4 * len(CARD) + 1 + 3 + 2


def test_longest_wait_is_one_byte_short_of_the_longest_telegram() -> None:
    preset = next(bytes.fromhex(vector.frame) for vector in golden.TELEGRAMS if "preset" in vector.name)
    assert len(preset) == LONGEST_TELEGRAM
    decoder = TelegramDecoder()
    decoder.feed(NOISE * 1000 + preset[:-1])
    assert len(decoder.pending) == LONGEST_TELEGRAM - 1
