"""One Bee-Tek shoe at a table: lines up as events, nothing down."""

import dataclasses
import threading
import time
from collections.abc import Callable, Mapping
from typing import Final

from drivers.bee_tek import LINE, BeeTekDevice
from drivers.discovery import port_maker
from drivers.errors import DriverError
from drivers.link_health import LinkHealth
from drivers.serial_port import SerialSettings
from firmware_bridge.bee_tek.session import BeeTekSession
from firmware_bridge.errors import Denied
from firmware_bridge.interlock import Act, Interlock
from protocols.bee_tek.messages import BeeTekMessage
from protocols.garbage import Garbage
from regulations.events.inputs import AnyInput

STOP_TIMEOUT_S: Final = 6.0
"""Seconds to let go of the port: a TCP address that swallows packets holds an attempt to open for five."""


class BeeTekBridge:
    """A shoe behind a port, for a table.

    Args:
        device: the shoe's name in the log.
        port_name: where it is, a stable name (``drivers.port_names``).
        settings: of the line, where they differ from 9600 8N1.
        inbox: takes events, from the port's thread; it must not wait.
        clock: seconds of a steady clock; a simulation that runs faster than life brings its own.
    """

    def __init__(
        self,
        device: str,
        port_name: str,
        settings: Mapping[str, object],
        inbox: Callable[[AnyInput], None],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name: Final = device
        self.interlock: Final = Interlock()
        self._inbox: Final = inbox
        self._session: Final = BeeTekSession(device)
        # The session is used by the port's thread, and its counters by others.
        self._guard: Final = threading.Lock()
        line = SerialSettings.from_mapping({**dataclasses.asdict(LINE), **settings})
        maker = port_maker(port_name, line)
        self._device: Final = BeeTekDevice(port_name, self, maker, on_damage=self._damaged, clock=clock)

    # --- the table's side --------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begins to listen."""
        self._device.start()

    def stop(self) -> None:
        """Lets go of the port."""
        self._device.stop(STOP_TIMEOUT_S)

    def remember(self, event: AnyInput) -> None:
        """Takes up an event of the journal after a restart, in its order."""
        with self._guard:
            self._session.remember(event)

    def stack_loaded(self) -> None:
        """A new stack is in: the shoe counts nothing, and neither does its session."""

    def shoe_over(self) -> None:
        """The shoe game is over: nothing changes here."""

    def card_entered(self) -> None:
        """A person entered a card: nothing changes here."""

    def health(self) -> LinkHealth:
        """What the link has seen so far."""
        return self._device.health()

    def counters(self) -> dict[str, int]:
        """Warnings heard, and runs of bytes that may have been part of a line."""
        with self._guard:
            return {"warnings": self._session.warnings, "damaged": self._session.damaged}

    def perform(self, act: Act) -> object:
        """Refuses: the shoe takes no commands.

        Raises:
            Denied: always.
        """
        raise Denied(str(act), "a Bee-Tek shoe takes no commands", "Do it at the shoe, by hand.")

    # --- the port's side (DeviceListener) ----------------------------------------------------------------------------

    def message(self, message: BeeTekMessage, now_s: float) -> None:
        """Takes a line (called by the port's thread)."""
        with self._guard:
            events = self._session.hear(message, now_s)
        self._pass_on(events)

    def lost(self, error: DriverError) -> None:
        """The link is gone (called by the port's thread)."""
        self.interlock.latch(f"link lost: {error.problem}")
        with self._guard:
            events = self._session.lost()
        self._pass_on(events)

    def back(self) -> None:
        """The link is there (called by the port's thread)."""
        with self._guard:
            events = self._session.back()
        self._pass_on(events)

    def _damaged(self, damage: Garbage) -> None:
        with self._guard:
            events = self._session.hear_damage(damage)
        self._pass_on(events)

    def _pass_on(self, events: list[AnyInput]) -> None:
        # Outside of the guard: whoever takes them may call back. The order is the port's, whose only thread this is.
        for event in events:
            self._inbox(event)
