"""Commands out of a stream, at the shoe's end."""

import pytest

from protocols.angel_eye.decoder import CommandDecoder
from protocols.angel_eye.framing import COMMAND_LENGTH
from protocols.angel_eye.messages import Command, NakCode, Rejected
from protocols.errors import FrameReason
from protocols.garbage import Garbage
from tests.protocols.angel_eye.streams import without_seams
from tests.vectors.angel_eye import golden

LOCK = bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42")
NOISE = bytes.fromhex("00 4F 50 03 FF")
ANSWERS: dict[FrameReason, NakCode] = {
    "etx": NakCode.NO_ETX,
    "bcc": NakCode.BCC,
    "command": NakCode.COMMAND,
    "type": NakCode.TYPE,
    "payload": NakCode.FORMAT,
}


@pytest.mark.parametrize("vector", golden.COMMANDS, ids=lambda vector: vector.name)
def test_commands_whole_byte_by_byte_and_in_noise(vector: golden.Order) -> None:
    frame = bytes.fromhex(vector.frame)
    assert CommandDecoder().feed(frame * 2) == [vector.command] * 2
    decoder = CommandDecoder()
    items = [item for value in NOISE + frame + NOISE for item in decoder.feed(bytes([value]))]
    assert without_seams(items) == [Garbage(NOISE, "noise"), vector.command, Garbage(NOISE, "noise")]
    assert decoder.commands == 1
    assert decoder.garbage_bytes == 2 * len(NOISE)


@pytest.mark.parametrize("vector", golden.COMMANDS, ids=lambda vector: vector.name)
def test_command_truncated_anywhere_is_displaced_by_the_next(vector: golden.Order) -> None:
    frame = bytes.fromhex(vector.frame)
    for length in range(1, COMMAND_LENGTH):
        decoder = CommandDecoder()
        assert decoder.feed(frame[:length]) == []
        assert decoder.pending == frame[:length]
        assert decoder.feed(frame) == [Garbage(frame[:length], "truncated"), vector.command]


@pytest.mark.parametrize(
    "vector",
    [vector for vector in golden.REFUSED_COMMANDS if vector.reason in ANSWERS],
    ids=lambda vector: vector.name,
)
def test_rejected_command_says_what_the_shoe_answers(vector: golden.Refused) -> None:
    frame = bytes.fromhex(vector.frame)
    decoder = CommandDecoder()
    rejected = Rejected(frame, vector.reason, ANSWERS[vector.reason])
    assert decoder.feed(frame + LOCK) == [rejected, Command.lock()]
    assert (decoder.rejected, decoder.commands) == (1, 1)


def test_golden_rejections_cover_every_answer() -> None:
    assert {vector.reason for vector in golden.REFUSED_COMMANDS} >= set(ANSWERS)


@pytest.mark.parametrize("vector", golden.COMMANDS, ids=lambda vector: vector.name)
def test_no_flipped_bit_makes_another_command(vector: golden.Order) -> None:
    frame = bytes.fromhex(vector.frame)
    for bit in range(8 * len(frame)):
        damaged = bytearray(frame)
        damaged[bit // 8] ^= 1 << bit % 8
        items = CommandDecoder().feed(bytes(damaged) + frame)
        assert [item for item in items if isinstance(item, Command)] == [vector.command]


def test_reset_gives_out_what_waited() -> None:
    decoder = CommandDecoder()
    assert decoder.reset() == []
    assert decoder.feed(LOCK[:5]) == []
    assert decoder.reset() == [Garbage(LOCK[:5], "truncated")]
    assert decoder.feed(LOCK) == [Command.lock()]
