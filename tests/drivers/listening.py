"""Who hears a port, and who hears a device: both write down what they hear."""

from drivers.errors import DriverError
from drivers.port_thread import NEVER_S
from protocols.tdp.events import DeviceEvent
from tests.kit.waiting import Log

OPENED = "opened"
BACK = "back"


class PortEar:
    """Hears a port: openings, bytes and losses."""

    def __init__(self) -> None:
        self.log = Log()
        self.moments_s: list[float] = []

    def port_opened(self) -> None:
        self.log.add(OPENED)

    def bytes_received(self, data: bytes, now_s: float) -> None:
        self.moments_s.append(now_s)
        self.log.add(data)

    def time_passed(self, now_s: float) -> float:
        self.moments_s.append(now_s)
        return NEVER_S

    def port_lost(self, error: DriverError) -> None:
        self.log.add(error)

    def wait_for_bytes(self, data: bytes) -> None:
        self.log.wait_for(lambda entries: b"".join(e for e in entries if isinstance(e, bytes)).endswith(data))

    def wait_for_openings(self, number: int) -> None:
        self.log.wait_for(lambda entries: entries.count(OPENED) >= number)

    def wait_for_loss(self, kind: type[DriverError], number: int = 1) -> DriverError:
        entries = self.log.wait_for(lambda entries: sum(isinstance(e, kind) for e in entries) >= number)
        return [e for e in entries if isinstance(e, kind)][number - 1]


class Ear:
    """Hears a device: what it said, and ``lost`` and ``back`` in their places."""

    def __init__(self) -> None:
        self.log = Log()

    def message(self, message: object, now_s: float) -> None:
        assert now_s >= 0
        self.log.add(message)

    def lost(self, error: DriverError) -> None:
        self.log.add(error)

    def back(self) -> None:
        self.log.add(BACK)

    def wait_for(self, number: int) -> list[object]:
        return self.log.wait_for(lambda entries: len(entries) >= number)


class TdpEar(Ear):
    """Hears a TDP device, and knows its events."""

    def events(self) -> list[DeviceEvent]:
        return [entry for entry in self.log.entries() if isinstance(entry, DeviceEvent)]

    def wait_for_event(self, kind: type[DeviceEvent]) -> DeviceEvent:
        self.log.wait_for(lambda entries: any(isinstance(entry, kind) for entry in entries))
        return next(event for event in reversed(self.events()) if isinstance(event, kind))
