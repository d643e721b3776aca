"""A host within one session of TDP, written for checking: every habit of a good host can be switched off.

It knows the same page as ``protocols.tdp.link`` and shares no code of the link with it, so that a mistake there does
not hide the same mistake of a device.
"""

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from conformance.tdp.ledger import Ledger
from conformance.tdp.limits import ANSWER_S, COMMAND_S
from conformance.tdp.line import FrameLine, Heard
from conformance.verdict import Unmet, require
from protocols.errors import FrameError
from protocols.garbage import Garbage
from protocols.tdp import handshake
from protocols.tdp.codec import encode_message
from protocols.tdp.commands import DeviceCommand, EventAcknowledged
from protocols.tdp.events import DeviceEvent, EventKey
from protocols.tdp.framing import SEQUENCES, Frame, Kind, encode_frame
from protocols.tdp.handshake import Terms
from protocols.tdp.messages import Done, Heartbeat, Message, Refused, Status
from protocols.tdp.reader import MessageReader
from protocols.tdp.timing import ALIVE_AFTER_S, RETRY_S
from protocols.tdp.tls import Secured, TlsFailed, TlsStream

if TYPE_CHECKING:
    from conformance.bench import Bench

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Taken:
    """A message, or what could not be read as one.

    Attributes:
        at_s: when it was complete.
        message: the message.
    """

    at_s: float
    message: Message | Garbage


@dataclass(slots=True)
class _Sent:
    sequence: int
    payload: bytes
    sent_s: float


class Session:
    """One session at the host's end, from ``ACCEPT`` on.

    Args:
        bench: clock, and notes of what is observed.
        line: the frames.
        ledger: the events of the whole run.
        number: of the session.
        terms: what was agreed.
        tls: what protects the stream, or None where it is plain.

    Attributes:
        acknowledges: answer ``DATA`` at once.
        keeps_alive: send ``ACK`` when nothing else was sent for 0.4 s.
        resends: send a frame again that is not acknowledged.
        confirms: acknowledge each event.
        readable: cut the stream into messages; not where it is something else.
        frozen: what every frame acknowledges in place of the truth, if not None.
        ended: why the device ended the session, as the reason in its ``RESET``; else None.
        log: every message since the session opened.
        inbox: those that no check has taken yet.
        status: the newest ``Status``.
        data: every ``DATA`` frame of the session that came, repeats too.
        strays: frames of other sessions.
        stream: the bytes of the stream, where no TLS is on them.
        certificate: the device's, DER; empty where there is none.
    """

    def __init__(
        self, bench: "Bench", line: FrameLine, ledger: Ledger, number: int, terms: Terms, tls: TlsStream | None = None
    ) -> None:
        self._bench: Final = bench
        self._line: Final = line
        self._ledger: Final = ledger
        self.number: Final = number
        self.terms: Final = terms
        self.acknowledges = True
        self.keeps_alive = True
        self.resends = True
        self.confirms = True
        self.readable = True
        self.frozen: int | None = None
        self.ended: int | None = None
        self.log: Final[list[Taken]] = []
        self.inbox: Final[list[Taken]] = []
        self.status: Status | None = None
        self.data: Final[list[Heard]] = []
        self.strays: Final[list[Heard]] = []
        self.stream: Final = bytearray()
        self.certificate = b""
        self.expected = 0
        self.next = 0
        self.secured = tls is None
        self._tls: Final = tls
        self._acknowledged_before: Final = ledger.acknowledged
        self._told_keys: Final[list[EventKey]] = []
        self._queue = bytearray()
        self._in_flight: Final[deque[_Sent]] = deque()
        self._owes = False
        self._sent_s = bench.now_s()
        self._reader: Final = MessageReader()
        self._chance: tuple[random.Random, int] | None = None
        if tls is not None:
            self._queue += tls.bytes_to_send()

    # --- frames -----------------------------------------------------------------------------------------------------

    def send_frame(
        self, kind: Kind, sequence: int = 0, payload: bytes = b"", acknowledgement: int | None = None
    ) -> None:
        """Send one frame of this session, whatever the state of the stream."""
        told = self._told if acknowledgement is None else acknowledgement
        self._line.send(Frame(kind, self.number, sequence, told, payload))
        self._sent_s = self._bench.now_s()

    def framed(self, data: bytes) -> bytes:
        """The next ``DATA`` frame as bytes, for a caller that writes it; from now on it is under way."""
        now_s = self._bench.now_s()
        frame = Frame(Kind.DATA, self.number, self.next, self._told, data)
        self._in_flight.append(_Sent(self.next, data, now_s))
        self.next = (self.next + 1) % SEQUENCES
        self._sent_s = now_s
        return encode_frame(frame)

    @property
    def idle(self) -> bool:
        """True if everything that was sent is acknowledged."""
        return not (self._queue or self._in_flight)

    def pump(self, duration_s: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Be a host, for ``duration_s`` seconds or until a condition holds; return whether it holds."""
        end_s = self._bench.now_s() + duration_s
        self._push()
        while not until():
            now_s = self._bench.now_s()
            if now_s >= end_s or self.ended is not None:
                return False
            heard = self._line.next(min(end_s, self._due_s()))
            if heard is not None:
                self._hear(heard)
            if not self._line.more:
                self._push()
        return True

    def loses(self, rng: random.Random, one_in: int) -> None:
        """From now on lose one frame in so many in each direction, by chance; 0: none."""
        self._chance = (rng, one_in)

    def serve(self, duration_s: float) -> None:
        """Be a host for a while, or only listen if the session has ended: for whoever waits for something else."""
        if self.ended is None:
            self.pump(duration_s)
        else:
            self._line.all_for(duration_s)

    # --- messages ---------------------------------------------------------------------------------------------------

    def sealed(self, data: bytes) -> bytes:
        """Return what goes into the stream for ``data``: the same, or records of TLS."""
        if self._tls is None:
            return data
        self._tls.send(data)
        return self._tls.bytes_to_send()

    def send(self, message: Message) -> None:
        """Send a message in the stream."""
        self.send_bytes(encode_message(message))

    def send_bytes(self, data: bytes) -> None:
        """Send bytes as if they were messages."""
        self._queue += self.sealed(data)
        self._push()

    def send_raw(self, data: bytes) -> None:
        """Append bytes to the stream as they are."""
        self._queue += data
        self._push()

    def take(self, kind: type[M], within_s: float, expected: str, where: Callable[[M], bool] = lambda _one: True) -> M:
        """Wait for the first message of a kind that no check has taken yet; take it out of the inbox.

        Args:
            kind: its type.
            within_s: how long to wait, seconds.
            expected: in words, for the report.
            where: what else must hold of it.

        Raises:
            Unmet: it did not come.
        """
        found: list[Taken] = []

        def there() -> bool:
            for taken in self.inbox:
                if isinstance(taken.message, kind) and where(taken.message):
                    found.append(taken)
                    return True
            return False

        self.pump(within_s, there)
        if not found:
            raise Unmet(f"{expected} within {within_s:g} s", self._seen())
        self.inbox.remove(found[0])
        message = found[0].message
        if not isinstance(message, kind):
            raise TypeError(message)
        return message

    def none_of(
        self, kind: type[M], for_s: float, expected: str, where: Callable[[M], bool] = lambda _one: True
    ) -> None:
        """Wait ``for_s`` seconds and make sure that no message of a kind comes.

        Raises:
            Unmet: one came.
        """
        self.pump(for_s, lambda: any(isinstance(taken.message, kind) and where(taken.message) for taken in self.inbox))
        for taken in self.inbox:
            if isinstance(taken.message, kind) and where(taken.message):
                raw = encode_message(taken.message) if not isinstance(taken.message, Garbage) else taken.message.raw
                raise Unmet(expected, f"{taken.message}", raw)

    def forget(self) -> None:
        """Empty the inbox: what comes from now on is what counts."""
        self.inbox.clear()

    def do(self, command: DeviceCommand, within_s: float = COMMAND_S) -> Done | Refused:
        """Send a command and return its answer.

        Raises:
            Unmet: none came.
        """
        self.send(command)
        return self.answer(command, within_s)

    def answer(self, command: DeviceCommand, within_s: float = COMMAND_S) -> Done | Refused:
        """Wait for the answer to a command.

        Raises:
            Unmet: none came.
        """
        answer: Done | Refused = self.take(
            Done | Refused,  # type: ignore[arg-type]  # isinstance takes a union, type[M] does not
            within_s,
            f"Done or Refused for {command}",
            lambda one: one.id == command.id,
        )
        return answer

    def confirm(self, key: EventKey) -> None:
        """Acknowledge every event up to ``key``."""
        self._ledger.confirm(key)
        self.send(EventAcknowledged(key.boot, key.number))

    def events(self) -> list[DeviceEvent]:
        """The events of this session so far."""
        return [taken.message for taken in self.log if isinstance(taken.message, DeviceEvent)]

    # --- inside -----------------------------------------------------------------------------------------------------

    @property
    def _told(self) -> int:
        return self.expected if self.frozen is None else self.frozen

    def _due_s(self) -> float:
        due = [self._bench.now_s() + ANSWER_S]
        if self.keeps_alive:
            due.append(self._sent_s + ALIVE_AFTER_S)
        if self.resends and self._in_flight:
            due.append(self._in_flight[0].sent_s + RETRY_S)
        return min(due)

    def _push(self) -> None:
        if self.ended is not None:
            return
        now_s = self._bench.now_s()
        frames: list[Frame] = []
        if self.resends and self._in_flight and self._in_flight[0].sent_s + RETRY_S <= now_s:
            for sent in self._in_flight:
                sent.sent_s = now_s
                frames.append(Frame(Kind.DATA, self.number, sent.sequence, self._told, sent.payload))
        while self._queue and len(self._in_flight) < self.terms.window:
            payload = bytes(self._queue[: self.terms.payload_max])
            del self._queue[: self.terms.payload_max]
            self._in_flight.append(_Sent(self.next, payload, now_s))
            frames.append(Frame(Kind.DATA, self.number, self.next, self._told, payload))
            self.next = (self.next + 1) % SEQUENCES
        if self._owes and self.acknowledges and not frames:
            frames.append(Frame(Kind.ACK, self.number, 0, self._told))
        if not frames and self.keeps_alive and self._sent_s + ALIVE_AFTER_S <= now_s:
            frames.append(Frame(Kind.ACK, self.number, 0, self._told))
        if frames:
            self._owes = False
            self._sent_s = now_s
            arriving = [frame for frame in frames if not self._is_lost()]
            if arriving:
                self._line.send(*arriving)

    def _hear(self, heard: Heard) -> None:
        frame = heard.frame
        if frame.session != self.number:
            self.strays.append(heard)
            return
        if self._is_lost():
            return
        if frame.kind is Kind.RESET:
            try:
                self.ended = handshake.decode_reset(frame.payload).reason
            except FrameError:
                self.ended = 0
            return
        self._acknowledged(frame.acknowledgement)
        if frame.kind is Kind.NAK:
            for sent in self._in_flight:
                sent.sent_s = 0.0
        if frame.kind is Kind.DATA:
            self.data.append(heard)
            self._owes = True
            self._arrange(frame)

    def _is_lost(self) -> bool:
        if self._chance is None:
            return False
        rng, one_in = self._chance
        return one_in > 0 and rng.randrange(one_in) == 0

    def _acknowledged(self, expected: int) -> None:
        if not self._in_flight:
            return
        count = (expected - self._in_flight[0].sequence) % SEQUENCES
        if count <= len(self._in_flight):
            for _ in range(count):
                self._in_flight.popleft()

    def _arrange(self, frame: Frame) -> None:
        if frame.sequence == self.expected:
            self.expected = (self.expected + 1) % SEQUENCES
            self._read(frame.payload)

    def _read(self, data: bytes) -> None:
        if self._tls is None:
            self.stream.extend(data)
            if self.readable:
                self._cut(data)
            return
        try:
            items = self._tls.receive(data)
        except TlsFailed as error:
            raise Unmet("records of TLS 1.3 that can be read", error.why, data) from error
        self._queue += self._tls.bytes_to_send()
        for item in items:
            if isinstance(item, Secured):
                self.secured = True
                self.certificate = item.peer_certificate
            else:
                self._cut(item.data)

    def _cut(self, data: bytes) -> None:
        now_s = self._bench.now_s()
        for item in self._reader.feed(data):
            taken = Taken(now_s, item)
            self.log.append(taken)
            self.inbox.append(taken)
            if isinstance(item, Status):
                self.status = item
            elif isinstance(item, Heartbeat):
                self._ledger.beat(item, self._told_keys)
            elif isinstance(item, DeviceEvent):
                self._told_keys.append(item.key)
                self._ledger.take(item, item, acknowledged_before=self._acknowledged_before)
                if self.confirms:
                    self._ledger.confirm(item.key)
                    self._queue += self.sealed(encode_message(EventAcknowledged(item.boot, item.number)))
        require(not self._reader.broken, "messages of length 1 to 1024", "an impossible length", data)

    def _seen(self) -> str:
        if self.ended is not None:
            return f"the device ended the session, RESET {self.ended}"
        if not self.log:
            return "no message at all"
        return "the last messages were " + ", ".join(type(taken.message).__name__ for taken in self.log[-4:])
