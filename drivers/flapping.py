"""How long a link must hold before it counts as back: flapping fills journals."""

from typing import Final

HANG_UP_S: Final = 1.0
"""A box in use accepts a connection and hangs up sooner."""
FREE_LOSSES: Final = 8
"""Losses within ``CALM_S`` of each other before a link flaps."""
CALM_S: Final = 600.0
"""Seconds without a loss after which a link flaps no more."""
LONGEST_S: Final = 300.0
"""Longest hold, seconds: 24 journal lines an hour."""


class Flapping:
    def __init__(self) -> None:
        self._losses = 0
        self._lost_s = float("-inf")
        self._was_short = False

    def lost(self, now_s: float, *, reported: bool, short: bool) -> None:
        """``reported``: it had counted as back; ``short``: it ended at once, without a byte."""
        self._was_short = short
        if not reported:
            return
        self._losses = self._losses + 1 if now_s - self._lost_s < CALM_S else 1
        self._lost_s = now_s

    @property
    def flaps(self) -> bool:
        """So often that a byte is no proof of a connection."""
        return self._losses > FREE_LOSSES

    @property
    def wait_s(self) -> float:
        """The next connection must hold so long before it is reported."""
        if self.flaps:
            return float(min(HANG_UP_S * 2.0 ** (self._losses - FREE_LOSSES), LONGEST_S))
        return HANG_UP_S if self._was_short else 0.0
