"""The end of a wait for bytes, earlier than they come."""

import os
import select
import sys
import threading
from types import FrameType

import pytest

from drivers.wakeup_pipe import WakeupPipe

WAKES = 2_000
PATIENCE_S = 20.0


def is_readable(waker: WakeupPipe, timeout_s: float = 0.0) -> bool:
    return bool(select.select([waker.descriptor], [], [], timeout_s)[0])


def test_it_is_readable_from_a_wake_until_that_is_taken() -> None:
    waker = WakeupPipe()
    assert not waker.clear()
    waker.wake()
    waker.wake()
    assert is_readable(waker)
    assert waker.clear()
    assert not is_readable(waker), "two wakes end one wait"
    assert not waker.clear()
    waker.wake()
    assert is_readable(waker)
    waker.close()


def test_after_its_end_it_does_nothing() -> None:
    waker = WakeupPipe()
    waker.wake()
    waker.close()
    waker.close()
    waker.wake()
    assert not waker.clear()


def test_no_wake_is_lost_and_none_stays_behind() -> None:
    """Each wake follows from what the other thread did with the one before; a lost one would end both."""
    waker, done = WakeupPipe(), threading.Semaphore(0)
    asked = seen = 0

    def wait_and_take() -> None:
        nonlocal seen
        while seen < WAKES:
            assert is_readable(waker, PATIENCE_S)
            waker.clear()
            while seen < asked:
                seen += 1
                done.release()

    thread = threading.Thread(target=wait_and_take)
    thread.start()
    for _ in range(WAKES):
        asked += 1
        waker.wake()
        assert done.acquire(timeout=PATIENCE_S)
    thread.join(PATIENCE_S)
    assert not thread.is_alive()
    waker.clear()  # of a wake that was seen before its byte was there
    assert not is_readable(waker)
    waker.close()


@pytest.mark.parametrize("when", [{"c_call"}, {"c_return", "c_exception"}], ids=["before", "after"])
@pytest.mark.parametrize("was_woken", [False, True])
def test_a_wake_while_one_is_taken_does_not_swallow_the_next(when: set[str], *, was_woken: bool) -> None:
    waker, wakes = WakeupPipe(), [1]
    if was_woken:
        waker.wake()

    def wake_beside_the_read(_frame: FrameType, event: str, called: object) -> None:
        if event in when and called is os.read and wakes:
            wakes.pop()
            waker.wake()

    sys.setprofile(wake_beside_the_read)
    try:
        waker.clear()
    finally:
        sys.setprofile(None)
    assert not wakes
    waker.wake()
    assert is_readable(waker)
    assert waker.clear()
    waker.close()


def test_who_is_woken_need_not_wait_for_who_woke_it() -> None:
    """Whoever wakes gives Python's lock away while it writes: the other thread runs from there on."""
    waker, is_taken = WakeupPipe(), threading.Event()

    def take() -> None:
        waker.clear()
        is_taken.set()

    def take_while_it_writes(_frame: FrameType, event: str, called: object) -> None:
        if event == "c_call" and called is os.write:
            threading.Thread(target=take).start()
            assert is_taken.wait(PATIENCE_S)

    sys.setprofile(take_while_it_writes)
    try:
        waker.wake()
    finally:
        sys.setprofile(None)
    assert is_taken.is_set()
    waker.close()
