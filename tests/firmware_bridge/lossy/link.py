"""The bad line: it loses, changes and doubles bytes, whole frames too, loses runs of telegrams, and is pulled out."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from sim.clock import Clock
from sim.wires.direct import DirectWire
from sim.wires.wire import Sink
from tests.kit.line_faults import Corrupting, Duplicating, Faulty, Lossy, OneByteAtATime

COPIES: Final = 3
LONGEST_RUN: Final = 20
"""Telegrams lost in a row, at most: more than twice round the numbers of Seq."""
LONGEST_OUTAGE_S: Final = 3.0


@dataclass(frozen=True, slots=True)
class Rates:
    """Faults per byte, per frame, or per telegram."""

    byte_lost: float = 1e-3
    byte_changed: float = 1e-3
    byte_doubled: float = 1e-3
    frame_doubled: float = 1e-3
    run_lost: float = 1 / 1000
    detached: float = 1 / 1000


class BadLink:
    """From the shoe to the host.

    Args:
        to_host: gets bytes, one at a time.
    """

    def __init__(
        self,
        clock: Clock,
        rng: random.Random,
        rates: Rates,
        *,
        to_host: Sink,
        witness: Sink,
        plugged: Callable[[bool], None],
    ) -> None:
        self._clock = clock
        self._rng = rng
        self._rates = rates
        self._witness = witness
        self._plugged = plugged
        self._wire = DirectWire(to_host)
        self._line = Faulty(
            self._wire,
            to_host=[
                lambda sink: Lossy(sink, rng, rates.byte_lost),
                lambda sink: Corrupting(sink, rng, rates.byte_changed),
                lambda sink: Duplicating(sink, rng, rates.byte_doubled),
                OneByteAtATime,
            ],
        )
        self._run_left = 0
        self.frames = 0
        self.detaches = 0
        self.runs = 0

    @property
    def is_plugged(self) -> bool:
        """True if the plug is in."""
        return self._wire.is_plugged

    def send(self, frame: bytes) -> None:
        """Takes one copy of a telegram from the shoe."""
        if self.frames % COPIES == 0:
            self._witness(frame)
            self._run_left = max(self._run_left - 1, 0)
            if not self._run_left and self._rng.random() < self._rates.run_lost:
                self._run_left = self._rng.randint(1, LONGEST_RUN)
                self.runs += 1
        self.frames += 1
        if self._run_left:
            return
        if self.is_plugged and self._rng.random() < self._rates.detached:
            self._detach(frame)
            return
        self._line.send(frame)
        if self._rng.random() < self._rates.frame_doubled:
            self._line.send(frame)

    def _detach(self, frame: bytes) -> None:
        self.detaches += 1
        self._line.send(frame[: self._rng.randrange(len(frame))])
        self._line.unplug()
        self._plugged(False)  # noqa: FBT003  the callback's own signature
        self._clock.call_later(self._rng.uniform(0, LONGEST_OUTAGE_S), self._attach)

    def _attach(self) -> None:
        self._line.replug()
        self._plugged(True)  # noqa: FBT003  the callback's own signature
