"""Occasional events at a table besides the croupier's mistakes."""

import random
from collections.abc import Callable
from typing import Final

from cardshoe.cli.demo.equipment import Equipped
from regulations.events.inputs import AnyInput, Dispute, Void
from sim.clock import Clock
from sim.wires.pty import PtyWire

MEAN_S: Final = 200.0
"""Simulated seconds between two mishaps: some six rounds."""
OUT_S: Final = 20.0
PERSONS: Final[list[int | str]] = ["croupier", "supervisor"]


class Mishaps:
    """Mishaps of one table, on the thread of its clock."""

    def __init__(
        self,
        clock: Clock,
        rng: random.Random,
        at_work: Equipped,
        is_mid_round: Callable[[], bool],
        say: Callable[[AnyInput], object],
    ) -> None:
        self._clock: Final = clock
        self._rng: Final = rng
        self._at_work: Final = at_work
        self._is_mid_round: Final = is_mid_round
        self._say: Final = say
        self._timer = clock.call_later(self._wait_s(), self._happen)

    def stop(self) -> None:
        """Cause no more mishaps."""
        self._timer.cancel()

    def _wait_s(self) -> float:
        return self._rng.expovariate(1 / MEAN_S)

    def _happen(self) -> None:
        self._timer = self._clock.call_later(self._wait_s(), self._happen)
        if not self._is_mid_round():
            return
        wire, mishaps = self._at_work.wire, self._at_work.mishaps
        possible = ["void", "dispute"]
        if wire is not None:
            possible += ["cable", "cable"]
        possible += mishaps
        match self._rng.choice(possible):
            case "void":
                self._say(Void(ground="misdeal", reason="shown on the floor", by=PERSONS))
            case "dispute":
                self._say(Dispute(detail="a player asks what was dealt"))
            case "cable" if wire is not None:
                self._pull(wire)
            case name if name in mishaps:
                mishaps[name]()

    def _pull(self, wire: PtyWire) -> None:
        if wire.is_plugged:
            wire.unplug()
            self._clock.call_later(OUT_S, wire.replug)
