"""Times of line and adapter, which limit the verdicts on a device's own times."""

from typing import Final, NamedTuple

from conformance.check_result import CheckSkipped
from conformance.tdp.limits import ANSWER_S, SLACK_S
from conformance.tdp.opening import HALF, SessionControl
from protocols.tdp import handshake
from protocols.tdp.framing import Frame, FrameKind

_TRIES: Final = 8
_BYTES: Final = 35
"""``OPEN`` and ``ACCEPT`` on the line."""
_MORE: Final = 192
"""Bytes behind those that a reader of ``OPEN`` knows: it ignores them."""


class LineTimes(NamedTuple):
    """The times of line, adapter and this machine.

    Attributes:
        answer_s: the longest time from ``OPEN`` to its answer, without the time of their bytes.
        byte_s: of a byte on the line; 0 where a line has no speed of its own, as USB and TCP.
    """

    answer_s: float
    byte_s: float

    def judging(self, limit_s: float) -> float:
        """Return how much later than a limit of the page an answer may be seen: half the limit.

        Raises:
            CheckSkipped: line, adapter and machine alone take so long that no verdict is possible.
        """
        if self.answer_s >= limit_s / 2:
            reason = f"answers to OPEN take up to {self.answer_s * 1000:.0f} ms here"
            remedy = "an adapter waits 16 ms; set its latency timer to 1 ms"
            raise CheckSkipped(f"{reason}: a limit of {limit_s * 1000:.0f} ms cannot be judged ({remedy})")
        return min(SLACK_S, limit_s / 2)


def line_times(control: SessionControl) -> LineTimes:
    """Measure a line, without a session.

    Raises:
        CheckSkipped: an answer did not come.
    """
    short = [_answered_s(control, b"") for _ in range(_TRIES)]
    long = [_answered_s(control, bytes(_MORE)) for _ in range(_TRIES)]
    byte_s = max(0.0, (min(long) - min(short)) / _MORE)
    return LineTimes(max(0.0, max(short) - _BYTES * byte_s), byte_s)


def _answered_s(control: SessionControl, more: bytes) -> float:
    host = control.new_host()
    payload = handshake.encode_offer(control.terms()) + more
    begun_s = control.bench.now_s()
    control.line.send(Frame(FrameKind.OPEN, host * HALF, payload=payload))
    until_s = begun_s + ANSWER_S
    while (heard := control.line.next(until_s)) is not None:
        if heard.frame.kind is FrameKind.ACCEPT and heard.frame.session // HALF == host:
            return heard.at_s - begun_s
    raise CheckSkipped(f"no answer to an OPEN of {len(payload)} bytes, by which the line's own time is measured")
