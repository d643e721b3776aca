"""Commands to a TDP device: one under way at a time, ids that grow, nothing sent twice."""

from concurrent.futures import Future
from typing import Final

import pytest

from drivers.errors import CommandOutstanding, PortLost
from drivers.tdp_commands import (
    EPOCH_S,
    IDS_PER_SECOND,
    JUMP,
    REPLY_TIMEOUT_S,
    WAITING_MAX,
    CommandQueue,
    NoAnswer,
    TdpResult,
)
from protocols.tdp.codes import RefusalReason
from protocols.tdp.commands import Dispense, Lock
from protocols.tdp.messages import Done, Refused

FIRST: Final = 8 * IDS_PER_SECOND + 1
GONE: Final = PortLost("shoe", "the line is gone", "Look.")


@pytest.fixture
def queue() -> CommandQueue:
    return CommandQueue("shoe", EPOCH_S + 8)


def ended(future: "Future[TdpResult]") -> object:
    assert future.done()
    return future.result()


def test_ids_begin_with_the_wall_clock_and_grow(queue: CommandQueue) -> None:
    for n in range(3):
        result = queue.submit(Lock)
        assert queue.to_send(0.0) == Lock(FIRST + n)
        assert queue.answered(Done(FIRST + n))
        assert ended(result) == Done(FIRST + n)
    before = CommandQueue("shoe", EPOCH_S - 1000)
    before.submit(Lock)
    assert before.to_send(0.0) == Lock(1), "a clock that was never set"


def test_one_is_under_way_at_a_time(queue: CommandQueue) -> None:
    first = queue.submit(Lock)
    second = queue.submit(lambda command_id: Dispense(command_id, 3))
    assert queue.to_send(0.0) == Lock(FIRST)
    assert queue.to_send(0.0) is None
    assert not queue.answered(Done(FIRST + 1)), "an answer to what was not sent"
    assert not first.done()
    assert queue.answered(Refused(FIRST, RefusalReason.BUSY))
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
    assert not queue.answered(Done(FIRST)), "it comes too late"
    queue.submit(Lock)
    assert queue.to_send(20.0) == Lock(FIRST + 1)


def test_an_id_that_is_too_old_was_not_done_and_is_tried_once_far_above(queue: CommandQueue) -> None:
    result = queue.submit(Lock)
    later = queue.submit(Lock)
    queue.to_send(0.0)
    assert queue.answered(Refused(FIRST, RefusalReason.OLD_ID))
    assert not result.done()
    again = FIRST + JUMP + 1
    assert queue.to_send(0.0) == Lock(again), "before those that wait"
    assert queue.answered(Refused(again, RefusalReason.OLD_ID))
    assert ended(result) == Refused(again, RefusalReason.OLD_ID)
    assert queue.to_send(0.0) == Lock(again + 1)
    assert queue.answered(Done(again + 1))
    assert ended(later) == Done(again + 1)


def test_a_lost_session_ends_all_and_says_which_may_have_been_done(queue: CommandQueue) -> None:
    under_way, waiting = queue.submit(Lock), queue.submit(Lock)
    queue.to_send(0.0)
    queue.abandon(GONE)
    assert ended(under_way) == NoAnswer("the line is gone", is_lost=True)
    assert waiting.exception() is GONE
    assert queue.to_send(1.0) is None, "nothing is sent again by itself"
    queue.submit(Lock)
    assert queue.to_send(1.0) == Lock(FIRST + 1)


def test_too_many_waiting_are_refused(queue: CommandQueue) -> None:
    waiting = [queue.submit(Lock) for _ in range(WAITING_MAX)]
    with pytest.raises(CommandOutstanding, match="8 commands wait") as caught:
        queue.submit(Lock)
    assert "Look at the device" in caught.value.remedy
    assert not any(one.done() for one in waiting)


def test_a_command_under_way_cannot_be_cancelled(queue: CommandQueue) -> None:
    result = queue.submit(Lock)
    assert not result.cancel()
