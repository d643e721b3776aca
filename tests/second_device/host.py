"""The other end, as far as the tests of the second device need one: section 4 and 6 for the host, time an argument."""

from typing import Final

from tests.second_device import messages
from tests.second_device.framing import PAYLOAD_MAX, VERSION, Frame, FrameReader, Kind, encode
from tests.second_device.messages import Message, MessageReader, Type
from tests.second_device.session import WINDOW_MAX, Security, Session
from tests.second_device.stream import Flight

OPEN_RETRY_S: Final = 0.25


class HostLink:
    """A host that opens until it is answered, and opens anew when its session is lost.

    Args:
        number: the first host number, 1 to 65535.
        security: that of the table.
    """

    def __init__(self, number: int, security: Security = Security.PLAIN) -> None:
        self.number = number
        self.security = security
        self.session: Session | None = None
        self.sessions = 0
        self.resets: list[tuple[int, int]] = []
        self.arrived = bytearray()
        self._opens_at_s: float | None = None
        self._reader = FrameReader()
        self._line = bytearray()

    @property
    def due_s(self) -> float | None:
        return self._opens_at_s if self.session is None else self.session.due_s

    def open(self, now_s: float) -> None:
        self._opens_at_s = now_s
        self.tick(now_s)

    def take_line(self) -> bytes:
        data = bytes(self._line)
        self._line.clear()
        return data

    def take_arrived(self) -> bytes:
        data = bytes(self.arrived)
        self.arrived.clear()
        return data

    def write(self, data: bytes, now_s: float) -> None:
        assert self.session is not None
        self.session.outgoing.write(data)
        self._send(self.session.outgoing.new(now_s), now_s)

    def line_lost(self, now_s: float) -> None:
        self._reader.line_lost()
        self._again(now_s)

    def receive(self, data: bytes, now_s: float) -> None:
        has_data = False
        for frame in self._reader.feed(data):
            if isinstance(frame, Frame):
                has_data |= frame.kind is Kind.DATA
                self._frame(frame, now_s)
        if self.session is not None:
            self._send(self.session.outgoing.new(now_s), now_s)
            if has_data:
                self._line += self.session.frame(Kind.ACK, now_s, self.session.incoming.bits)

    def tick(self, now_s: float) -> None:
        if self.session is None:
            if self._opens_at_s is not None and now_s >= self._opens_at_s:
                self._opens_at_s = now_s + OPEN_RETRY_S
                offer = bytes((VERSION, VERSION, WINDOW_MAX, PAYLOAD_MAX, self.security))
                self._line += encode(Frame(Kind.OPEN, self.number << 16, payload=offer))
            return
        if now_s >= self.session.heard_at_s + 1.5:
            self._again(now_s)
            return
        self._send(self.session.outgoing.expired(now_s), now_s)
        if now_s >= self.session.sent_at_s + 0.4:
            self._line += self.session.frame(Kind.ALIVE, now_s)

    def _frame(self, frame: Frame, now_s: float) -> None:
        session = self.session
        if session is None:
            if frame.kind is Kind.ACCEPT and frame.host == self.number:
                self.session = Session(frame.session, frame.payload[1], frame.payload[2], now_s)
                self.sessions += 1
                self._line += self.session.frame(Kind.ACK, now_s)
            elif frame.kind is Kind.RESET:
                self.resets.append((frame.session, frame.payload[0]))
            return
        if frame.session != session.number:
            return
        if frame.kind is Kind.RESET:
            self.resets.append((frame.session, frame.payload[0]))
            self._again(now_s)
            return
        session.heard_at_s = now_s
        bits = frame.sequence if frame.kind is Kind.ACK else None
        self._send(session.outgoing.acknowledged(frame.acknowledgement, bits, now_s), now_s)
        if frame.kind is Kind.DATA:
            self.arrived += session.incoming.data(frame.sequence, frame.payload)

    def _again(self, now_s: float) -> None:
        self.session = None
        self.number += 1
        self.open(now_s)

    def _send(self, flights: list[Flight], now_s: float) -> None:
        assert self.session is not None
        for flight in flights:
            self._line += self.session.frame(Kind.DATA, now_s, flight.sequence, flight.payload)


class HostApplication:
    """Section 12 for the host: a journal, acknowledgements, and a stop at any gap."""

    def __init__(self) -> None:
        self.journal: list[Message] = []
        self.reports: list[Message] = []
        self.gaps: list[Message] = []
        self.repeated = 0
        self._reader = MessageReader()

    @property
    def last(self) -> tuple[int, int]:
        """Boot and number of the last durable event."""
        return _key(self.journal[-1]) if self.journal else (0, 0)

    def session_began(self) -> None:
        self._reader = MessageReader()
        self.reports.clear()

    def of(self, *kinds: Type) -> list[Message]:
        """Messages of these types, from the journal or of this session."""
        return [message for message in [*self.journal, *self.reports] if message.type in kinds]

    def feed(self, data: bytes) -> bytes:
        """Take bytes of the stream; gives the acknowledgements."""
        answers = bytearray()
        for body in self._reader.feed(data):
            message = messages.decode(body)
            if not Type.CARD_DRAWN <= message.type <= Type.POWER_RESTORED:
                self.reports.append(message)
            elif self._take(message):
                boot, number = self.last
                answers += messages.encode(Type.EVENT_ACKNOWLEDGED, boot=boot, number=number)
        return bytes(answers)

    def _take(self, event: Message) -> bool:
        if self.gaps:
            return False
        if self.journal and _key(event) <= self.last:
            self.repeated += 1
            return True
        is_next = _key(event) == (self.last[0], self.last[1] + 1)
        if event.type is Type.POWER_RESTORED:
            is_next = self.last == (event.number("previous_boot"), event.number("previous_last"))
        if self.journal and not is_next:
            self.gaps.append(event)
            return False
        self.journal.append(event)
        return True


def _key(event: Message) -> tuple[int, int]:
    return event.number("boot"), event.number("number")
