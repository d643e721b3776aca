"""When the journal is signed: after rounds and interruptions, else soon."""

from collections.abc import Callable
from typing import Final

from cardshoe.table.log.log_builder import LoggedInput
from regulations.events.inputs import (
    Closed,
    DeviceBack,
    DeviceLost,
    Fault,
    FaultCleared,
    Resolve,
    RoundClosed,
    ShoeEnded,
    Void,
)
from regulations.events.outputs import Irregularity, ShoeOver

SIGN_S: Final = 60.0

MOMENTS: Final = (RoundClosed, ShoeEnded, Closed, Void, Resolve, Fault, FaultCleared, DeviceLost, DeviceBack)


def is_momentous(taken: LoggedInput) -> bool:
    """True if an input must be signed at once.

    End of a round or shoe, void or resolution, interlock change, irregularity.
    """
    return isinstance(taken.event, MOMENTS) or taken.tells(Irregularity, ShoeOver)


class SigningTimes:
    def __init__(self, monotonic: Callable[[], float], after_s: float = SIGN_S) -> None:
        self._monotonic = monotonic
        self._after_s = after_s
        self._since_s: float | None = None

    def due_s(self, unsigned: int) -> float | None:
        """Seconds until a signature is due; ``None``: all signed."""
        if not unsigned:
            self._since_s = None
            return None
        if self._since_s is None:
            self._since_s = self._monotonic()
        return self._since_s + self._after_s - self._monotonic()
