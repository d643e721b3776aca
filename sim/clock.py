"""Agendas on virtual time, or on faster real time; not thread-safe."""

import heapq
import itertools
import time
from collections.abc import Callable
from typing import Final, Protocol

import msgspec

Act = Callable[[], object]

DEFAULT_LIMIT_S: Final = 7 * 24 * 3600.0
"""Virtual; nothing simulated lasts a week."""


class ClockOverrun(RuntimeError):
    def __init__(self, limit_s: float) -> None:
        super().__init__(
            f"still busy after {limit_s:g} s of virtual time: two simulated parts answer each other without end, "
            "or the limit is too small for what was asked"
        )
        self.limit_s = limit_s


class Timer(msgspec.Struct, eq=False):
    at_s: float
    act: Act | None

    def cancel(self) -> None:
        self.act = None

    def run(self) -> None:
        act, self.act = self.act, None
        if act is not None:
            act()


class Clock(Protocol):
    """Seconds are simulated seconds."""

    @property
    def speed(self) -> float:
        """Simulated seconds per real second; 1 in virtual time."""

    def now_s(self) -> float:
        """Simulated seconds since the clock was made."""

    def call_at(self, at_s: float, act: Act) -> Timer:
        """At once if ``at_s`` is past; equal times in call order."""

    def call_later(self, delay_s: float, act: Act) -> Timer:
        """Do ``act`` in ``delay_s`` seconds, 0 or more."""


class _Agenda:
    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Timer]] = []
        self._order = itertools.count()

    def add(self, at_s: float, act: Act) -> Timer:
        timer = Timer(at_s, act)
        heapq.heappush(self._heap, (at_s, next(self._order), timer))
        return timer

    def next_at_s(self) -> float | None:
        heap = self._heap
        while heap and heap[0][2].act is None:
            heapq.heappop(heap)
        return heap[0][0] if heap else None

    def pop_due(self, until_s: float) -> Timer | None:
        heap = self._heap
        while heap and heap[0][0] <= until_s:
            timer = heapq.heappop(heap)[2]
            if timer.act is not None:
                return timer
        return None


class VirtualClock:
    """Time moves only on command; the same calls give the same order."""

    speed: Final = 1.0

    def __init__(self) -> None:
        self._agenda = _Agenda()
        self._now_s = 0.0

    def now_s(self) -> float:
        return self._now_s

    def call_at(self, at_s: float, act: Act) -> Timer:
        return self._agenda.add(max(at_s, self._now_s), act)

    def call_later(self, delay_s: float, act: Act) -> Timer:
        return self._agenda.add(self._now_s + max(delay_s, 0.0), act)

    def advance(self, duration_s: float) -> None:
        """Let ``duration_s`` seconds, 0 or more, pass, and do what falls into them."""
        until_s = self._now_s + duration_s
        while (timer := self._agenda.pop_due(until_s)) is not None:
            self._now_s = timer.at_s
            timer.run()
        self._now_s = until_s

    def run_until(self, condition: Callable[[], bool], limit_s: float = DEFAULT_LIMIT_S) -> bool:
        """Or until nothing is left to do; return whether it holds."""
        until_s = self._now_s + limit_s
        while not condition():
            timer = self._agenda.pop_due(until_s)
            if timer is None:
                if self._agenda.next_at_s() is None:
                    return False
                raise ClockOverrun(limit_s)
            self._now_s = timer.at_s
            timer.run()
        return True

    def run_until_idle(self, limit_s: float = DEFAULT_LIMIT_S) -> None:
        self.run_until(lambda: False, limit_s)


class RealClock:
    """``speed`` times as fast; call ``run_due`` regularly."""

    def __init__(self, speed: float = 1.0, monotonic_s: Callable[[], float] = time.monotonic) -> None:
        if speed <= 0:
            raise ValueError(f"speed is {speed}; it must be more than 0, such as 10 for ten times as fast")
        self.speed: Final = speed
        self._monotonic_s = monotonic_s
        self._start_s = monotonic_s()
        self._agenda = _Agenda()

    def now_s(self) -> float:
        return (self._monotonic_s() - self._start_s) * self.speed

    def call_at(self, at_s: float, act: Act) -> Timer:
        return self._agenda.add(at_s, act)

    def call_later(self, delay_s: float, act: Act) -> Timer:
        return self._agenda.add(self.now_s() + max(delay_s, 0.0), act)

    def wait_s(self) -> float | None:
        """Real seconds, 0 if something is due; ``None``: nothing is planned."""
        at_s = self._agenda.next_at_s()
        return None if at_s is None else max((at_s - self.now_s()) / self.speed, 0.0)

    def run_due(self) -> None:
        """Later acts wait for the next call, so that others get a turn."""
        now_s = self.now_s()
        while (timer := self._agenda.pop_due(now_s)) is not None:
            timer.run()
