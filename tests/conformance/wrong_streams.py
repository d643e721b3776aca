"""Devices with a wrong stream: numbers, acknowledgements, repetitions (section 6)."""

import math
from collections.abc import Iterator
from typing import Final

from tests.conformance.defects import Defect, Parts
from tests.second_device import framing
from tests.second_device.framing import Frame, FrameReader, Kind, Skipped
from tests.second_device.link import DeviceLink
from tests.second_device.session import Session
from tests.second_device.stream import RETRY_S, Incoming, Numbered, Outgoing


class Mute(Session):
    """Sends no ACK."""

    def frame(self, kind: Kind, now_s: float, sequence: int = 0, payload: bytes = b"") -> bytes:
        return b"" if kind is Kind.ACK else super().frame(kind, now_s, sequence, payload)


class OldAcknowledgement(Session):
    """Does not acknowledge what has just come."""

    def frame(self, kind: Kind, now_s: float, sequence: int = 0, payload: bytes = b"") -> bytes:
        super().frame(kind, now_s, sequence, payload)
        return framing.encode(Frame(kind, self.number, sequence, 0, payload))


class HoldsFrames(Incoming):
    """Holds what comes too early, and delivers it behind the one it waited for, as if it had come then."""

    _early = b""

    def data(self, sequence: int, payload: bytes, now_s: float) -> bytes:
        if sequence == self.expected + 1:
            self._early = payload
        arrived = super().data(sequence, payload, now_s)
        if arrived and self._early:
            self.expected += 1
            arrived, self._early = arrived + self._early, b""
        return arrived


class NeverComplains(Incoming):
    """Sends no NAK."""

    def complains(self, _now_s: float) -> bool:
        return False


class AlwaysComplains(Incoming):
    """Sends NAK for whatever it drops."""

    def complains(self, _now_s: float) -> bool:
        return True


class TakesTwice(Incoming):
    """Delivers a frame that comes again once more."""

    def data(self, sequence: int, payload: bytes, now_s: float) -> bytes:
        return super().data(sequence, payload, now_s) or (payload if sequence == self.expected - 1 else b"")


class TakesEarly(Incoming):
    """Takes whatever comes next for the next."""

    def data(self, sequence: int, payload: bytes, now_s: float) -> bytes:
        self.expected = sequence if (sequence - self.expected) % 256 < 128 else self.expected
        return super().data(sequence, payload, now_s)


class DeafToDamage(FrameReader):
    """Does not say what it skipped."""

    def feed(self, data: bytes) -> Iterator[Frame | Skipped]:
        return (found for found in super().feed(data) if isinstance(found, Frame))


class GoesOn(Outgoing):
    """Numbers the frames of a new session from another number on."""

    def __init__(self, window: int, payload: int) -> None:
        super().__init__(window, payload)
        self._next = 1


class SendsOnce(Outgoing):
    """Sends nothing again."""

    @property
    def expires_at_s(self) -> float | None:
        return None

    def again(self, _now_s: float) -> list[Numbered]:
        return []


class WaitsLonger(Outgoing):
    """Doubles the time until it sends again."""

    _waits_s = 0.0

    @property
    def expires_at_s(self) -> float | None:
        usual_s = super().expires_at_s
        return usual_s if usual_s is None else usual_s + self._waits_s

    def again(self, now_s: float) -> list[Numbered]:
        self._waits_s = 0.25 + 2 * self._waits_s
        return super().again(now_s)


class CountsFromTheFirst(Outgoing):
    """Gives a session up although something new is acknowledged."""

    def acknowledged(self, expected: int, now_s: float) -> None:
        before_s = self._heeded_s
        super().acknowledged(expected, now_s)
        self._heeded_s = before_s


class NeverGivesUp(Outgoing):
    """Sends a frame again for ever."""

    def is_hopeless(self, _now_s: float) -> bool:
        return False


class NewPayloads(Outgoing):
    """Sends other bytes under the same number."""

    def again(self, now_s: float) -> list[Numbered]:
        self.under_way = [(number, payload + b"\0") for number, payload in self.under_way]
        return super().again(now_s)


class NoWindow(Outgoing):
    """Sends four frames whatever the window is."""

    def __init__(self, _window: int, payload: int) -> None:
        super().__init__(4, payload)


class LongFrames(Outgoing):
    """Sends long frames whatever was agreed."""

    def __init__(self, window: int, _payload: int) -> None:
        super().__init__(window, 64)


class BelievesAll(Outgoing):
    """Takes an acknowledgement of what was not sent for one of all that was."""

    def acknowledged(self, expected: int, now_s: float) -> None:
        if self.under_way and (expected - self.under_way[0][0]) % 256 > len(self.under_way):
            expected = self._next
        super().acknowledged(expected, now_s)


class RepeatsTheOldest(Outgoing):
    """Sends only the oldest frame again."""

    def again(self, now_s: float) -> list[Numbered]:
        return super().again(now_s)[:1]


class DeafToComplaints(DeviceLink):
    """A NAK is an ACK to it."""

    def _of_session(self, frame: Frame, now_s: float) -> None:
        kind = Kind.ACK if frame.kind is Kind.NAK else frame.kind
        super()._of_session(Frame(kind, frame.session, frame.sequence, frame.acknowledgement, frame.payload), now_s)


class AnswersLate(Incoming):
    """Acknowledges after 25 ms."""

    def data(self, sequence: int, payload: bytes, now_s: float) -> bytes:
        arrived = super().data(sequence, payload, now_s)
        self.answer_by_s = now_s + 0.025
        return arrived


class AnswersNothingByItself(Incoming):
    """Acknowledges with what the application sends, and with keep-alives."""

    def data(self, sequence: int, payload: bytes, now_s: float) -> bytes:
        arrived = super().data(sequence, payload, now_s)
        self.answer_by_s = None
        return arrived


class ComplainsWithAcknowledgements(DeviceLink):
    """Sends NAK when it is time for ACK: a quarter of a second late."""

    _wanted_at_s: float | None = None

    def receive(self, data: bytes, now_s: float) -> None:
        standing = self._standing
        before = len(self._line)
        super().receive(data, now_s)
        if standing is None or standing is not self._standing:
            return
        nak = framing.encode(Frame(Kind.NAK, standing.number, 0, standing.incoming.expected))
        if self._line[before:] == nak:
            del self._line[before:]
            self._wanted_at_s = now_s + 0.1

    @property
    def due_s(self) -> float | None:
        times = [time for time in (super().due_s, self._wanted_at_s) if time is not None]
        return min(times, default=None)

    def tick(self, now_s: float) -> None:
        super().tick(now_s)
        if self._wanted_at_s is not None and now_s >= self._wanted_at_s:
            self._wanted_at_s = None
            if self._standing is not None:
                self._send(self._standing, Kind.NAK, now_s)


class WaitsForTheEnd(FrameReader):
    """Says that a run is too long when it has ended."""

    _kept: Skipped | None = None

    def feed(self, data: bytes) -> Iterator[Frame | Skipped]:
        if b"\0" in data and self._kept is not None:
            yield self._kept
            self._kept = None
        for found in super().feed(data):
            if isinstance(found, Skipped) and found.reason == "length":
                self._kept = found
            else:
                yield found


class BelievesALittle(Outgoing):
    """Takes an acknowledgement of frames within twice the window for one of all that were sent."""

    def acknowledged(self, expected: int, now_s: float) -> None:
        if self.under_way and len(self.under_way) < (expected - self.under_way[0][0]) % 256 <= 2 * self._window:
            expected = self._next
        super().acknowledged(expected, now_s)


class WaitsHalfAsLong(Outgoing):
    """Sends again after 0.45 s."""

    @property
    def expires_at_s(self) -> float | None:
        usual_s = super().expires_at_s
        return None if usual_s is None else usual_s + 0.2


class ComplainsOnce(Incoming):
    """Sends no NAK again until the expected frame has arrived."""

    def complains(self, now_s: float) -> bool:
        complains = super().complains(now_s)
        if complains:
            self._quiet_until_s = math.inf
        return complains


class ComplainsTooOften(Incoming):
    """Sends NAK again within RETRY_S."""

    def complains(self, now_s: float) -> bool:
        return super().complains(now_s) or now_s < self._quiet_until_s - RETRY_S / 8


class MissesAGapOfOne(Incoming):
    """Complains only if two frames or more are missing."""

    def is_gap(self, sequence: int) -> bool:
        return super().is_gap(sequence) and sequence != self.expected + 1


class RetriesTooSoon(Outgoing):
    """Does not count anew when something is acknowledged."""

    def acknowledged(self, expected: int, now_s: float) -> None:
        before = self._counted_from_s
        super().acknowledged(expected, now_s)
        self._counted_from_s = before


class CountsFromTheLast(Outgoing):
    """Does not count from the first frame sent with none under way."""

    def new(self, now_s: float) -> list[Numbered]:
        before_s = self._counted_from_s
        frames = super().new(now_s)
        self._counted_from_s = before_s
        return frames


class AcknowledgesWithoutEnd(DeviceLink):
    """Sends ACK every 2 ms."""

    @property
    def due_s(self) -> float | None:
        usual_s, standing = super().due_s, self._standing
        return usual_s if standing is None or usual_s is None else min(usual_s, standing.sent_at_s + 0.002)

    def tick(self, now_s: float) -> None:
        super().tick(now_s)
        if self._standing is not None and now_s >= self._standing.sent_at_s + 0.002:
            self._send(self._standing, Kind.ACK, now_s)


class ZeroAfter254(Outgoing):
    """Has no DATA 255."""

    def new(self, now_s: float) -> list[Numbered]:
        self._next %= 255
        return super().new(now_s)


class WaitsThoughItArrived(Incoming):
    """Waits for RETRY_S with another NAK, though the expected frame has arrived since."""

    def data(self, sequence: int, payload: bytes, now_s: float) -> bytes:
        quiet_until_s = self._quiet_until_s
        arrived = super().data(sequence, payload, now_s)
        self._quiet_until_s = quiet_until_s
        return arrived


STREAMS: Final = [
    Defect("complains once", ("stream.complains-again",), Parts(incoming=ComplainsOnce)),
    Defect("misses a gap of one frame", ("stream.complains-of-each-gap",), Parts(incoming=MissesAGapOfOne)),
    Defect(
        "counts on after an acknowledgement",
        ("stream.waits-after-an-acknowledgement",),
        Parts(outgoing=RetriesTooSoon),
    ),
    Defect("sends its first frame again at once", ("stream.sends-again",), Parts(outgoing=CountsFromTheLast)),
    Defect("acknowledges without end", ("stream.sends-keep-alive",), Parts(link=AcknowledgesWithoutEnd)),
    Defect("has no DATA 255", ("stream.numbers-go-round",), Parts(outgoing=ZeroAfter254)),
    Defect("complains too often", ("stream.complains-again",), Parts(incoming=ComplainsTooOften)),
    Defect("waits though it arrived", ("stream.complains-again",), Parts(incoming=WaitsThoughItArrived)),
    Defect("acknowledges late", ("stream.acknowledges-within-10-ms",), Parts(incoming=AnswersLate)),
    Defect("acknowledges with messages", ("stream.acknowledges-within-10-ms",), Parts(incoming=AnswersNothingByItself)),
    Defect("complains late", ("stream.complains-at-once",), Parts(link=ComplainsWithAcknowledgements)),
    Defect("complains of a run at its end", ("stream.complains-at-once",), Parts(reader=WaitsForTheEnd)),
    Defect("believes a little", ("stream.acknowledgement-of-what-was-not-sent",), Parts(outgoing=BelievesALittle)),
    Defect("sends again after 0.45 s", ("stream.sends-again",), Parts(outgoing=WaitsHalfAsLong)),
    Defect("continues counting", ("session.a-new-session-starts-over",), Parts(outgoing=GoesOn)),
    Defect("sends no ACK", ("stream.sends-keep-alive",), Parts(session=Mute)),
    Defect("acknowledges nothing", ("stream.acknowledges-at-once",), Parts(session=OldAcknowledgement)),
    Defect("holds frames", ("stream.out-of-order-dropped",), Parts(incoming=HoldsFrames)),
    Defect(
        "never complains", ("stream.out-of-order-dropped", "stream.complains-of-damage"), Parts(incoming=NeverComplains)
    ),
    Defect("always complains", ("stream.out-of-order-dropped",), Parts(incoming=AlwaysComplains)),
    Defect("says nothing of damage", ("stream.complains-of-damage",), Parts(reader=DeafToDamage)),
    Defect("delivers twice", ("stream.duplicate-answered-and-dropped",), Parts(incoming=TakesTwice)),
    Defect(
        "delivers out of order",
        ("stream.out-of-order-dropped", "stream.beyond-the-window-dropped"),
        Parts(incoming=TakesEarly),
    ),
    Defect(
        "sends once",
        (
            "stream.sends-again",
            "stream.acknowledgement-of-what-was-not-sent",
            "stream.over-a-lossy-line",
        ),
        Parts(outgoing=SendsOnce),
    ),
    Defect("waits longer", ("stream.sends-again",), Parts(outgoing=WaitsLonger)),
    Defect(
        "gives up a slow host", ("stream.slow-acknowledgements-keep-the-session",), Parts(outgoing=CountsFromTheFirst)
    ),
    Defect("never gives up", ("stream.gives-up",), Parts(outgoing=NeverGivesUp)),
    Defect("repeats other bytes", ("stream.sends-again",), Parts(outgoing=NewPayloads)),
    Defect("no window", ("stream.window-respected",), Parts(outgoing=NoWindow)),
    Defect("too long frames", ("stream.payload-respected",), Parts(outgoing=LongFrames)),
    Defect("believes all", ("stream.acknowledgement-of-what-was-not-sent",), Parts(outgoing=BelievesAll)),
    Defect("repeats the oldest", ("stream.goes-back-at-nak",), Parts(outgoing=RepeatsTheOldest)),
    Defect("is deaf to NAK", ("stream.goes-back-at-nak",), Parts(link=DeafToComplaints)),
]
