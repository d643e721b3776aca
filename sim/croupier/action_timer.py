"""When a croupier acts: one act at a time, never while the shoe sends."""

import random
from collections.abc import Callable
from functools import partial
from typing import Final

from regulations.events.vocabulary import Do
from sim.clock import Act, Clock, Timer
from sim.croupier.instructions import PATIENCE_S, SETTLE_S
from sim.croupier.pace import Pace


class ActionTimer:
    def __init__(self, clock: Clock, rng: random.Random, pace: Pace, quiet_at_s: Callable[[], float], act: Act) -> None:
        self._clock: Final = clock
        self._rng = rng
        self._pace = pace
        self._quiet_at_s = quiet_at_s
        self._act = act
        self._timer: Timer | None = None

    def plan(self, do: Do) -> None:
        """Act on the prompt ``do`` after a human delay."""
        self._at(self._clock.now_s() + self._pace.delay_s(do, self._rng), self._act)

    def settle(self) -> None:
        """Act after a short while, unless the table says something before."""
        self.wait(SETTLE_S, self._act)

    def wait(self, real_s: float, then: Act) -> None:
        self._at(max(self._clock.now_s(), self._quiet_at_s()) + real_s * self._clock.speed, then)

    def wait_for_answer(self, unheard: Act) -> None:
        self.wait(PATIENCE_S, unheard)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _at(self, at_s: float, act: Act) -> None:
        self.stop()
        self._timer = self._clock.call_at(at_s, partial(self._when_quiet, act))

    def _when_quiet(self, act: Act) -> None:
        quiet_at_s = self._quiet_at_s()
        if quiet_at_s > self._clock.now_s():
            self._at(quiet_at_s, act)
        else:
            act()
