"""What a device was told to give out or take in, and whether it has: nothing is told twice.

A permit lets so many cards out, once. Until they are out, or the device has refused or is gone, no further one is used:
a card too many on the table is worse than one that is late.
"""

from collections.abc import Sequence
from typing import Final

from firmware_bridge.interlock import Act, ActKind
from protocols.tdp import commands
from protocols.tdp import events as tdp
from protocols.tdp.codes import RefusalReason
from protocols.tdp.commands import DeviceCommand

RETRY_S: Final = 0.2
"""Seconds until what a busy device refused is tried again: a croupier takes longer for a card, and hears no delay."""
CALLED: Final = frozenset({ActKind.LET_DRAW, ActKind.DISPENSE, ActKind.ACCEPT_RETURN})
"""Acts that the regulation calls for; the others a person asks for."""
CARDS: Final = frozenset({ActKind.LET_DRAW, ActKind.DISPENSE})
PASSING: Final = frozenset({int(RefusalReason.BUSY), int(RefusalReason.EVENTS_PENDING)})
"""Refusals that time mends: the act is tried again."""


def command_of(act: Act, command_id: int, module: int = 0) -> DeviceCommand:
    """The command that an act is.

    Args:
        act: what is to be done.
        command_id: the command's id.
        module: with ``CLEAR_ERROR``: where the fault is; a person names its code alone.

    Raises:
        KeyError: TDP has none for it.
    """
    makers = {
        ActKind.LOCK: commands.Lock,
        ActKind.SHUFFLE: commands.Shuffle,
        ActKind.ACCEPT_RETURN: commands.AcceptReturn,
        ActKind.EJECT: commands.Eject,
    }
    match act.kind:
        case ActKind.LET_DRAW:
            return commands.Unlock(command_id, act.number)
        case ActKind.DISPENSE:
            return commands.Dispense(command_id, act.number)
        case ActKind.CLEAR_ERROR:
            return commands.ClearFault(command_id, act.number, module)
        case _:
            return makers[act.kind](command_id)


KNOWN: Final = frozenset(ActKind) - {ActKind.UNLOCK, ActKind.CONFIRM_ROUND}
"""Acts that TDP has a command for. It locks by itself after each card, so nothing unlocks it for longer."""


class Orders:
    """The one thing that a device is called to do, from the call to its end."""

    def __init__(self) -> None:
        self._wanted: Act | None = None
        """Called for and granted, not told yet."""
        self._told: Act | None = None
        """Told; the device has not done it yet."""
        self._cards_left = 0
        """Cards of what was told that are not out yet."""
        self._not_before_s = float("-inf")
        """When what a busy device refused may be tried again."""

    @property
    def wanted(self) -> Act | None:
        """What is to be told next."""
        return self._wanted

    def call(self, acts: Sequence[Act]) -> bool:
        """Take what the table calls for; return whether the device must be locked, since nothing more may be drawn.

        Args:
            acts: what is granted; of alternatives the first is taken.
        """
        told = self._told
        goes_on = told is not None and any(act.kind is told.kind for act in acts)
        self._wanted = acts[0] if acts and not goes_on else None
        if told is None or goes_on:
            return False
        self._told = None
        return told.kind is ActKind.LET_DRAW

    def telling(self) -> None:
        """What was wanted is told now."""
        self._told, self._wanted = self._wanted, None
        self._cards_left = self._told.number if self._told is not None else 0

    def not_told(self) -> None:
        """It could not be told after all: it is wanted still."""
        self._wanted, self._told = self._told, None

    def refused(self, act: Act, reason: int, now_s: float) -> bool:
        """The device did not do it; return whether it is to be tried again, for which it needs its permit once more."""
        if self._told != act:
            return False
        self._told = None
        if reason not in PASSING:
            return False
        self._wanted = act
        self._not_before_s = now_s + RETRY_S
        return True

    def hurry(self) -> None:
        """The device has said that something changed: what it refused may be possible now."""
        self._not_before_s = float("-inf")

    def is_due(self, now_s: float) -> bool:
        """Whether something is to be told now."""
        return self._wanted is not None and now_s >= self._not_before_s

    def heard(self, event: tdp.DeviceEvent) -> None:
        """Note what of it has been done."""
        told = self._told
        if told is None:
            return
        if isinstance(event, tdp.CardDrawn | tdp.PacketDispensed):
            self._cards_left -= 1 if isinstance(event, tdp.CardDrawn) else len(event.cards)
            if told.kind in CARDS and self._cards_left <= 0:
                self._told = None
        elif isinstance(event, tdp.CardsReturned) and told.kind is ActKind.ACCEPT_RETURN:
            self._told = None

    def forget(self) -> None:
        """The session is gone: the device locks by itself, and what it was told counts no more."""
        self._wanted = self._told = None
