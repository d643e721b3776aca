"""Times of line and adapter, which limit the verdicts on a device's own times."""

from typing import Final, NamedTuple

from conformance.check_result import CheckSkipped, RequirementFailed
from conformance.tdp.limits import ANSWER_S, SLACK_S
from conformance.tdp.opening import HALF, SessionControl
from protocols.tdp import handshake
from protocols.tdp.framing import Frame, FrameKind

_TRIES: Final = 8
_BYTES: Final = 35
_MORE: Final = 192


class LineTimes(NamedTuple):
    """Times of line, adapter and this machine.

    Attributes:
        answer_s: from ``OPEN`` to its answer, without their bytes.
        byte_s: 0 without a speed of its own (USB, TCP).
    """

    answer_s: float
    byte_s: float

    def judging(self, limit_s: float) -> float:
        """Half the limit of the page.

        Raises:
            CheckSkipped: line and machine alone take too long.
        """
        if self.answer_s >= limit_s / 2:
            reason = f"answers to OPEN take up to {self.answer_s * 1000:.0f} ms here"
            remedy = "an adapter waits 16 ms; set its latency timer to 1 ms"
            raise CheckSkipped(f"{reason}: a limit of {limit_s * 1000:.0f} ms cannot be judged ({remedy})")
        return min(SLACK_S, limit_s / 2)


def line_times(control: SessionControl) -> LineTimes:
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
    expected = f"ACCEPT for an OPEN of {len(payload)} bytes, by which the line's own time is measured"
    raise RequirementFailed(expected, "none")
