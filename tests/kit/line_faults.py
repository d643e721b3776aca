"""Line faults, as small filters that compose: bytes in, other bytes out, at random from a seed."""

import random
from collections.abc import Callable, Sequence
from typing import Final

from sim.clock import Clock
from sim.wires.wire import Sink, Wire
from sim.wires.wrapped import WrappedWire

Maker = Callable[[Sink], Sink]
_BITS: Final = 8
_BYTE: Final = 256


def through(sink: Sink, *makers: Maker) -> Sink:
    """Chain faults before ``sink``; the first maker's fault is the first that the bytes meet."""
    for maker in reversed(makers):
        sink = maker(sink)
    return sink


class OneByteAtATime:
    """Hands on every byte by itself: as far from whole frames as a line can be."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def __call__(self, data: bytes) -> None:
        for value in data:
            self._sink(bytes([value]))


class Lossy:
    """Loses each byte with a probability of ``p``, 0 to 1."""

    def __init__(self, sink: Sink, rng: random.Random, p: float) -> None:
        self._sink = sink
        self._rng = rng
        self._p = _probability(p)
        self.lost = 0

    def __call__(self, data: bytes) -> None:
        kept = bytes(value for value in data if self._rng.random() >= self._p)
        self.lost += len(data) - len(kept)
        if kept:
            self._sink(kept)


class Corrupting:
    """Changes each byte with a probability of ``p``, 0 to 1: one flipped bit, or as often another byte altogether."""

    def __init__(self, sink: Sink, rng: random.Random, p: float) -> None:
        self._sink = sink
        self._rng = rng
        self._p = _probability(p)
        self.changed = 0

    def __call__(self, data: bytes) -> None:
        self._sink(bytes(self._pass(value) for value in data))

    def _pass(self, value: int) -> int:
        if self._rng.random() >= self._p:
            return value
        self.changed += 1
        if self._rng.random() < 1 / 2:
            return value ^ 1 << self._rng.randrange(_BITS)
        return (value + self._rng.randrange(1, _BYTE)) % _BYTE


class Duplicating:
    """Sends each byte twice with a probability of ``p``, 0 to 1."""

    def __init__(self, sink: Sink, rng: random.Random, p: float) -> None:
        self._sink = sink
        self._rng = rng
        self._p = _probability(p)
        self.doubled = 0

    def __call__(self, data: bytes) -> None:
        out = bytearray()
        for value in data:
            out.append(value)
            if self._rng.random() < self._p:
                out.append(value)
                self.doubled += 1
        self._sink(bytes(out))


class Delayed:
    """Hands on what it gets ``delay_s`` seconds later, plus up to ``jitter_s``; never out of order."""

    def __init__(
        self, sink: Sink, clock: Clock, delay_s: float, rng: random.Random | None = None, jitter_s: float = 0.0
    ) -> None:
        if jitter_s and rng is None:
            raise ValueError("jitter needs a random.Random with a seed")
        self._sink = sink
        self._clock = clock
        self._delay_s = delay_s
        self._rng = rng
        self._jitter_s = jitter_s
        self._last_s = 0.0

    def __call__(self, data: bytes) -> None:
        extra_s = self._rng.uniform(0, self._jitter_s) if self._rng is not None else 0.0
        self._last_s = max(self._last_s, self._clock.now_s() + self._delay_s + extra_s)
        self._clock.call_at(self._last_s, lambda: self._sink(data))


class UnplugAfter:
    """Calls ``unplug`` once, when ``count`` bytes, 0 or more, have passed; hands on the rest as well, to be lost."""

    def __init__(self, sink: Sink, count: int, unplug: Callable[[], object]) -> None:
        self._sink = sink
        self._left = count
        self._unplug = unplug
        self.done = False

    def __call__(self, data: bytes) -> None:
        if self.done:
            self._sink(data)
            return
        before, after = data[: self._left], data[self._left :]
        self._left -= len(before)
        if before:
            self._sink(before)
        if after or self._left == 0:
            self.done = True
            self._unplug()
        if after:
            self._sink(after)


class Faulty(WrappedWire):
    """A wire with faults on it. What faults lost is not among its ``lost_bytes``."""

    def __init__(self, wire: Wire, to_host: Sequence[Maker] = (), to_device: Sequence[Maker] = ()) -> None:
        super().__init__(wire)
        self._to_device = to_device
        self._send = through(wire.send, *to_host)

    def listen(self, sink: Sink) -> None:
        super().listen(through(sink, *self._to_device))

    def send(self, data: bytes) -> None:
        self._send(data)


def _probability(p: float) -> float:
    if not 0 <= p <= 1:
        raise ValueError(f"{p} is no probability: 0 to 1")
    return p
