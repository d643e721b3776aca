"""Commands to a TDP device: one under way at a time, ids that grow, nothing sent twice."""

from concurrent.futures import Future
from typing import Final

import pytest

from drivers.errors import CommandOutstanding, PortLost
from drivers.tdp_commands import (
    BUSY_MAX_S,
    EPOCH_S,
    IDS_PER_SECOND,
    JUMP,
    REPLY_TIMEOUT_S,
    RETRY_S,
    WAITING_MAX,
    CommandQueue,
    NoAnswer,
    TdpResult,
)
from protocols.tdp.codes import RefusalReason
from protocols.tdp.commands import Attest, Dispense, Lock
from protocols.tdp.messages import Done, Refused

FIRST: Final = 8 * IDS_PER_SECOND + 2
"""The first id after the one that is asked with."""
GONE: Final = PortLost("shoe", "the line is gone", "Look.")


NONCE: Final = bytes(range(32))


def made(wall_s: float = EPOCH_S + 8) -> CommandQueue:
    return CommandQueue("shoe", wall_s, lambda count: NONCE[:count])


@pytest.fixture
def queue() -> CommandQueue:
    """A queue whose session has begun: the device found the first id new."""
    queue = made()
    assert queue.to_send(0.0) == Attest(FIRST - 1, NONCE)
    assert queue.on_reply(Refused(FIRST - 1, RefusalReason.NOT_SUPPORTED), 0.0)
    return queue


def ended(future: "Future[TdpResult]") -> object:
    assert future.done()
    return future.result()


def test_ids_begin_with_the_wall_clock_and_grow(queue: CommandQueue) -> None:
    for n in range(3):
        result = queue.submit(Lock)
        assert queue.to_send(0.0) == Lock(FIRST + n)
        assert queue.on_reply(Done(FIRST + n), 0.0)
        assert ended(result) == Done(FIRST + n)
    assert made(EPOCH_S - 1000).to_send(0.0) == Attest(1, NONCE), "a clock that was never set"


@pytest.mark.parametrize("reason", [RefusalReason.OLD_ID, RefusalReason.CONFLICTING_ID])
def test_a_session_begins_with_an_id_that_is_new_whatever_was_given_before(reason: RefusalReason) -> None:
    queue = made()
    result = queue.submit(Lock)
    first = queue.to_send(0.0)
    assert first == Attest(FIRST - 1, NONCE)
    assert queue.to_send(0.0) is None, "nothing else before it is answered"
    assert queue.on_reply(Refused(FIRST - 1, reason), 0.0)
    assert queue.to_send(0.0) == Attest(FIRST + JUMP, NONCE)
    assert queue.on_reply(Refused(FIRST + JUMP, reason), 0.0)
    assert queue.to_send(0.0) == Attest(FIRST + 2 * JUMP + 1, NONCE)
    assert queue.on_reply(Done(FIRST + 2 * JUMP + 1), 0.0)
    assert queue.to_send(0.0) == Lock(FIRST + 2 * JUMP + 2)
    assert not result.done()


def test_each_session_asks_anew_for_the_device_may_be_another(queue: CommandQueue) -> None:
    queue.submit(Lock)
    queue.to_send(0.0)
    queue.abandon(GONE)
    queue.submit(Lock)
    assert queue.to_send(1.0) == Attest(FIRST + 1, NONCE)
    queue.abandon(GONE)
    assert queue.to_send(2.0) == Attest(FIRST + 2, NONCE), "also if the first was not answered"


def test_what_nobody_gave_is_drawn_at_random() -> None:
    drawn = [CommandQueue("shoe", EPOCH_S + 8).to_send(0.0) for _ in range(2)]
    assert all(isinstance(one, Attest) for one in drawn)
    assert drawn[0] != drawn[1]


def test_one_is_under_way_at_a_time(queue: CommandQueue) -> None:
    first = queue.submit(Lock)
    second = queue.submit(lambda command_id: Dispense(command_id, 3))
    assert queue.to_send(0.0) == Lock(FIRST)
    assert queue.to_send(0.0) is None
    assert not queue.on_reply(Done(FIRST + 1), 0.0), "an answer to what was not sent"
    assert not first.done()
    assert queue.on_reply(Refused(FIRST, RefusalReason.BUSY), 0.0)
    assert ended(first) == Refused(FIRST, RefusalReason.BUSY)
    assert queue.to_send(0.0) == Dispense(FIRST + 1, 3)
    assert not second.done()


def test_an_answer_that_does_not_come_is_given_up(queue: CommandQueue) -> None:
    result = queue.submit(Lock)
    queue.to_send(10.0)
    queue.time_passed(10.0 + REPLY_TIMEOUT_S - 0.01)
    assert not result.done()
    queue.time_passed(10.0 + REPLY_TIMEOUT_S)
    assert ended(result) == NoAnswer("no answer within 3 s", is_lost=False)
    assert not queue.on_reply(Done(FIRST), 0.0), "it comes too late"
    queue.submit(Lock)
    assert queue.to_send(20.0) == Lock(FIRST + 1)


def test_a_lost_session_ends_all_and_says_which_may_have_been_done(queue: CommandQueue) -> None:
    under_way, waiting = queue.submit(Lock), queue.submit(Lock)
    queue.to_send(0.0)
    queue.abandon(GONE)
    assert ended(under_way) == NoAnswer("the line is gone", is_lost=True)
    assert waiting.exception() is GONE
    assert queue.to_send(1.0) == Attest(FIRST + 1, NONCE)
    assert queue.on_reply(Done(FIRST + 1), 0.0)
    assert queue.to_send(1.0) is None, "nothing is sent again by itself"


def test_too_many_waiting_are_refused(queue: CommandQueue) -> None:
    waiting = [queue.submit(Lock) for _ in range(WAITING_MAX)]
    with pytest.raises(CommandOutstanding, match="8 commands wait") as caught:
        queue.submit(Lock)
    assert "Look at the device" in caught.value.remedy
    assert not any(one.done() for one in waiting)


def test_a_command_under_way_cannot_be_cancelled(queue: CommandQueue) -> None:
    result = queue.submit(Lock)
    assert not result.cancel()


@pytest.mark.parametrize("reason", [RefusalReason.BUSY, RefusalReason.EVENTS_PENDING])
def test_a_patient_command_is_given_again_to_a_busy_device_with_another_id(
    queue: CommandQueue, reason: RefusalReason
) -> None:
    result = queue.submit(Lock, is_patient=True)
    assert queue.to_send(0.0) == Lock(FIRST)
    assert queue.on_reply(Refused(FIRST, reason), 1.0)
    assert queue.waits
    assert queue.to_send(1.0 + RETRY_S - 0.01) is None
    assert queue.to_send(1.0 + RETRY_S) == Lock(FIRST + 1)
    assert queue.on_reply(Done(FIRST + 1), 1.5)
    assert ended(result) == Done(FIRST + 1)
    assert not queue.waits


def test_a_patient_command_ends_refused_once_the_device_was_busy_for_ten_seconds(queue: CommandQueue) -> None:
    result, now_s, times = queue.submit(Lock, is_patient=True), 0.0, 0
    while not result.done():
        assert queue.to_send(now_s) == Lock(FIRST + times)
        assert queue.on_reply(Refused(FIRST + times, RefusalReason.BUSY), now_s)
        now_s, times = now_s + RETRY_S, times + 1
    assert ended(result) == Refused(FIRST + times - 1, RefusalReason.BUSY)
    assert times == pytest.approx(BUSY_MAX_S / RETRY_S + 1, abs=1)


def test_any_other_refusal_ends_a_patient_command(queue: CommandQueue) -> None:
    result = queue.submit(Lock, is_patient=True)
    queue.to_send(0.0)
    assert queue.on_reply(Refused(FIRST, RefusalReason.FAULT), 0.0)
    assert ended(result) == Refused(FIRST, RefusalReason.FAULT)


def test_another_command_takes_the_place_of_one_that_was_put_off(queue: CommandQueue) -> None:
    first = queue.submit(Lock, is_patient=True)
    queue.to_send(0.0)
    queue.on_reply(Refused(FIRST, RefusalReason.BUSY), 0.0)
    second = queue.submit(lambda command_id: Dispense(command_id, 3))
    with pytest.raises(CommandOutstanding, match="another command took its place"):
        first.result()
    assert queue.to_send(0.0) == Dispense(FIRST + 1, 3)
    assert not second.done()


def test_a_command_does_not_wait_for_a_busy_device_before_those_behind_it(queue: CommandQueue) -> None:
    first = queue.submit(Lock, is_patient=True)
    queue.submit(lambda command_id: Dispense(command_id, 3))
    queue.to_send(0.0)
    queue.on_reply(Refused(FIRST, RefusalReason.BUSY), 0.0)
    with pytest.raises(CommandOutstanding, match="another command took its place"):
        first.result()
    assert queue.to_send(0.0) == Dispense(FIRST + 1, 3)


def test_a_lost_session_ends_what_was_put_off(queue: CommandQueue) -> None:
    result = queue.submit(Lock, is_patient=True)
    queue.to_send(0.0)
    queue.on_reply(Refused(FIRST, RefusalReason.BUSY), 0.0)
    queue.abandon(GONE)
    assert result.exception() is GONE
    assert queue.to_send(1.0) == Attest(FIRST + 1, NONCE)
    queue.on_reply(Done(FIRST + 1), 1.0)
    assert queue.to_send(10.0) is None
