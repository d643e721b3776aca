"""Messages of a TDP device, told by hand: in their order, with the keys that they must have."""

from dataclasses import dataclass, replace
from typing import Final

from protocols.tdp import events as tdp
from protocols.tdp.codes import BootReason, Capability, Condition, DeviceState, Face
from protocols.tdp.messages import Heartbeat, Hello, Status
from regulations.events.cards import Card
from regulations.events.inputs import (
    AnyInput,
    CardDrawn,
    CardsReturned,
    CutCard,
    Fault,
    FaultCleared,
    Loaded,
    Shuffled,
    StackCounted,
)
from regulations.events.notices import DeviceIdentified, DeviceNoted

NAME: Final = "shuffler"
HELLO: Final = Hello(
    message_version=1,
    maker="Acme",
    model="Shuffler 9",
    serial="SN-001",
    hardware_revision=3,
    firmware_version="1.4.0",
    image_digest=b"\xd1" * 32,
    security_counter=7,
    boot_count=5,
    boot_reason=BootReason.POWER_ON,
    capabilities=Capability.READS_CARDS | Capability.COUNTS_CARDS | Capability.LOCKS,
)
STATUS: Final = Status(DeviceState.LOADED, Condition.LOCKED, 0, 416, 0, 0, 0)


@dataclass
class Device:
    """Makes events with the next number of its boot."""

    boot: int = 5
    number: int = 0
    count: int = 0
    other: tuple[int, int] = (0, 0)
    """The last event that was no start."""

    def _next(self) -> tuple[int, int]:
        self.number += 1
        self.other = self.boot, self.number
        return self.other

    def card(
        self, card: Card | None, *, confidence: int = 99, face: Face = Face.DOWN, permit: int = 0
    ) -> tdp.CardDrawn:
        self.count += 1
        boot, number = self._next()
        return tdp.CardDrawn(boot, number, self.count % 65536, card, face, confidence if card else 0, permit)

    def packet(self, *cards: Card | None, permit: int = 0) -> tdp.PacketDispensed:
        self.count += len(cards)
        boot, number = self._next()
        return tdp.PacketDispensed(boot, number, self.count % 65536, cards, permit)

    def loaded(self, cards: int) -> tdp.StackLoaded:
        self.count = 0
        return tdp.StackLoaded(*self._next(), cards)

    def restarted(self, reason: BootReason = BootReason.WATCHDOG) -> tdp.PowerRestored:
        self.boot, self.number = self.boot + 1, 1
        return tdp.PowerRestored(self.boot, 1, *self.other, reason)

    def of(self, kind: type[tdp.DeviceEvent], *fields: int) -> tdp.DeviceEvent:
        return kind(*self._next(), *fields)

    def beat(self, *, last: int | None = None) -> Heartbeat:
        return Heartbeat(60, self.boot, self.number if last is None else last, 0)


def hello(**changed: object) -> Hello:
    return replace(HELLO, **changed)  # type: ignore[arg-type]  # of any of its fields


def brief(events: list[AnyInput]) -> list[str]:
    """Events in few words."""
    return [_brief(event) for event in events]


def _brief(event: AnyInput) -> str:
    match event:
        case CardDrawn():
            return f"{event.count}: {event.card or '??'} {event.face}"
        case Fault() | FaultCleared():
            return f"{'fault' if isinstance(event, Fault) else 'cleared'} {event.code}"
        case DeviceNoted():
            return f"note {event.note}" + (f" {event.value}" if isinstance(event.value, int) else "")
        case Loaded() | CardsReturned() | StackCounted():
            return f"{event.__struct_config__.tag} {event.cards}"
        case Shuffled():
            return f"shuffled {event.by}"
        case DeviceIdentified():
            return f"identified {event.serial} {event.firmware}"
        case CutCard():
            return "cut_card"
        case _:
            return str(event.__struct_config__.tag)
