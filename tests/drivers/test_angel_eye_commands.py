"""Commands and answers without numbers: retries, refusals, and answers that come too late."""

import pytest

from drivers.angel_eye_commands import (
    ATTEMPTS,
    BUSY_MAX_S,
    REPLY_TIMEOUT_S,
    RETRY_S,
    CommandExchange,
    Finished,
    Later,
    NoReply,
    Resend,
)
from drivers.errors import CommandOutstanding
from protocols.angel_eye.messages import Ack, Nak, NakCode

LOCK = bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42")
DAMAGED = [NakCode.LINE, NakCode.BCC, NakCode.NO_ETX]
BUSY = [NakCode.BUSY, NakCode.WRITING]
FINAL = [code for code in NakCode if code not in (*DAMAGED, *BUSY)]


@pytest.fixture
def exchange() -> CommandExchange:
    exchange = CommandExchange("shoe")
    exchange.begin(LOCK, 0.0)
    return exchange


def test_an_acknowledgement_ends_it(exchange: CommandExchange) -> None:
    waiting = [exchange.outstanding]
    assert exchange.on_reply(Ack(), 0.1) == Finished(Ack())
    waiting.append(exchange.outstanding)
    assert waiting == [True, False]
    exchange.begin(LOCK, 0.1)  # and the next may follow at once


@pytest.mark.parametrize("code", FINAL)
def test_a_refusal_ends_it(exchange: CommandExchange, code: NakCode) -> None:
    assert exchange.on_reply(Nak(code), 0.1) == Finished(Nak(code))


@pytest.mark.parametrize("code", BUSY)
def test_a_busy_shoe_is_asked_again_for_ten_seconds(exchange: CommandExchange, code: NakCode) -> None:
    now_s = 0.1
    while now_s < 0.1 + BUSY_MAX_S:
        assert exchange.on_reply(Nak(code), now_s) == Later()
        assert exchange.is_put_off
        assert exchange.on_reply(Ack(), now_s) is None, "nothing is on its way"
        assert exchange.time_passed(now_s + RETRY_S * 0.99) is None
        now_s += RETRY_S * 1.01
        assert exchange.time_passed(now_s) == Resend(LOCK)
    assert exchange.on_reply(Nak(code), now_s) == Finished(Nak(code))
    exchange.begin(LOCK, now_s)


def test_a_shoe_that_falls_silent_after_it_was_busy_is_asked_three_times(exchange: CommandExchange) -> None:
    exchange.on_reply(Nak(NakCode.BUSY), 0.1)
    now_s = 0.1 + RETRY_S
    for _ in range(ATTEMPTS):
        assert exchange.time_passed(now_s) == Resend(LOCK)
        now_s += REPLY_TIMEOUT_S
    assert exchange.time_passed(now_s) == Finished(NoReply(ATTEMPTS))


def test_another_command_may_take_the_place_of_one_that_was_put_off(exchange: CommandExchange) -> None:
    exchange.on_reply(Nak(NakCode.BUSY), 0.1)
    exchange.begin(b"other", 0.15)
    assert exchange.time_passed(0.15 + REPLY_TIMEOUT_S) == Resend(b"other")


@pytest.mark.parametrize("code", DAMAGED)
def test_damage_on_the_way_is_tried_again(exchange: CommandExchange, code: NakCode) -> None:
    for attempt in range(1, ATTEMPTS):
        assert exchange.on_reply(Nak(code), 0.1 * attempt) == Resend(LOCK)
    assert exchange.on_reply(Nak(code), 0.1 * ATTEMPTS) == Finished(Nak(code))


def test_silence_is_tried_again_and_then_told(exchange: CommandExchange) -> None:
    now_s = 0.0
    for _ in range(ATTEMPTS - 1):
        assert exchange.time_passed(now_s + REPLY_TIMEOUT_S * 0.99) is None
        now_s += REPLY_TIMEOUT_S
        assert exchange.time_passed(now_s) == Resend(LOCK)
    assert exchange.time_passed(now_s + REPLY_TIMEOUT_S) == Finished(NoReply(ATTEMPTS))


def test_a_new_attempt_has_the_full_time(exchange: CommandExchange) -> None:
    assert exchange.on_reply(Nak(NakCode.BCC), 0.4) == Resend(LOCK)
    assert exchange.time_passed(0.4 + REPLY_TIMEOUT_S * 0.99) is None
    assert exchange.time_passed(0.4 + REPLY_TIMEOUT_S) == Resend(LOCK)


def test_only_one_at_a_time(exchange: CommandExchange) -> None:
    with pytest.raises(CommandOutstanding) as caught:
        exchange.begin(LOCK, 0.1)
    assert caught.value.port == "shoe"


def test_an_answer_to_nothing_is_none() -> None:
    exchange = CommandExchange("shoe")
    assert exchange.on_reply(Ack(), 0.0) is None
    assert exchange.time_passed(100.0) is None


def test_a_late_answer_is_not_taken_for_the_next_commands(exchange: CommandExchange) -> None:
    """The first attempt is answered late: its answer ends the exchange, the second's would end the next one."""
    assert exchange.time_passed(REPLY_TIMEOUT_S) == Resend(LOCK)
    assert exchange.on_reply(Ack(), 0.6) == Finished(Ack())
    with pytest.raises(CommandOutstanding):
        exchange.begin(LOCK, 0.6)
    assert exchange.on_reply(Ack(), 0.7) is None  # the second attempt's
    exchange.begin(LOCK, 0.6 + REPLY_TIMEOUT_S)


def test_a_lost_line_takes_the_late_answer_along(exchange: CommandExchange) -> None:
    assert exchange.time_passed(REPLY_TIMEOUT_S) == Resend(LOCK)
    exchange.abandon()
    assert not exchange.outstanding
    exchange.begin(LOCK, 0.6)
