"""The other end, as far as the tests of the second device need one: section 4 and 6 for the host, time an argument."""

from typing import Final

from tests.second_device import messages
from tests.second_device.framing import PAYLOAD_MAX, VERSION, Frame, FrameReader, Kind, encode
from tests.second_device.messages import Message, MessageReader, Type
from tests.second_device.session import WINDOW_MAX, Security, Session
from tests.second_device.stream import Numbered

OPEN_RETRY_S: Final = 0.25


class HostLink:
    """A host that opens until it is answered, and opens anew when its session is lost.

    Args:
        number: the first host number, 0 to 255.
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
        is_damaged = False
        for frame in self._reader.feed(data):
            if isinstance(frame, Frame):
                self._frame(frame, now_s)
            else:
                is_damaged = True
        if self.session is not None:
            self._send(self.session.outgoing.new(now_s), now_s)
            if is_damaged and self.session.incoming.complains(now_s):
                self._line += self.session.frame(Kind.NAK, now_s)

    def tick(self, now_s: float) -> None:
        if self.session is None:
            if self._opens_at_s is not None and now_s >= self._opens_at_s:
                self._opens_at_s = now_s + OPEN_RETRY_S
                offer = bytes((VERSION, VERSION, WINDOW_MAX, PAYLOAD_MAX, self.security))
                self._line += encode(Frame(Kind.OPEN, self.number << 8, payload=offer))
            return
        if now_s >= self.session.heard_at_s + 1.5:
            self._again(now_s)
            return
        expires_at_s, answer_by_s = self.session.outgoing.expires_at_s, self.session.incoming.answer_by_s
        if expires_at_s is not None and now_s >= expires_at_s:
            self._send(self.session.outgoing.again(now_s), now_s)
        if now_s >= self.session.sent_at_s + 0.4 or (answer_by_s is not None and now_s >= answer_by_s):
            self._line += self.session.frame(Kind.ACK, now_s)

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
        session.outgoing.acknowledged(frame.acknowledgement, now_s)
        if frame.kind is Kind.NAK:
            self._send(session.outgoing.again(now_s), now_s)
        if frame.kind is Kind.DATA:
            self.arrived += session.incoming.data(frame.sequence, frame.payload, now_s)

    def _again(self, now_s: float) -> None:
        self.session = None
        self.number = (self.number + 1) % 256
        self.open(now_s)

    def _send(self, frames: list[Numbered], now_s: float) -> None:
        assert self.session is not None
        for number, payload in frames:
            self._line += self.session.frame(Kind.DATA, now_s, number, payload)


class HostApplication:
    """Section 12 for the host: a journal, acknowledgements, and a stop at any gap, where a person would decide."""

    def __init__(self, serial: str = "SECOND-1") -> None:
        self._serial = serial
        self.journal: list[Message] = []
        self.reports: list[Message] = []
        self.heard: list[Message] = []
        self.gaps: list[Message] = []
        self.repeated = 0
        self._is_known = False
        self._reader = MessageReader()

    @property
    def last(self) -> tuple[int, int]:
        """Boot and number of the last durable event of the device's history."""
        return _key(self.journal[-1]) if self.journal else (0, 0)

    def session_began(self) -> None:
        self._reader = MessageReader()
        self._is_known = False
        self.reports.clear()

    def of(self, *kinds: Type) -> list[Message]:
        """Messages of these types, from the journal or of this session."""
        return [message for message in [*self.journal, *self.reports] if message.type in kinds]

    def feed(self, data: bytes) -> bytes:
        """Take bytes of the stream; gives the acknowledgements."""
        answers = bytearray()
        for body in self._reader.feed(data):
            message = messages.decode(body)
            self.heard.append(message)
            if not Type.CARD_DRAWN <= message.type <= Type.POWER_RESTORED:
                self.reports.append(message)
                self._look(message)
            elif self._take(message):
                boot, number = _key(message)
                answers += messages.encode(Type.EVENT_ACKNOWLEDGED, boot=boot, number=number)
        return bytes(answers)

    def _look(self, report: Message) -> None:
        is_behind = False
        if report.type is Type.HELLO:
            self._is_known = report.fields["serial"] == self._serial
            is_behind = report.number("boot") < self.last[0]
        elif report.type is Type.HEARTBEAT and report.number("boot") == self.last[0]:
            is_behind = report.number("last") < self.last[1]
        if is_behind:
            self.gaps.append(report)

    def _take(self, event: Message) -> bool:
        if self.gaps or not self._is_known:
            return False
        history = {_key(each): each for each in self.journal}
        if history and _key(event) <= self.last:
            if history.get(_key(event)) != event:
                self.gaps.append(event)
                return False
            self.repeated += 1
            return True
        if history and not self._follows(event):
            self.gaps.append(event)
            return False
        self.journal.append(event)
        return True

    def _follows(self, event: Message) -> bool:
        if event.type is not Type.POWER_RESTORED:
            return _key(event) == (self.last[0], self.last[1] + 1)
        last = self.journal[-1]
        other = _named(last) if last.type is Type.POWER_RESTORED else _key(last)
        return event.number("number") == 1 and event.number("boot") > self.last[0] and _named(event) == other


def _named(restored: Message) -> tuple[int, int]:
    return restored.number("previous_boot"), restored.number("previous_last")


def _key(event: Message) -> tuple[int, int]:
    return event.number("boot"), event.number("number")
