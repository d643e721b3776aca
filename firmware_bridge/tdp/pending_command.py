"""The pending command that releases or takes back cards; none is sent twice.

Until its cards are out no further permit is used: a card too many is worse than a late one.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Final

from drivers.tdp_commands import BUSY_MAX_S, PASSING, RETRY_S
from firmware_bridge.interlock import LETS_CARDS_OUT, DeviceAction, DeviceActionKind
from firmware_bridge.tdp.family import FAMILY
from protocols.tdp import commands
from protocols.tdp import events as tdp
from protocols.tdp.commands import DeviceCommand

DISPENSE_MAX_S: Final = 20.0
"""Seconds until the cards must be out; a packet takes one or two."""
CALLED: Final = frozenset({DeviceActionKind.LET_DRAW, DeviceActionKind.DISPENSE, DeviceActionKind.ACCEPT_RETURN})
"""The regulation calls for these; a person asks for the others."""
PATIENT: Final = frozenset({DeviceActionKind.LOCK, DeviceActionKind.CLEAR_ERROR})
"""A busy device is asked for these again."""
KNOWN: Final = frozenset(FAMILY.commands)
MOST: Final = {DeviceActionKind.CLEAR_ERROR: 255, DeviceActionKind.LET_DRAW: 65535, DeviceActionKind.DISPENSE: 32}

_PLAIN_COMMANDS: Final = {
    DeviceActionKind.LOCK: commands.Lock,
    DeviceActionKind.SHUFFLE: commands.Shuffle,
    DeviceActionKind.ACCEPT_RETURN: commands.AcceptReturn,
    DeviceActionKind.EJECT: commands.Eject,
}


def command_of(act: DeviceAction, command_id: int, module: int = 0) -> DeviceCommand:
    match act.kind:
        case DeviceActionKind.LET_DRAW:
            return commands.Unlock(command_id, act.number, act.permit)
        case DeviceActionKind.DISPENSE:
            return commands.Dispense(command_id, act.number, act.permit)
        case DeviceActionKind.CLEAR_ERROR:
            return commands.ClearFault(command_id, act.number, module)
        case _:
            return _PLAIN_COMMANDS[act.kind](command_id)


class RetryDecision(Enum):
    AGAIN = "again"
    OVER = "over"
    FAILED = "failed"


class PendingCommand:
    """A sent command has a ticket, since the next one may be equal."""

    def __init__(self) -> None:
        self.wanted: DeviceAction | None = None
        self._told: DeviceAction | None = None
        self._told_s = 0.0
        self._ticket = 0
        self._cards_left = 0
        self._is_served = False
        self._busy_since_s: float | None = None
        self._not_before_s = float("-inf")

    @property
    def waits(self) -> bool:
        return self.wanted is not None or (self._told is not None and self._told.kind is DeviceActionKind.DISPENSE)

    def call(self, acts: Sequence[DeviceAction]) -> bool:
        """Take what the table calls for; return whether the device must be locked."""
        told = self._told
        goes_on = told is not None and not self._is_served and any(act.kind is told.kind for act in acts)
        self._is_served = False
        self.wanted = acts[0] if acts and not goes_on else None
        if self.wanted is None:
            self._busy_since_s = None
        if told is None or goes_on:
            return False
        self._told = None
        return told.kind is DeviceActionKind.LET_DRAW

    def entered(self) -> None:
        """Its draw permit counts as used, else the next card is reported under it."""
        self._is_served = self._told is not None and self._told.kind is DeviceActionKind.LET_DRAW

    def hold(self) -> None:
        """Hold the call after an event that the table has not processed."""
        self.wanted = None

    def sent(self, now_s: float) -> int:
        """Take the wanted act as sent now; return its ticket."""
        self._told, self.wanted = self.wanted, None
        self._told_s = now_s
        self._cards_left = self._told.number if self._told is not None else 0
        self._ticket += 1
        return self._ticket

    def not_sent(self, ticket: int) -> None:
        if ticket == self._ticket and self._told is not None:
            self.wanted, self._told = self._told, None

    def refused(self, ticket: int, reason: int, now_s: float) -> RetryDecision:
        """The device did not do what had this ticket."""
        passes = reason in PASSING
        if ticket != self._ticket or self._told is None:
            return RetryDecision.OVER if passes else RetryDecision.FAILED
        act, self._told = self._told, None
        if self._busy_since_s is None:
            self._busy_since_s = now_s
        if not passes or now_s - self._busy_since_s >= BUSY_MAX_S:
            self._busy_since_s = None
            return RetryDecision.FAILED
        self.wanted = act
        self._not_before_s = now_s + RETRY_S
        return RetryDecision.AGAIN

    def hurry(self) -> None:
        """A refused command may be possible now."""
        self._not_before_s = float("-inf")

    def is_due(self, now_s: float) -> bool:
        return self.wanted is not None and now_s >= self._not_before_s

    def is_overdue(self, now_s: float) -> bool:
        told = self._told
        if told is None or told.kind is not DeviceActionKind.DISPENSE or now_s - self._told_s < DISPENSE_MAX_S:
            return False
        self._told = None
        return True

    def apply(self, event: tdp.DeviceEvent) -> None:
        """Note what of it has been done."""
        self._busy_since_s = None
        told = self._told
        if told is None:
            return
        if isinstance(event, tdp.CardDrawn | tdp.PacketDispensed):
            self._cards_left -= 1 if isinstance(event, tdp.CardDrawn) else len(event.cards)
            if told.kind in LETS_CARDS_OUT and self._cards_left <= 0:
                self._told = None
        elif isinstance(event, tdp.CardsReturned) and told.kind is DeviceActionKind.ACCEPT_RETURN:
            self._told = None

    def forget(self) -> None:
        """The device locks automatically."""
        self.wanted = self._told = self._busy_since_s = None
