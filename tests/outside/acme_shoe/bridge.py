"""Driver, session and bridge of the shoe."""

from collections.abc import Collection, Mapping
from typing import Final

from acme_shoe.codec import CYCLE, CardOut, Decoder
from drivers.discovery import port_maker
from drivers.errors import DriverError
from drivers.port_device import DeviceListener, PortDevice
from drivers.serial_port import SerialSettings
from firmware_bridge.bridge import Bridge
from firmware_bridge.faults import FaultWords
from firmware_bridge.interlock import DeviceActionKind
from firmware_bridge.report import Inbox
from firmware_bridge.session_state import SessionState, StatefulSession
from protocols.garbage import Garbage
from regulations.events.inputs import AnyInput, CardDrawn, DeviceBack, DeviceLost, Fault, FaultCleared
from regulations.events.notices import DeviceIdentified

LINE: Final = SerialSettings(baud=19200)
GAP: Final = "gap"
FAULTS: Final = {GAP: FaultWords("cards are missing", "Compare the cards on the table with the screen, then continue.")}


class AcmeDevice(PortDevice[CardOut]):
    """The shoe behind a port."""

    def __init__(self, port_name: str, settings: Mapping[str, object], listener: DeviceListener[CardOut]) -> None:
        super().__init__(port_name, listener, port_maker(port_name, LINE.changed(settings)))
        self._decoder: Final = Decoder()

    def bytes_received(self, data: bytes, now_s: float) -> None:
        self._received(data, now_s)
        for item in self._decoder.feed(data):
            if isinstance(item, Garbage):
                self._skip(item, now_s)
            else:
                with self._lock:
                    self._health.frame(item.raw, now_s, sends_copies=False)
                self._listener.message(item, now_s)

    def _forget(self, error: DriverError) -> list[Garbage]:  # noqa: ARG002  # half a frame is lost, whatever the reason
        return self._decoder.reset()


class State(SessionState, kw_only=True, forbid_unknown_fields=True):
    """The number of the last card, and whether the link was lost."""

    last: int | None = None
    is_lost: bool = False


class Session(StatefulSession[CardOut, State]):
    """What a card means for the table: missing numbers are a fault."""

    form = State

    def _begin(self, state: State) -> None:
        self.state = state

    def replay(self, event: AnyInput) -> None:
        if isinstance(event, DeviceLost | DeviceBack) and event.device == self._device:
            self.state.is_lost = isinstance(event, DeviceLost)
        elif isinstance(event, CardDrawn) and event.device == self._device and isinstance(event.raw, str):
            self.state.last = bytes.fromhex(event.raw)[1]

    def translate(self, message: CardOut, now_s: float) -> list[AnyInput]:  # noqa: ARG002  # the number tells all
        last, self.state.last = self.state.last, message.number
        card = CardDrawn(card=message.card, device=self._device, raw=message.raw.hex())
        if message.number == 0 or last is None or message.number == last % CYCLE + 1:
            return [card]
        return [Fault(device=self._device, code=GAP), FaultCleared(device=self._device, code=GAP), card]

    def lost(self) -> list[AnyInput]:
        self.state.is_lost = True
        return [DeviceLost(device=self._device)]

    def back(self) -> list[AnyInput]:
        was_lost, self.state.is_lost = self.state.is_lost, False
        return [DeviceBack(device=self._device)] if was_lost else []


class AcmeBridge(Bridge[CardOut]):
    """The shoe at a table."""

    kind = DeviceIdentified(device="", maker="Acme", model="Shoe", reads=True)

    def __init__(
        self,
        device: str,
        port_name: str,
        settings: Mapping[str, object],
        commands: Collection[DeviceActionKind],
        inbox: Inbox,
    ) -> None:
        super().__init__(device, commands, inbox, Session(device))
        self._device = AcmeDevice(port_name, settings, self)
