"""Which damage to a telegram shows and which does not: the figures of docs/protocols/angel-eye.md, section 10."""

from collections import Counter
from itertools import combinations

import pytest

from protocols.angel_eye.decoder import TelegramDecoder
from protocols.angel_eye.messages import Ack
from protocols.garbage import Garbage
from tests.protocols.angel_eye.streams import messages_of
from tests.vectors.angel_eye import golden

EVERY_TELEGRAM = golden.TELEGRAMS + golden.READ_ONLY


def flipped(frame: bytes, *bits: int) -> bytes:
    damaged = bytearray(frame)
    for bit in bits:
        damaged[bit // 8] ^= 1 << bit % 8
    return bytes(damaged)


@pytest.mark.parametrize("vector", EVERY_TELEGRAM, ids=lambda vector: vector.name)
def test_no_flipped_bit_goes_unnoticed_or_costs_a_second_copy(vector: golden.Telegram) -> None:
    frame = bytes.fromhex(vector.frame)
    for bit in range(8 * len(frame)):
        decoder = TelegramDecoder()
        alone = [*decoder.feed(flipped(frame, bit)), *decoder.reset()]
        assert alone
        assert all(isinstance(item, Garbage) for item in alone)
        assert messages_of(TelegramDecoder().feed(flipped(frame, bit) + frame * 2)) == [vector.message] * 2


@pytest.mark.parametrize("vector", EVERY_TELEGRAM, ids=lambda vector: vector.name)
def test_no_wrong_byte_makes_a_telegram_or_a_refusal(vector: golden.Telegram) -> None:
    # A start byte may turn into an acknowledgement; nothing else can come of one wrong byte.
    frame = bytes.fromhex(vector.frame)
    for at in range(len(frame)):
        for value in set(range(256)) - {frame[at]}:
            damaged = frame[:at] + bytes([value]) + frame[at + 1 :]
            expected = [Ack()] if (at, value) == (0, 0x06) else []
            assert messages_of(TelegramDecoder().feed(damaged)) == expected


def test_two_flipped_bits_may_pass_as_the_protocol_page_says() -> None:
    frame = bytes.fromhex("05 31 44 81 B8 03 34 46")
    seen: Counter[str] = Counter()
    for pair in combinations(range(8 * len(frame)), 2):
        seen.update(type(item).__name__ for item in messages_of(TelegramDecoder().feed(flipped(frame, *pair))))
        seen["pairs"] += 1
    assert seen == {"pairs": 2016, "CardDrawn": 17, "CardReadOutsideGame": 3, "Ack": 36, "Nak": 2}
