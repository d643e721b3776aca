"""Every time of the link, and how long it waits for an acknowledgement (``docs/protocols/tdp.md``, section 6)."""

from typing import Final

OPEN_RETRY_S: Final = 0.25
"""Between two ``OPEN``: short against the 2 s within which a device must be ready again; eight chances in them."""

ALIVE_AFTER_S: Final = 0.4
"""An end that has sent nothing for so long says that it is there: three times within ``SILENCE_S``."""

BACK_AFTER_S: Final = 2 * ALIVE_AFTER_S
"""An end heard again after so long was away: two keep-alives failed. Do not wait for a doubled timeout to pass."""

SILENCE_S: Final = 1.5
"""An end that hears nothing for so long takes the session for lost: three keep-alives in a row have failed."""

CANDIDATE_S: Final = 1.5
"""A device keeps an ``OPEN`` that it accepted for so long without a frame that confirms it. As ``SILENCE_S``."""

TIMEOUT_INITIAL_S: Final = 0.5
"""Before anything was measured: the longest frame and its answer at 9600 baud take 0.28 s."""

TIMEOUT_MIN_S: Final = 0.03
"""Below this an acknowledgement held up by a USB converter's latency timer (16 ms) would count as lost."""

TIMEOUT_MAX_S: Final = 2.0
"""Four of the longest frames take 1.0 s at 9600 baud, the slowest line, and the other direction may be as full."""

GRANULARITY_S: Final = 0.01
"""What the deviation counts for at least: schedulers and USB frames add some milliseconds at random."""

TRIES_MAX: Final = 12
"""Transmissions of one frame before the session is given up. If one exchange in four fails, 1 in 10⁷ comes to that."""

WINDOW_MAX: Final = 4
"""Frames under way without acknowledgement: fills a line of 115200 baud behind a converter that adds 50 ms, while a
small device needs less than 1 KiB to hold what arrived out of order."""

DUPLICATES: Final = 2
"""So many reports of a gap mean that a frame was lost, and not only overtaken: send it again without waiting."""

_SMOOTHING: Final = 1 / 8
_DEVIATION_SMOOTHING: Final = 1 / 4
_DEVIATIONS: Final = 4


class RoundTrip:
    """The timeout, adapted to the line as RFC 6298 does it: smoothed round trip, its deviation, doubling, bounds.

    Attributes:
        timeout_s: how long to wait now, ``TIMEOUT_MIN_S`` to ``TIMEOUT_MAX_S``.
        smoothed_s: the smoothed round trip, or None before the first measurement.
    """

    def __init__(self) -> None:
        """Start with nothing measured."""
        self.smoothed_s: float | None = None
        self._deviation_s = 0.0
        self.timeout_s = TIMEOUT_INITIAL_S

    def measured(self, round_trip_s: float) -> None:
        """Take the round trip of a frame that was sent once. One sent twice tells nothing: which was answered?

        Args:
            round_trip_s: seconds, 0 or more; less (a clock set back) counts as 0.
        """
        sample_s = max(0.0, round_trip_s)
        if self.smoothed_s is None:
            self.smoothed_s = sample_s
            self._deviation_s = sample_s / 2
        else:
            self._deviation_s += _DEVIATION_SMOOTHING * (abs(self.smoothed_s - sample_s) - self._deviation_s)
            self.smoothed_s += _SMOOTHING * (sample_s - self.smoothed_s)
        wanted_s = self.smoothed_s + max(GRANULARITY_S, _DEVIATIONS * self._deviation_s)
        self.timeout_s = min(max(wanted_s, TIMEOUT_MIN_S), TIMEOUT_MAX_S)

    def expired(self) -> None:
        """Wait twice as long, until a measurement says otherwise: the line may be slower than it was.

        That an acknowledgement came does not end it. Short frames measured on a slow line would else let every long
        one be sent twice, and what is sent twice is never measured.
        """
        self.timeout_s = min(2 * self.timeout_s, TIMEOUT_MAX_S)
