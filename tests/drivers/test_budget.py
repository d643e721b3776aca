"""The budget of a device: two buckets, refilled by the clock of its port."""

import pytest

from drivers.budget import BYTES, BYTES_PER_S, EVENTS, EVENTS_PER_S, Budget


def new() -> Budget:
    return Budget(lambda: None)


def test_a_full_bucket_holds_what_a_device_lawfully_tells_again() -> None:
    budget = new()
    budget.count_events(EVENTS)
    assert not budget.is_exceeded(0.0)
    budget.count_events(1)
    assert budget.is_exceeded(0.0)


def test_bytes_have_a_bucket_of_their_own() -> None:
    budget = new()
    budget.received(BYTES)
    assert not budget.is_exceeded(0.0)
    budget.received(1)
    assert budget.is_exceeded(0.0)


@pytest.mark.parametrize("more", [0, 1])
def test_what_comes_back_in_a_second(more: int) -> None:
    budget = new()
    budget.count_events(EVENTS)
    budget.received(BYTES)
    assert not budget.is_exceeded(0.0)
    budget.count_events(EVENTS_PER_S + more)
    assert budget.is_exceeded(1.0) == bool(more)
    budget.fill()
    assert not budget.is_exceeded(1.0)
    budget.received(BYTES)
    assert not budget.is_exceeded(1.0)
    budget.received(BYTES_PER_S + more)
    assert budget.is_exceeded(2.0) == bool(more)


def test_a_bucket_never_holds_more_than_when_it_was_full() -> None:
    budget = new()
    assert not budget.is_exceeded(0.0)
    assert not budget.is_exceeded(3600.0)
    budget.count_events(EVENTS + 1)
    assert budget.is_exceeded(3600.0)
