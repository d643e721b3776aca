"""The power of a device; it can be cut at any chosen step."""

from collections.abc import Callable
from typing import Final

from sim.clock import Act, Clock, Timer


class PowerFailed(Exception):  # it is no error: it unwinds what the device was doing when the power went
    """Power failed in the middle of an action."""


class PowerSupply:
    """``step`` is called before and after each atomic step; power may fail there."""

    def __init__(self, clock: Clock, on_cut: Callable[[], None]) -> None:
        self._clock: Final = clock
        self._on_cut: Final = on_cut
        self._life = 0
        self.to_cut: int | None = None
        """Steps until the power goes; None: it stays."""
        self.on = False
        self.steps = 0

    def switch(self, *, on: bool) -> None:
        """Drop the actions that were planned."""
        self.on = on
        self._life += 1
        if not on:
            self.to_cut = None

    def cut_after(self, steps: int) -> None:
        self.to_cut = steps

    def step(self) -> None:
        """Between two things that are each done whole."""
        self.steps += 1
        if self.to_cut is None:
            return
        if self.to_cut:
            self.to_cut -= 1
            return
        self._on_cut()
        raise PowerFailed

    def run(self, act: Act) -> None:
        if self.on:
            try:
                act()
            except PowerFailed:
                return

    def later(self, delay_s: float, act: Act) -> Timer:
        """Do ``act`` in ``delay_s`` seconds, unless the power goes before."""
        life = self._life

        def due() -> None:
            if life == self._life:
                self.run(act)

        return self._clock.call_later(delay_s, due)
