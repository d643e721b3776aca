"""Occasional events at a table besides the croupier's mistakes: disputes, voids, and devices that fail."""

import random
from collections.abc import Callable, Mapping
from typing import Final

from cardshoe.cli.demo.equipment import Equipped
from regulations.events.inputs import AnyInput, Dispute, Void
from sim.clock import Clock
from sim.tdp.hands import TdpHands
from sim.tdp.machine import Machine
from sim.tdp.trouble import Place
from sim.wires.pty import PtyWire

MEAN_S: Final = 200.0
"""Simulated seconds between two of them, on average: some six rounds."""
OUT_S: Final = 20.0
"""Simulated seconds for which a cable is out."""
PERSONS: Final[list[int | str]] = ["croupier", "supervisor"]
_AT_A_MACHINE: Final[Mapping[str, Callable[[Machine], object]]] = {
    "unread": Machine.fail_next_read,
    "jam": lambda device: device.jam(Place.EXIT),
    "double feed": lambda device: device.double_feed_next(),
    "dust": Machine.block_sensor,
    "cover": Machine.open_cover,
}


class Mishaps:
    """Of one table, on the thread of its clock.

    Args:
        clock: the time.
        rng: which, and when.
        at_work: the croupier and the equipment.
        is_mid_round: whether a round is open.
        say: puts what persons say into the table's inbox.
    """

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
        """Nothing happens any more."""
        self._timer.cancel()

    def _wait_s(self) -> float:
        return self._rng.expovariate(1 / MEAN_S)

    def _happen(self) -> None:
        self._timer = self._clock.call_later(self._wait_s(), self._happen)
        if not self._is_mid_round():
            return
        device, wire = getattr(self._at_work.hands, "device", None), self._at_work.wire
        possible = ["void", "dispute"]
        if wire is not None:
            possible += ["cable", "cable"]
        if isinstance(self._at_work.hands, TdpHands):
            possible += _AT_A_MACHINE
        match self._rng.choice(possible):
            case "void":
                self._say(Void(ground="misdeal", reason="shown on the floor", by=PERSONS))
            case "dispute":
                self._say(Dispute(detail="a player asks what was dealt"))
            case "cable" if wire is not None:
                self._pull(wire)
            case name if isinstance(device, Machine):
                _AT_A_MACHINE[name](device)

    def _pull(self, wire: PtyWire) -> None:
        if wire.is_plugged:
            wire.unplug()
            self._clock.call_later(OUT_S, wire.replug)
