"""The motors of a machine, in steps that take time."""

from collections.abc import Callable, Generator
from typing import Final

from sim.clock import Timer
from sim.tdp.electronics import Electronics
from sim.tdp.machine_faults import MachineStopped
from sim.tdp.motors import ROOM_WAIT_S

Moves = Generator[float | None, None, None]
"""Pauses in seconds, or None: until :meth:`Motion.go_on`.

No card is between two places during a pause.
"""


class Motion:
    def __init__(
        self, electronics: Electronics, on_trouble: Callable[[MachineStopped], None], on_end: Callable[[], None]
    ) -> None:
        self._electronics: Final = electronics
        self._on_trouble: Final = on_trouble
        self._on_end: Final = on_end
        self._moves: Moves | None = None
        self._timer: Timer | None = None
        self.is_waiting = False
        self.is_background = False
        """It may be broken off."""

    @property
    def is_running(self) -> bool:
        return self._moves is not None and not self.is_waiting

    @property
    def is_busy(self) -> bool:
        return self.is_running and not self.is_background

    def start(self, moves: Moves, *, background: bool = False) -> None:
        self.stop()
        self._moves = moves
        self.is_background = background
        self._advance()

    def go_on(self) -> None:
        if self.is_waiting:
            self._advance()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._moves = None
        self.is_waiting = self.is_background = False

    def interrupt(self, trouble: MachineStopped) -> None:
        """If nothing runs, on the machine alone."""
        moves = self._moves
        if moves is None:
            self._on_trouble(trouble)
        else:
            self._step(lambda: moves.throw(trouble))

    def _advance(self) -> None:
        moves = self._moves
        if moves is None:
            return
        if self._electronics.memory.is_overrun:
            # Nothing moves of which nothing could be told.
            self.is_waiting = False
            self._timer = self._electronics.later(ROOM_WAIT_S, self._advance)
        else:
            self._step(lambda: next(moves))

    def _step(self, move: Callable[[], float | None]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self.is_waiting = False
        try:
            pause_s = move()
        except StopIteration:
            self.stop()
            self._on_end()
        except MachineStopped as trouble:
            self.stop()
            self._on_trouble(trouble)
        else:
            self.is_waiting = pause_s is None
            self._timer = None if pause_s is None else self._electronics.later(pause_s, self._advance)
