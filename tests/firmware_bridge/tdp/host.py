"""A session in this process, and what it makes of a device's messages."""

from typing import Final

import msgspec

from firmware_bridge.tdp.session import TdpSession
from protocols.tdp.messages import Message
from regulations.events.codec import decode_input, encode
from regulations.events.inputs import AnyInput
from regulations.events.line import DeviceReport
from tests.firmware_bridge.tdp.device import NAME, brief

AT_S: Final = 1.0


class Host:
    """A session and a journal that keeps what it is given."""

    def __init__(self, journal: list[AnyInput] | None = None) -> None:
        self.journal: list[AnyInput] = list(journal or [])
        self.session = TdpSession(NAME)
        for event in self.journal:
            # As recovery reads them: through the bytes of the journal.
            self.session.replay(decode_input(encode(event)))

    def hear(self, *messages: Message) -> list[str]:
        events = [event for message in messages for event in self.session.translate(message, AT_S)]
        self.keep(events)
        return brief(events)

    def keep(self, events: list[AnyInput]) -> None:
        for event in events:
            self.journal.append(msgspec.structs.replace(event, at="1970-01-01T00:00:00.000000Z"))
            self.session.made_durable([event])

    def settle(self) -> list[str]:
        reports = list(self.session.settled())
        for report in reports:
            self.keep(report)
        return brief([event for report in reports for event in report])

    def keys(self) -> list[tuple[object, object]]:
        return [(e.boot, e.number) for e in self.journal if isinstance(e, DeviceReport) and isinstance(e.number, int)]
