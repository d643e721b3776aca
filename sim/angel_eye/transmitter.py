"""Telegrams onto the line: numbered 1 to 9, each sent three times."""

from collections.abc import Callable
from functools import partial
from typing import Final

from protocols.angel_eye.codec import encode_telegram
from protocols.angel_eye.messages import ShoeMessage
from sim.angel_eye.settings import COPIES, COPY_GAP_S
from sim.clock import Clock, Timer

Sink = Callable[[bytes], None]
_LAST_SEQ: Final = 9


class Transmitter:
    """Never sends within ``send``: the card is in the hand before the host receives it."""

    def __init__(self, clock: Clock, sink: Sink) -> None:
        self._clock = clock
        self._sink = sink
        self._seq = 0
        self.is_powered = False
        self.quiet_at_s = 0.0
        self._timers: list[Timer] = []
        self.to_drop = 0
        """Telegrams that use up their number and never reach the line."""
        self.sent = 0
        self.dropped = 0

    def send(self, message: Callable[[int], ShoeMessage]) -> None:
        if not self.is_powered:
            return
        self._seq = self._seq % _LAST_SEQ + 1
        frame = encode_telegram(message(self._seq))
        start_s = max(self._clock.now_s(), self.quiet_at_s)
        # A lost telegram takes its time like any other: it is lost on the way, not left unsaid.
        self.quiet_at_s = start_s + COPIES * COPY_GAP_S
        if self.to_drop:
            self.to_drop -= 1
            self.dropped += 1
            return
        self.sent += 1
        self._timers = [timer for timer in self._timers if timer.act is not None]
        send = partial(self._sink, frame)
        self._timers += [self._clock.call_at(start_s + copy * COPY_GAP_S, send) for copy in range(COPIES)]

    def reset(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers = []
        self._seq = 0
        self.quiet_at_s = self._clock.now_s()
