"""The interlock of a device: a command needs a single-use permit for this action.

A fault latches until a person clears it: only a lock passes. A hold lasts as long as its cause.
"""

import threading
from collections.abc import Collection
from enum import Enum
from typing import Final, Literal

import msgspec

from firmware_bridge.errors import Denied


class DeviceActionKind(Enum):
    """The values are the names in a table's configuration."""

    LOCK = "lock"
    UNLOCK = "unlock"
    CLEAR_ERROR = "clear_error"
    CONFIRM_ROUND = "confirm_round"
    LET_DRAW = "let_draw"
    DISPENSE = "dispense"
    ACCEPT_RETURN = "accept_return"
    SHUFFLE = "shuffle"
    EJECT = "eject"

    __hash__ = object.__hash__


Holder = Literal["usb_guard", "admission"]

COUNTED: Final = frozenset({DeviceActionKind.CLEAR_ERROR, DeviceActionKind.LET_DRAW, DeviceActionKind.DISPENSE})


ASKED: Final = frozenset({DeviceActionKind.CLEAR_ERROR, DeviceActionKind.SHUFFLE, DeviceActionKind.EJECT})
"""A person asks for these; the table calls for the others."""

LETS_CARDS_OUT: Final = frozenset({DeviceActionKind.LET_DRAW, DeviceActionKind.DISPENSE})

SAFE: Final = frozenset({DeviceActionKind.LOCK})


class DeviceAction(msgspec.Struct, frozen=True):
    """A permit for error 2 does not clear error 5.

    Attributes:
        number: the error's code, 0 to 99, or cards, 1 or more.
        permit: number of the ``next``; the device reports it with the cards.
    """

    kind: DeviceActionKind
    number: int = 0
    permit: int = 0

    def __str__(self) -> str:
        return f"{self.kind.value} {self.number}" if self.kind in COUNTED else self.kind.value


class Interlock:
    """Calls may come from any thread."""

    def __init__(self, allowed: Collection[DeviceActionKind] = ()) -> None:
        self._allowed: Final = frozenset(allowed)
        self._permits: set[DeviceAction] = set()
        self._latched: str | None = None
        self._holds: Final[dict[Holder, str]] = {}
        self._guard: Final = threading.Lock()

    def allows(self, kind: DeviceActionKind) -> bool:
        """True if the profile allows acts of this kind."""
        return kind in self._allowed

    @property
    def latched(self) -> str | None:
        with self._guard:
            return self._fault

    @property
    def is_clear(self) -> bool:
        with self._guard:
            return self._fault is None

    def held(self, by: Holder) -> str | None:
        """Why somebody holds everything back, or ``None``."""
        with self._guard:
            return self._holds.get(by)

    def grant(self, act: DeviceAction) -> bool:
        """One use; a repeated grant adds nothing. False: not allowed, latched or held."""
        with self._guard:
            granted = act.kind in self._allowed and (self._fault is None or act.kind in SAFE)
            if granted:
                self._permits.add(act)
            return granted

    def revoke(self, act: DeviceAction) -> None:
        """Takes back a permit that was not used."""
        with self._guard:
            self._permits.discard(act)

    def use(self, act: DeviceAction) -> None:
        """The caller then performs the action once.

        Raises:
            Denied: no permit, not allowed, latched or held.
        """
        with self._guard:
            if act.kind not in self._allowed:
                raise Denied(
                    str(act),
                    "the table's configuration does not allow it",
                    f'Add "{act.kind.value}" to `commands` of the device if the house wants it.',
                )
            if self._holds and act.kind not in SAFE:
                raise Denied(
                    str(act),
                    f"the device is held ({self._fault})",
                    "That has to end first; the log says what is wrong, and who can resolve it.",
                )
            if self._latched is not None and act.kind not in SAFE:
                raise Denied(str(act), f"a fault is latched ({self._latched})", "A person clears it first.")
            if act not in self._permits:
                raise Denied(
                    str(act), "the table has not granted it", "It is granted when the regulation calls for it."
                )
            self._permits.remove(act)

    def latch(self, fault: str) -> None:
        """The first fault is kept; all permits are gone."""
        with self._guard:
            self._permits.clear()
            if self._latched is None:
                self._latched = fault

    def clear(self) -> None:
        """Permits must be granted again."""
        with self._guard:
            self._latched = None

    def hold(self, by: Holder, cause: str) -> None:
        """Until :meth:`release`, whatever a person clears; ``cause`` replaces the holder's previous one."""
        with self._guard:
            self._permits.clear()
            self._holds[by] = cause

    def release(self, by: Holder) -> None:
        with self._guard:
            self._holds.pop(by, None)

    @property
    def _fault(self) -> str | None:
        return next(iter(self._holds.values()), self._latched)
