"""A host within one session of TDP, written for checking."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec

from conformance.check_result import RequirementFailed, require
from conformance.tdp.ledger import EventLedger
from conformance.tdp.limits import COMMAND_S
from conformance.tdp.line import FrameLine, ReceivedFrame
from protocols.errors import FrameError
from protocols.garbage import Garbage
from protocols.tdp import handshake
from protocols.tdp.codec import encode_message
from protocols.tdp.commands import DeviceCommand, EventAcknowledged
from protocols.tdp.events import DeviceEvent, EventKey
from protocols.tdp.framing import HALF, SEQUENCES, Frame, FrameDecoder, FrameKind, encode_frame
from protocols.tdp.handshake import Terms
from protocols.tdp.link import Link, LinkError, LinkEvent, LossReason, Received, SessionLost
from protocols.tdp.messages import Done, Heartbeat, Message, Refused, Status
from protocols.tdp.reader import MessageReader
from protocols.tdp.states import Role
from protocols.tdp.tls import Secured, TlsFailed, TlsStream

if TYPE_CHECKING:
    from conformance.bench import Bench

M = TypeVar("M")

Filter = Callable[[Frame], bytes]
"""Changes a frame before it is sent: returns the bytes to send, or none."""


def silent(_frame: Frame) -> bytes:
    """Send nothing."""
    return b""


def acknowledging(number: int) -> Filter:
    """Have every frame acknowledge the same, whatever came."""
    return lambda frame: encode_frame(msgspec.structs.replace(frame, acknowledgement=number))


class ByHand:
    """Keeps ``DATA`` back for a check that sends it; ``ACK`` goes in its place, also where the link repeats it."""

    def __init__(self) -> None:
        self.frames: Final[list[Frame]] = []

    def __call__(self, frame: Frame) -> bytes:
        if frame.kind is not FrameKind.DATA:
            return encode_frame(frame)
        if all(kept.sequence != frame.sequence for kept in self.frames):
            self.frames.append(frame)
        return encode_frame(Frame(FrameKind.ACK, frame.session, 0, frame.acknowledgement))


@dataclass(frozen=True, slots=True)
class TimedItem:
    """A message, or what could not be read as one."""

    at_s: float
    message: Message | Garbage


class HostSession:
    """One session at the host's end, from ``ACCEPT`` on.

    Args:
        tls: protects the stream; None on a plain line.

    Attributes:
        ended: reason in the device's ``RESET``; else None.
        lost: why this host's link ended the session; else None.
        stream: the bytes of a plain stream.
        certificate: the device's, DER; empty on a plain line.
    """

    def __init__(
        self,
        bench: "Bench",
        line: FrameLine,
        ledger: EventLedger,
        number: int,
        terms: Terms,
        tls: TlsStream | None = None,
    ) -> None:
        self._bench: Final = bench
        self._line: Final = line
        self._ledger: Final = ledger
        self.number: Final = number
        self.terms: Final = terms
        self.filter: Filter = encode_frame
        self.hears: Callable[[Frame], bool] = lambda _frame: True
        self.confirms = True
        self.readable = True
        self.ended: int | None = None
        self.lost: LossReason | None = None
        self.log: Final[list[TimedItem]] = []
        self.inbox: Final[list[TimedItem]] = []
        self.status: Status | None = None
        self.data: Final[list[ReceivedFrame]] = []
        self.strays: Final[list[ReceivedFrame]] = []
        self.stream: Final = bytearray()
        self.certificate = b""
        self.expected = 0
        self.next = 0
        self.secured = tls is None
        self._tls: Final = tls
        self._acknowledged_before: Final = ledger.acknowledged
        self._told_keys: Final[list[EventKey]] = []
        self._reader: Final = MessageReader()
        self._outgoing: Final = FrameDecoder()
        self._link: Final = Link(Role.HOST, number // HALF, terms)
        self._link.open(bench.now_s())
        accept = Frame(FrameKind.ACCEPT, number, payload=handshake.encode_answer(terms))
        self._link.receive(encode_frame(accept), bench.now_s())
        require(self._link.session == number, "a session number whose lower half is not 0", number, accept.payload)
        if tls is not None:
            self._link.send(tls.bytes_to_send())

    # --- frames -----------------------------------------------------------------------------------------------------

    def send_frame(
        self, kind: FrameKind, sequence: int = 0, payload: bytes = b"", acknowledgement: int | None = None
    ) -> None:
        """Send one frame of this session past the link and the filter, whatever the state of the stream."""
        told = self.expected if acknowledgement is None else acknowledgement
        self._line.send(Frame(kind, self.number, sequence, told, payload))

    def close(self) -> None:
        """End the session, and say so."""
        self._link.close()
        self.filter = encode_frame
        self._push()

    @property
    def idle(self) -> bool:
        """True if everything that was sent is acknowledged."""
        return not self._link.backlog

    def pump(self, duration_s: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Be a host, for ``duration_s`` seconds or until a condition holds; return whether it holds."""
        end_s = self._bench.now_s() + duration_s
        self._push()
        while not until():
            now_s = self._bench.now_s()
            if now_s >= end_s or self.ended is not None:
                return False
            due_s = self._link.next_deadline_s
            heard = self._line.next(end_s if due_s is None else min(end_s, due_s))
            if heard is not None:
                self._on_frame(heard)
            if not self._line.more:
                self._push()
        return True

    def serve(self, duration_s: float) -> None:
        """Run the host for a while; after the end of the session only receive."""
        if self.ended is None:
            self.pump(duration_s)
        else:
            self._line.all_for(duration_s)

    # --- messages ---------------------------------------------------------------------------------------------------

    def sealed(self, data: bytes) -> bytes:
        """Return what goes into the stream for ``data``: the same, or records of TLS."""
        if self._tls is None:
            return data
        self._bench.tape.add_inside(self._bench.now_s(), ">", data)
        self._tls.send(data)
        return self._tls.bytes_to_send()

    def send(self, message: Message) -> None:
        """Send a message in the stream."""
        self.send_bytes(encode_message(message))

    def send_bytes(self, data: bytes) -> None:
        """Send bytes as if they were messages."""
        self.send_raw(self.sealed(data))

    def send_raw(self, data: bytes) -> None:
        """Append bytes to the stream as they are, unless it has ended."""
        self._queue(data)
        self._push()

    def wait_for(
        self, kind: type[M], within_s: float, expected: str, where: Callable[[M], bool] = lambda _one: True
    ) -> M:
        """Wait for the first message of a kind that no check has taken yet; take it out of the inbox.

        Args:
            within_s: how long to wait, seconds.
            where: what else must hold of it.

        Raises:
            RequirementFailed: it did not come.
        """
        found: list[TimedItem] = []

        def there() -> bool:
            for taken in self.inbox:
                if isinstance(taken.message, kind) and where(taken.message):
                    found.append(taken)
                    return True
            return False

        self.pump(within_s, there)
        if not found:
            raise RequirementFailed(f"{expected} within {within_s:g} s", self._seen())
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
            RequirementFailed: one came.
        """
        self.pump(for_s, lambda: any(isinstance(taken.message, kind) and where(taken.message) for taken in self.inbox))
        for taken in self.inbox:
            if isinstance(taken.message, kind) and where(taken.message):
                raw = encode_message(taken.message) if not isinstance(taken.message, Garbage) else taken.message.raw
                raise RequirementFailed(expected, f"{taken.message}", raw)

    def forget(self) -> None:
        """Empty the inbox: what comes from now on is what counts."""
        self.inbox.clear()

    def do(self, command: DeviceCommand, within_s: float = COMMAND_S) -> Done | Refused:
        """Send a command and return its answer.

        Raises:
            RequirementFailed: the device does something else, or is too late.
        """
        self.send(command)
        return self.wait_for_reply(command, within_s)

    def wait_for_reply(self, command: DeviceCommand, within_s: float = COMMAND_S) -> Done | Refused:
        """Wait for the answer to a command.

        Raises:
            RequirementFailed: the device does something else, or is too late.
        """
        answer: Done | Refused = self.wait_for(
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

    def _queue(self, data: bytes) -> None:
        if self._link.session is not None:
            try:
                self._link.send(data)
            except LinkError as error:
                raise RequirementFailed("acknowledgements of what was sent", str(error)) from error

    def _push(self) -> None:
        if self.ended is not None:
            return
        now_s = self._bench.now_s()
        self._happened(self._link.receive(b"", now_s))
        arriving = b""
        for frame in self._outgoing.feed(self._link.bytes_to_send(now_s)):
            # A link that has lost its session asks for the next: here the checks do.
            if isinstance(frame, Frame) and frame.session == self.number:
                if frame.kind is FrameKind.DATA and frame.sequence == self.next:
                    self.next = (self.next + 1) % SEQUENCES
                arriving += self.filter(frame)
        if arriving:
            self._line.send_raw(arriving)

    def _on_frame(self, heard: ReceivedFrame) -> None:
        frame = heard.frame
        if frame.session != self.number:
            self.strays.append(heard)
            return
        if not self.hears(frame):
            return
        if frame.kind is FrameKind.RESET:
            try:
                self.ended = handshake.decode_reset(frame.payload).reason
            except FrameError:
                self.ended = 0
            return
        if frame.kind is FrameKind.DATA:
            self.data.append(heard)
        self._happened(self._link.receive(encode_frame(frame), self._bench.now_s()))

    def _happened(self, events: Sequence[LinkEvent]) -> None:
        for event in events:
            if isinstance(event, Received):
                self.expected = (self.expected + 1) % SEQUENCES
                self._read(event.data)
            elif isinstance(event, SessionLost):
                self.lost = event.reason

    def _read(self, data: bytes) -> None:
        if self._tls is None:
            self.stream.extend(data)
            if self.readable:
                self._cut(data)
            return
        try:
            items = self._tls.receive(data)
        except TlsFailed as error:
            raise RequirementFailed("records of TLS 1.3 that can be read", error.why, data) from error
        self._queue(self._tls.bytes_to_send())
        for item in items:
            if isinstance(item, Secured):
                self.secured = True
                self.certificate = item.peer_certificate
            else:
                self._cut(item.data)

    def _cut(self, data: bytes) -> None:
        now_s = self._bench.now_s()
        for item in self._reader.feed(data):
            taken = TimedItem(now_s, item)
            if self._tls is not None:
                raw = item.raw if isinstance(item, Garbage) else encode_message(item)
                self._bench.tape.add_inside(now_s, "<", raw)
            self.log.append(taken)
            self.inbox.append(taken)
            if isinstance(item, Status):
                self.status = item
            elif isinstance(item, Heartbeat):
                self._ledger.beat(item, self._told_keys)
            elif isinstance(item, DeviceEvent):
                self._told_keys.append(item.key)
                self._ledger.apply(item, item, acknowledged_before=self._acknowledged_before)
                if self.confirms:
                    self._ledger.confirm(item.key)
                    self._queue(self.sealed(encode_message(EventAcknowledged(item.boot, item.number))))
        require(not self._reader.broken, "messages of length 1 to 1024", "an impossible length", data)

    def _seen(self) -> str:
        if self.ended is not None:
            return f"the device ended the session, RESET {self.ended}"
        if self.lost is not None:
            return f"the session was lost: {self.lost}"
        if not self.log:
            return "no message at all"
        unread = [taken.message for taken in self.log if isinstance(taken.message, Garbage)]
        if unread:
            first = unread[0]
            kind = f"type {first.raw[0]:02X}, {len(first.raw)} bytes"
            return f"a message that cannot be read ({kind}: {first.reason}): is the firmware of an older page?"
        return "the last messages were " + ", ".join(type(taken.message).__name__ for taken in self.log[-4:])
