"""The link of a device, sections 4 to 6. Bytes and time are arguments; nothing here waits or reads a clock."""

from tests.second_device.framing import PAYLOAD_MAX, VERSION, Frame, FrameReader, Kind, Skipped, encode
from tests.second_device.session import (
    ALIVE_AFTER_S,
    BACK_AFTER_S,
    CANDIDATE_S,
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
from tests.second_device.stream import Flight, TooOftenError


class DeviceLink:
    """The device's end.

    Args:
        security: that of this device; it is not negotiated.
        number: the first device number to give, 1 to 65535.
        window: frames it takes out of order, 1 to 4.
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
        self._reset_sent = False  # these three: within the batch being read
        self._must_answer = False
        self._has_answered = False
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
            times.append(self._candidate.since_s + CANDIDATE_S)
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
            self._send_flights(self._standing, self._standing.outgoing.new(now_s), now_s)

    def receive(self, data: bytes, now_s: float) -> None:
        """Take one batch of bytes from the line."""
        self._reset_sent = False
        self._must_answer = False
        self._has_answered = False
        for found in self._reader.feed(data):
            if isinstance(found, Skipped):
                self._count(found)
            elif self._is_open:
                self._frame(found, now_s)
        if (standing := self._standing) is not None:
            self._send_flights(standing, standing.outgoing.new(now_s), now_s)
            bits = standing.incoming.bits
            if self._must_answer and (bits or not self._has_answered):
                self._send(standing, Kind.ACK, now_s, sequence=bits)

    def tick(self, now_s: float) -> None:
        """Do what is due."""
        candidate = self._candidate
        if candidate is not None and now_s >= candidate.since_s + CANDIDATE_S:
            self._candidate = None
        standing = self._standing
        if standing is None:
            return
        if now_s >= standing.heard_at_s + SILENCE_S:
            self._lose("silence")
            return
        try:
            self._send_flights(standing, standing.outgoing.expired(now_s), now_s)
        except TooOftenError:
            self._lose("sent too often")
            return
        if now_s >= standing.sent_at_s + ALIVE_AFTER_S:
            self._send(standing, Kind.ALIVE, now_s)

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
        elif not lowest <= VERSION <= highest:
            self._refuse(frame.session, Reason.NO_COMMON_VERSION)
        elif security != self._security:
            self._refuse(frame.session, Reason.OTHER_SECURITY)
        elif self._standing is None or self._standing.number >> 16 != frame.host:
            self._accept(frame.host, min(window, self._window), min(payload, self._payload), now_s)

    def _accept(self, host: int, window: int, payload: int, now_s: float) -> None:
        candidate = self._candidate
        if candidate is None or candidate.number >> 16 != host:
            candidate = Session(host << 16 | self._number, window, payload, now_s)
            self._candidate = candidate
            self._number = self._number % 0xFFFF + 1  # never 0, which stands for a session being opened
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
            self._confirmed(candidate, now_s)
        was_away = now_s - session.heard_at_s >= BACK_AFTER_S
        session.heard_at_s = now_s
        bits = frame.sequence if frame.kind is Kind.ACK else None
        try:
            again = session.outgoing.acknowledged(frame.acknowledgement, bits, now_s)
            if was_away and not again:
                again = session.outgoing.other_end_back(now_s)
        except TooOftenError:
            self._lose("sent too often")
            return
        if frame.kind is Kind.DATA:
            self._must_answer = True
            self._has_answered = False  # what went before carries an older acknowledgement
            arrived = session.incoming.data(frame.sequence, frame.payload)
            if arrived:
                self._happened.append(Arrived(arrived))
        self._send_flights(session, again, now_s)

    def _confirmed(self, candidate: Session, now_s: float) -> None:
        self._end("replaced")
        self._candidate = None
        self._standing = candidate
        candidate.heard_at_s = candidate.sent_at_s = now_s
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
        """Answer with a ``RESET``, once for each batch."""
        if not self._reset_sent:
            self._send_reset(session, reason)
            self._reset_sent = True

    def _send_reset(self, session: int, reason: Reason) -> None:
        self._line += encode(Frame(Kind.RESET, session, payload=bytes((reason, VERSION, VERSION))))

    def _send_flights(self, session: Session, flights: list[Flight], now_s: float) -> None:
        for flight in flights:
            self._has_answered = True
            self._line += session.frame(Kind.DATA, now_s, flight.sequence, flight.payload)

    def _send(self, session: Session, kind: Kind, now_s: float, sequence: int = 0) -> None:
        self._line += session.frame(kind, now_s, sequence)

    def _count(self, skipped: Skipped) -> None:
        self.skipped[skipped.reason] = self.skipped.get(skipped.reason, 0) + len(skipped.raw)
