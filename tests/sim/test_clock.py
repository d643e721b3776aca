"""Virtual and real time."""

import pytest

from sim.clock import ClockOverrun, RealClock, VirtualClock


def test_things_are_done_in_their_order_at_their_time() -> None:
    clock = VirtualClock()
    done: list[tuple[str, float]] = []
    clock.call_later(2.0, lambda: done.append(("late", clock.now_s())))
    clock.call_later(1.0, lambda: done.append(("first", clock.now_s())))
    clock.call_later(1.0, lambda: done.append(("second", clock.now_s())))
    clock.advance(1.0)
    assert done == [("first", 1.0), ("second", 1.0)]
    clock.advance(5.0)
    assert done[2:] == [("late", 2.0)]
    assert clock.now_s() == 6.0


def test_what_is_due_in_the_past_is_done_next_and_time_never_runs_back() -> None:
    clock = VirtualClock()
    clock.advance(3.0)
    done: list[float] = []
    clock.call_at(1.0, lambda: done.append(clock.now_s()))
    clock.call_later(-1.0, lambda: done.append(clock.now_s()))
    clock.advance(0.0)
    assert done == [3.0, 3.0]


def test_a_cancelled_timer_does_nothing_and_may_be_cancelled_again() -> None:
    clock = VirtualClock()
    done: list[int] = []
    timer = clock.call_later(1.0, lambda: done.append(1))
    timer.cancel()
    timer.cancel()
    clock.run_until_idle()
    assert done == []
    assert clock.now_s() == 0.0


def test_run_until_says_whether_the_condition_came_true() -> None:
    clock = VirtualClock()
    done: list[int] = []
    clock.call_later(1.0, lambda: done.append(1))
    clock.call_later(2.0, lambda: done.append(2))
    assert clock.run_until(lambda: bool(done))
    assert clock.now_s() == 1.0
    assert not clock.run_until(lambda: len(done) == 3)


def test_an_endless_simulation_is_an_error_not_a_hang() -> None:
    clock = VirtualClock()

    def again() -> None:
        clock.call_later(1.0, again)

    again()
    with pytest.raises(ClockOverrun) as caught:
        clock.run_until_idle(limit_s=100.0)
    assert caught.value.limit_s == 100.0


class Stopwatch:
    """Real seconds, moved by hand."""

    def __init__(self) -> None:
        self.at_s = 1000.0

    def __call__(self) -> float:
        return self.at_s


def test_a_faster_clock_makes_gaps_shorter_in_real_time() -> None:
    stopwatch = Stopwatch()
    clock = RealClock(speed=10.0, monotonic_s=stopwatch)
    done: list[float] = []
    clock.call_later(0.05, lambda: done.append(clock.now_s()))
    assert clock.wait_s() == pytest.approx(0.005)
    stopwatch.at_s += 0.004
    clock.run_due()
    assert done == []
    stopwatch.at_s += 0.002
    assert clock.wait_s() == 0.0
    clock.run_due()
    assert done == [pytest.approx(0.06)]
    assert clock.wait_s() is None


def test_real_time_lets_others_have_a_turn() -> None:
    stopwatch = Stopwatch()
    clock = RealClock(monotonic_s=stopwatch)
    count: list[int] = []

    def again() -> None:
        count.append(1)
        stopwatch.at_s += 0.1
        clock.call_later(0.0, again)

    clock.call_at(0.0, again)
    clock.run_due()
    assert count == [1]


@pytest.mark.parametrize("speed", [0.0, -1.0])
def test_time_that_stands_still_is_refused(speed: float) -> None:
    with pytest.raises(ValueError, match="more than 0"):
        RealClock(speed=speed)
