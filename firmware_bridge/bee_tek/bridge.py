"""One Bee-Tek shoe at a table: lines up as events, nothing down."""

import time
from collections.abc import Callable, Collection, Mapping
from typing import Final

from drivers.bee_tek import LINE, BeeTekDevice
from drivers.discovery import port_maker
from firmware_bridge.bee_tek.session import DAMAGED, BeeTekSession
from firmware_bridge.bridge import Bridge
from firmware_bridge.faults import Code, FaultWords
from firmware_bridge.interlock import DeviceActionKind
from firmware_bridge.report import Inbox
from protocols.bee_tek.messages import BeeTekMessage
from regulations.events.notices import DeviceIdentified

FAULTS: Final[Mapping[Code, FaultWords]] = {
    DAMAGED: FaultWords(
        "a damaged line, which may have been a card",
        "Compare the cards on the felt with the screen; continue, then type the card that is missing, if one is.",
    ),
}


class BeeTekBridge(Bridge[BeeTekMessage]):
    """``settings`` default to 9600 8N1; ``inbox`` is called in the port's thread and must not wait."""

    _session: BeeTekSession
    kind = DeviceIdentified(device="", maker="Bee-Tek", model="shoe", reads=True)

    def __init__(
        self,
        device: str,
        port_name: str,
        settings: Mapping[str, object],
        commands: Collection[DeviceActionKind],
        inbox: Inbox,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(device, commands, inbox, BeeTekSession(device))
        maker = port_maker(port_name, LINE.changed(settings))
        self._device = BeeTekDevice(port_name, self, maker, on_damage=self.damaged, clock=clock)

    def counters(self) -> dict[str, int]:
        with self._guard:
            return {"warnings": self._session.warnings, "damaged": self._session.damaged}
