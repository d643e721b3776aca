"""When the journal is signed: at what ends or interrupts a round, and soon after anything else."""

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
"""Seconds for which an entry may be without a signature, idle or not."""

MOMENTS: Final = (RoundClosed, ShoeEnded, Closed, Void, Resolve, Fault, FaultCleared, DeviceLost, DeviceBack)


def is_momentous(taken: LoggedInput) -> bool:
    """True if an input and its outputs must be signed as soon as they are durable.

    That is the end of a round or shoe, a person's void or resolution, a latched or cleared interlock, and each
    irregularity.
    """
    return isinstance(taken.event, MOMENTS) or taken.tells(Irregularity, ShoeOver)


class SigningTimes:
    """Says when what is not signed yet is due.

    Args:
        monotonic: a clock that only goes forward, in seconds.
    """

    def __init__(self, monotonic: Callable[[], float], after_s: float = SIGN_S) -> None:
        self._monotonic = monotonic
        self._after_s = after_s
        self._since_s: float | None = None

    def due_s(self, unsigned: int) -> float | None:
        """Seconds until it is time; ``None`` while there is nothing to sign."""
        if not unsigned:
            self._since_s = None
            return None
        if self._since_s is None:
            self._since_s = self._monotonic()
        return self._since_s + self._after_s - self._monotonic()
