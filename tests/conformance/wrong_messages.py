"""Devices that say wrongly what is right, or read wrongly what is said (sections 7 and 8)."""

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Final

from tests.conformance.defects import Defect, Parts
from tests.second_device.device import Device
from tests.second_device.messages import (
    ImpossibleLengthError,
    MessageError,
    MessageReader,
    Type,
    Value,
    decode,
    encode,
)


def messages_of(data: bytes) -> Iterator[bytes]:
    """Whole messages, with their lengths."""
    at = 0
    while at < len(data):
        end = at + 2 + int.from_bytes(data[at : at + 2])
        yield data[at:end]
        at = end


class Altering(Device, ABC):
    """Alters each message that goes out; a subclass says how."""

    @abstractmethod
    def alter(self, raw: bytes) -> bytes:
        """A message as it goes out in place of this one."""

    def take_out(self) -> bytes:
        return b"".join(self.alter(raw) for raw in messages_of(super().take_out()))

    def changed(self, raw: bytes, kind: Type, **values: Callable[[int], Value]) -> bytes:
        """The message with other values in some fields, if it is of that type."""
        message = decode(raw[2:])
        if message.type is not kind:
            return raw
        fields = dict(message.fields)
        for name, change in values.items():
            value = fields[name]
            fields[name] = change(value if isinstance(value, int) else 0)
        return encode(kind, **fields)


class StatusFirst(Device):
    """Status before Hello."""

    def take_out(self) -> bytes:
        parts = list(messages_of(super().take_out()))
        if len(parts) > 1 and parts[0][2] == Type.HELLO:
            parts[:2] = reversed(parts[:2])
        return b"".join(parts)


class ReadsAByteMore(MessageReader):
    """Reads the first byte of the next message too."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        for body in super().feed(data):
            yield body + bytes(self._waiting[:1])


class AcknowledgedByNineBytes(Device):
    """Takes what begins as an acknowledgement, or is as long as one, for one."""

    def message(self, body: bytes, now_s: float) -> None:
        short, kind = body[:9], Type.EVENT_ACKNOWLEDGED
        is_one = len(short) == 9 and (body[0] == kind or (len(body) == 9 and body[0] < 0x50))
        super().message(bytes((kind,)) + short[1:] if is_one else body, now_s)


class NoSerial(Altering):
    def alter(self, raw: bytes) -> bytes:
        return self.changed(raw, Type.HELLO, serial=lambda _: "")


class OtherHello(Altering):
    """Another security counter in each session."""

    sessions = 0

    def alter(self, raw: bytes) -> bytes:
        self.sessions += raw[2] == Type.HELLO
        return self.changed(raw, Type.HELLO, security_counter=lambda _: self.sessions)


class FaultWithoutCode(Altering):
    """The condition "fault" without a fault."""

    def alter(self, raw: bytes) -> bytes:
        return self.changed(raw, Type.STATUS, conditions=lambda bits: bits | 4)


class RareHeartbeats(Altering):
    """Every other heartbeat."""

    beats = 0

    def alter(self, raw: bytes) -> bytes:
        self.beats += raw[2] == Type.HEARTBEAT
        return b"" if raw[2] == Type.HEARTBEAT and self.beats % 2 else raw


class EmptyHeartbeats(Altering):
    """Says that nothing waits."""

    def alter(self, raw: bytes) -> bytes:
        return self.changed(raw, Type.HEARTBEAT, pending=lambda _: 0)


class OldHeartbeats(Altering):
    """Names the event before the last."""

    def alter(self, raw: bytes) -> bytes:
        return self.changed(raw, Type.HEARTBEAT, last=lambda number: max(number - 1, 0))


class AnswersAll(Device):
    """Refuses what it cannot read."""

    def message(self, body: bytes, now_s: float) -> None:
        before = len(self.invalid)
        super().message(body, now_s)
        if len(self.invalid) > before:
            self._out += encode(Type.REFUSED, id=0, reason=1)


class SilentAtUnknown(Device):
    """Does not answer a command that it cannot read."""

    def message(self, body: bytes, now_s: float) -> None:
        with contextlib.suppress(MessageError):
            decode(body)
            super().message(body, now_s)


class LateHeartbeat(Altering):
    """Its first heartbeat comes a second late."""

    first = False

    def alter(self, raw: bytes) -> bytes:
        self.first |= raw[2] == Type.HELLO
        if self.first and raw[2] == Type.HEARTBEAT:
            self.first = False
            return b""
        return raw


class StatusBeforeEvents(Device):
    """Status before the event that changed it."""

    def take_out(self) -> bytes:
        parts = list(messages_of(super().take_out()))
        greeting = parts[:1] if parts and parts[0][2] == Type.HELLO else []
        rest = sorted(parts[len(greeting) :], key=lambda raw: raw[2] != Type.STATUS)
        return b"".join([*greeting, *rest])


class OtherSerial(Altering):
    """Another serial number in each session."""

    sessions = 0

    def alter(self, raw: bytes) -> bytes:
        self.sessions += raw[2] == Type.HELLO
        return self.changed(raw, Type.HELLO, serial=lambda _: f"SN-{self.sessions}")


class StopsAtUnknown(Device):
    """Hears nothing more after a message that it cannot read."""

    def message(self, body: bytes, now_s: float) -> None:
        if not self.invalid:
            super().message(body, now_s)


class DoneWithoutMeters(Device):
    """Done before Meters."""

    def take_out(self) -> bytes:
        parts = list(messages_of(super().take_out()))
        meters = [raw for raw in parts if raw[2] == Type.METERS]
        return b"".join([*(raw for raw in parts if raw not in meters), *meters])


class FallingMeters(Altering):
    left = 1000

    def alter(self, raw: bytes) -> bytes:
        self.left -= raw[2] == Type.METERS
        return self.changed(raw, Type.METERS, misfeeds=lambda _: self.left)


class NoStatusLater(Device):
    """Says Status once in a session."""

    def _make_status(self) -> bytes:
        return self._status if self._status and self._heartbeat_at_s is not None else super()._make_status()


class TellsTheNextCard(Device):
    """Shows the next card in the position of the key."""

    def _make_status(self) -> bytes:
        cards = self.mechanism._cards  # noqa: SLF001  the defect is there
        key, self.mechanism.key = self.mechanism.key, cards[-1] if cards else 0
        status = super()._make_status()
        self.mechanism.key = key
        return status


class TellsItsIndex(Device):
    """Shows the card after the next, in a code of its own, in the high byte of its hidden conditions."""

    def _make_status(self) -> bytes:
        cards = self.mechanism._cards  # noqa: SLF001  the defect is there
        card = cards[-2] if len(cards) > 1 else 0x11
        hidden = 13 * ((card >> 4) - 1) + (card & 15) - 1 ^ 0x55
        message = decode(super()._make_status()[2:])
        return encode(Type.STATUS, **{**message.fields, "conditions": message.number("conditions") | hidden << 8})


class OwnMessages(Device):
    """Sends a message that the page does not know."""

    def session_began(self, now_s: float) -> None:
        super().session_began(now_s)
        self._out += b"\x00\x03\xa0\x01\x02"


class AnyMessageLength(MessageReader):
    """Goes on behind a length that cannot be."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        try:
            yield from super().feed(data)
        except ImpossibleLengthError:
            self._waiting.clear()


class WholeMessagesOnly(MessageReader):
    """Keeps no half message."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        yield from super().feed(data)
        self._waiting.clear()


class OneMessageEach(MessageReader):
    """Reads one message of what came at once."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        yield from list(super().feed(data))[:1]


class NoBootReason(Altering):
    """Says no reason of its start in Hello."""

    def alter(self, raw: bytes) -> bytes:
        return self.changed(raw, Type.HELLO, boot_reason=lambda _reason: 0)


MESSAGES: Final = [
    Defect(
        "takes nine bytes for an acknowledgement",
        ("events.acknowledgement-is-read-whole",),
        Parts(device=AcknowledgedByNineBytes),
    ),
    Defect("no boot reason", ("power.boot-reason-is-reported",), Parts(device=NoBootReason)),
    Defect(
        "takes any length",
        ("messages.length-zero-ends-the-session", "messages.length-1025-ends-the-session"),
        Parts(messages=AnyMessageLength),
    ),
    Defect("keeps no half message", ("messages.message-in-pieces",), Parts(messages=WholeMessagesOnly)),
    Defect("reads a byte of the next message", ("messages.messages-in-one-frame",), Parts(messages=ReadsAByteMore)),
    Defect("one message at a time", ("messages.messages-in-one-frame",), Parts(messages=OneMessageEach)),
    Defect(
        "is silent where it cannot read",
        ("commands.unknown-command-refused", "commands.wrong-length-refused", "commands.bad-values-refused"),
        Parts(device=SilentAtUnknown),
    ),
    Defect("a late heartbeat", ("messages.first-heartbeat-at-once",), Parts(device=LateHeartbeat)),
    Defect("Status before events", ("events.event-before-status",), Parts(device=StatusBeforeEvents)),
    Defect(
        "another serial number each time",
        ("messages.hello-stays-the-same", "run.identity-stays"),
        Parts(device=OtherSerial),
    ),
    Defect("Status before Hello", ("messages.hello-then-status",), Parts(device=StatusFirst)),
    Defect("no serial number", ("messages.hello-is-plausible",), Parts(device=NoSerial)),
    Defect("another Hello each time", ("messages.hello-stays-the-same",), Parts(device=OtherHello)),
    Defect("a fault without a code", ("messages.status-is-consistent",), Parts(device=FaultWithoutCode)),
    Defect("rare heartbeats", ("messages.heartbeat-each-second",), Parts(device=RareHeartbeats)),
    Defect("heartbeats that count nothing", ("events.heartbeat-counts-what-waits",), Parts(device=EmptyHeartbeats)),
    Defect("heartbeats with an old number", ("messages.heartbeat-each-second",), Parts(device=OldHeartbeats)),
    Defect(
        "answers what it cannot read",
        ("messages.unknown-type-skipped", "messages.wrong-length-skipped", "messages.reports-skipped"),
        Parts(device=AnswersAll),
    ),
    Defect(
        "stops at what it cannot read",
        ("messages.unknown-type-skipped", "messages.wrong-length-skipped"),
        Parts(device=StopsAtUnknown),
    ),
    Defect("Done before Meters", ("commands.meters-then-done",), Parts(device=DoneWithoutMeters)),
    Defect("a meter that falls", ("commands.meters-never-go-back",), Parts(device=FallingMeters)),
    Defect(
        "Status once",
        ("events.status-follows-the-cards", "events.count-grows-with-each-card"),
        Parts(device=NoStatusLater),
    ),
    Defect("tells the next card", ("secrecy.nothing-tells-the-next-card",), Parts(device=TellsTheNextCard)),
    Defect("tells the card after the next", ("secrecy.nothing-tells-the-next-card",), Parts(device=TellsItsIndex)),
    Defect("messages of its own", ("secrecy.no-message-of-its-own",), Parts(device=OwnMessages)),
]
