"""The link of a device, sections 4 to 6. Bytes and time are arguments; nothing here waits or reads a clock."""

from tests.second_device.framing import PAYLOAD_MAX, VERSION, Frame, FrameReader, Kind, Skipped, encode
from tests.second_device.session import (
    ALIVE_AFTER_S,
    PAYLOAD_MIN,
    SILENCE_S,
    WINDOW_MAX,
    Arrived,
    Happening,
    Lost,
    Reason,
    Security,
    Session,
    Stands,
    State,
)
from tests.second_device.stream import Numbered


class DeviceLink:
    """The device's end.

    Args:
        number: the first device number to give, 1 to 255.
        window: frames that may be under way, 1 to 4.
        payload: bytes it takes in a frame, 16 to 224.
    """

    def __init__(self, security: Security, number: int, window: int = WINDOW_MAX, payload: int = PAYLOAD_MAX) -> None:
        self._security = security
        self._number = number
        self._window = window
        self._payload = payload
        self._reader = FrameReader()
        self._is_open = False
        self._candidate: Session | None = None
        self._standing: Session | None = None
        self._line = bytearray()
        self._happened: list[Happening] = []
        self._reset_sent = False  # these two: within the batch being read
        self._is_missing = False
        self.skipped: dict[str, int] = {}
        self.dropped = 0

    @property
    def state(self) -> State:
        if not self._is_open:
            return State.CLOSED
        if self._standing is None:
            return State.LISTENING if self._candidate is None else State.ACCEPTING
        return State.OPEN if self._candidate is None else State.REOPENING

    @property
    def due_s(self) -> float | None:
        """When `tick` wants to be called; None: not before something arrives."""
        times = []
        if self._candidate is not None:
            times.append(self._candidate.since_s + SILENCE_S)
        if (standing := self._standing) is not None:
            times.append(standing.due_s)
        return min(times, default=None)

    def take_line(self) -> bytes:
        """Give out the bytes to be written to the line."""
        data = bytes(self._line)
        self._line.clear()
        return data

    def take_happened(self) -> list[Happening]:
        happened, self._happened = self._happened, []
        return happened

    def open(self) -> None:
        """Start listening."""
        self._is_open = True

    def close(self) -> None:
        """End every session, with `Reason.CLOSED`, and listen no more."""
        for session in (self._candidate, self._standing):
            if session is not None:
                self._send_reset(session.number, Reason.CLOSED)
        self._candidate = None
        self._end("closed")
        self._is_open = False

    def line_lost(self) -> None:
        """The owner of the port saw the line go: who is there next may be another."""
        skipped = self._reader.line_lost()
        if skipped is not None:
            self._count(skipped)
        self._line.clear()
        self._candidate = None
        self._end("line")

    def write(self, data: bytes, now_s: float) -> None:
        """Send bytes of the stream; without a session that stands they are dropped."""
        if self._standing is not None:
            self._standing.outgoing.write(data)
            self._send_data(self._standing, self._standing.outgoing.new(now_s), now_s)

    def receive(self, data: bytes, now_s: float) -> None:
        """Take one batch of bytes from the line."""
        self._reset_sent = self._is_missing = False
        for found in self._reader.feed(data):
            if isinstance(found, Skipped):
                self._count(found)
                self._is_missing = True
            elif self._is_open:
                self._frame(found, now_s)
        if (standing := self._standing) is not None:
            if self._is_missing and standing.incoming.complains(now_s):
                self._send(standing, Kind.NAK, now_s)
            self._send_data(standing, standing.outgoing.new(now_s), now_s)

    def tick(self, now_s: float) -> None:
        """Do what is due."""
        candidate = self._candidate
        if candidate is not None and now_s >= candidate.since_s + SILENCE_S:
            self._candidate = None
        standing = self._standing
        if standing is None:
            return
        if now_s >= standing.heard_at_s + SILENCE_S:
            self._lose("silence")
            return
        outgoing, incoming = standing.outgoing, standing.incoming
        if outgoing.is_hopeless(now_s):
            self._lose("unheeded")
            return
        if outgoing.expires_at_s is not None and now_s >= outgoing.expires_at_s:
            self._send_data(standing, outgoing.again(now_s), now_s)
        is_owed = incoming.answer_by_s is not None and now_s >= incoming.answer_by_s
        if is_owed or now_s >= standing.sent_at_s + ALIVE_AFTER_S:
            self._send(standing, Kind.ACK, now_s)

    def _frame(self, frame: Frame, now_s: float) -> None:
        if frame.kind is Kind.OPEN:
            self._offer(frame, now_s)
        elif frame.kind is Kind.RESET:
            self._reset(frame)
        elif frame.kind is Kind.ACCEPT:
            self.dropped += 1  # only a device sends it
        else:
            self._of_session(frame, now_s)

    def _offer(self, frame: Frame, now_s: float) -> None:
        if frame.device != 0 or len(frame.payload) < 5:
            self.dropped += 1
            return
        lowest, highest, window, payload, security = frame.payload[:5]
        if lowest > highest or window < 1 or payload < PAYLOAD_MIN:
            self.dropped += 1
        elif self._standing is not None and self._standing.number >> 8 == frame.host:
            pass  # a copy that the line delayed
        elif not lowest <= VERSION <= highest:
            self._refuse(frame.session, Reason.NO_COMMON_VERSION)
        elif security != self._security:
            self._refuse(frame.session, Reason.OTHER_SECURITY)
        else:
            self._accept(frame.host, min(window, self._window), min(payload, self._payload), now_s)

    def _accept(self, host: int, window: int, payload: int, now_s: float) -> None:
        candidate = self._candidate
        if candidate is None or candidate.number >> 8 != host:
            candidate = Session(host << 8 | self._number, window, payload, now_s)
            self._candidate = candidate
            self._number = self._number % 0xFF + 1  # never 0, which stands for a session being opened
        candidate.since_s = now_s
        answer = bytes((VERSION, candidate.window, candidate.payload, self._security))
        self._line += encode(Frame(Kind.ACCEPT, candidate.number, payload=answer))

    def _reset(self, frame: Frame) -> None:
        if len(frame.payload) < 3:
            self.dropped += 1
        elif self._candidate is not None and frame.session == self._candidate.number:
            self._candidate = None
        elif self._standing is not None and frame.session == self._standing.number:
            self._end("reset")
        else:
            self.dropped += 1

    def _of_session(self, frame: Frame, now_s: float) -> None:
        candidate = self._candidate
        session = candidate if candidate is not None and frame.session == candidate.number else self._standing
        if session is None or frame.session != session.number:
            self.dropped += 1
            if frame.device != 0:
                self._refuse(frame.session, Reason.UNKNOWN_SESSION)
            return
        limit = (1, session.payload) if frame.kind is Kind.DATA else (0, 0)
        if not limit[0] <= len(frame.payload) <= limit[1]:
            self.dropped += 1
            return
        if session is candidate:
            self._confirmed(candidate)
        session.heard_at_s = now_s
        session.outgoing.acknowledged(frame.acknowledgement, now_s)
        if frame.kind is Kind.NAK:
            self._send_data(session, session.outgoing.again(now_s), now_s)
        elif frame.kind is Kind.DATA:
            self._is_missing |= session.incoming.is_gap(frame.sequence)
            arrived = session.incoming.data(frame.sequence, frame.payload, now_s)
            if arrived:
                self._happened.append(Arrived(arrived))

    def _confirmed(self, candidate: Session) -> None:
        self._end("replaced")
        self._candidate = None
        self._standing = candidate
        self._happened.append(Stands(candidate.number))

    def _lose(self, why: str) -> None:
        if self._standing is not None:
            self._send_reset(self._standing.number, Reason.LOST)
        self._end(why)

    def _end(self, why: str) -> None:
        if self._standing is not None:
            self._standing = None
            self._happened.append(Lost(why))

    def _refuse(self, session: int, reason: Reason) -> None:
        if not self._reset_sent:
            self._send_reset(session, reason)
            self._reset_sent = True

    def _send_reset(self, session: int, reason: Reason) -> None:
        self._line += encode(Frame(Kind.RESET, session, payload=bytes((reason, VERSION, VERSION))))

    def _send_data(self, session: Session, frames: list[Numbered], now_s: float) -> None:
        for number, payload in frames:
            self._line += session.frame(Kind.DATA, now_s, number, payload)

    def _send(self, session: Session, kind: Kind, now_s: float) -> None:
        self._line += session.frame(kind, now_s)

    def _count(self, skipped: Skipped) -> None:
        self.skipped[skipped.reason] = self.skipped.get(skipped.reason, 0) + len(skipped.raw)
