"""Devices with a wrong stream: numbers, acknowledgements, repetitions (section 6)."""

from typing import Final

from tests.conformance.defects import Defect, Parts
from tests.second_device import framing
from tests.second_device.framing import Frame, Kind
from tests.second_device.session import Session
from tests.second_device.stream import Flight, Incoming, Outgoing

FOR_EVER_S: Final = 1e9


class Mute(Session):
    """Sends no ALIVE."""

    def frame(self, kind: Kind, now_s: float, sequence: int = 0, payload: bytes = b"") -> bytes:
        return b"" if kind is Kind.ALIVE else super().frame(kind, now_s, sequence, payload)


class OldAcknowledgement(Session):
    """Does not acknowledge what has just come."""

    def frame(self, kind: Kind, now_s: float, sequence: int = 0, payload: bytes = b"") -> bytes:
        self.sent_at_s = now_s
        return framing.encode(Frame(kind, self.number, sequence, 0, payload))


class HoldsNothing(Incoming):
    """Reports frames as held and forgets them."""

    def data(self, sequence: int, payload: bytes) -> bytes:
        if sequence == self.expected:
            self._held.clear()
        return super().data(sequence, payload)


class ReportsNothing(Incoming):
    """Holds frames and does not say so."""

    @property
    def bits(self) -> int:
        return 0


class TakesTwice(Incoming):
    """Delivers a frame that comes again once more."""

    def data(self, sequence: int, payload: bytes) -> bytes:
        return super().data(sequence, payload) or (payload if sequence == self.expected - 1 else b"")


class TakesEarly(Incoming):
    """Takes whatever comes next for the next."""

    def data(self, sequence: int, payload: bytes) -> bytes:
        self.expected = sequence if (sequence - self.expected) % 65536 < 32768 else self.expected
        return super().data(sequence, payload)


class WideWindow(Incoming):
    """Holds frames beyond the window."""

    def __init__(self, window: int) -> None:
        super().__init__(window + 8)


class GoesOn(Outgoing):
    """Numbers the frames of a new session from another number on."""

    def __init__(self, window: int, payload: int) -> None:
        super().__init__(window, payload)
        self._next = 1


class SendsOnce(Outgoing):
    """Sends nothing again."""

    def expired(self, now_s: float) -> list[Flight]:
        self.expires_at_s = now_s + FOR_EVER_S
        return []


class NeverDoubles(Outgoing):
    """Keeps its timeout."""

    def expired(self, now_s: float) -> list[Flight]:
        flights = super().expired(now_s)
        self.timing.timeout_s = 0.5
        self.expires_at_s = now_s + 0.5 if flights else self.expires_at_s
        return flights


class NeverGivesUp(Outgoing):
    """Sends a frame again for ever."""

    def expired(self, now_s: float) -> list[Flight]:
        for flight in self.flights:
            flight.tries = 1
        return super().expired(now_s)


class NewPayloads(Outgoing):
    """Sends other bytes under the same number."""

    def expired(self, now_s: float) -> list[Flight]:
        flights = super().expired(now_s)
        for flight in flights:
            flight.payload += b"\0"
        return flights


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

    def acknowledged(self, expected: int, bits: int | None, now_s: float) -> list[Flight]:
        if self.flights and (expected - self.flights[0].sequence) % 65536 > len(self.flights):
            expected = self._next
        return super().acknowledged(expected, bits, now_s)


class DeafToGaps(Outgoing):
    """Does not mind reports of a gap."""

    def acknowledged(self, expected: int, _bits: int | None, now_s: float) -> list[Flight]:
        return super().acknowledged(expected, None, now_s)


class RepeatsAll(Outgoing):
    """Sends everything again, that which is held too."""

    def expired(self, now_s: float) -> list[Flight]:
        return list(self.flights) if super().expired(now_s) else []

    def acknowledged(self, expected: int, bits: int | None, now_s: float) -> list[Flight]:
        again = super().acknowledged(expected, bits, now_s)
        return list(self.flights) if again else []


STREAMS: Final = [
    Defect("goes on counting", ("session.a-new-session-begins-anew",), Parts(outgoing=GoesOn)),
    Defect("sends no ALIVE", ("stream.says-that-it-is-there",), Parts(session=Mute)),
    Defect("acknowledges nothing", ("stream.acknowledges-at-once",), Parts(session=OldAcknowledgement)),
    Defect("reports and does not hold", ("stream.out-of-order-held",), Parts(incoming=HoldsNothing)),
    Defect("holds and does not report", ("stream.out-of-order-held",), Parts(incoming=ReportsNothing)),
    Defect("delivers twice", ("stream.duplicate-answered-and-dropped",), Parts(incoming=TakesTwice)),
    Defect("delivers out of order", ("stream.out-of-order-held",), Parts(incoming=TakesEarly)),
    Defect("holds beyond the window", ("stream.beyond-the-window-dropped",), Parts(incoming=WideWindow)),
    Defect(
        "sends once",
        (
            "stream.sends-again-and-doubles",
            "stream.gives-up",
            "stream.acknowledgement-of-what-was-not-sent",
            "stream.over-a-lossy-line",
        ),
        Parts(outgoing=SendsOnce),
    ),
    Defect("never doubles", ("stream.sends-again-and-doubles",), Parts(outgoing=NeverDoubles)),
    Defect("never gives up", ("stream.gives-up",), Parts(outgoing=NeverGivesUp)),
    Defect("repeats other bytes", ("stream.sends-again-and-doubles",), Parts(outgoing=NewPayloads)),
    Defect("no window", ("stream.window-respected",), Parts(outgoing=NoWindow)),
    Defect("too long frames", ("stream.payload-respected",), Parts(outgoing=LongFrames)),
    Defect("believes all", ("stream.acknowledgement-of-what-was-not-sent",), Parts(outgoing=BelievesAll)),
    Defect("is deaf to gaps", ("stream.gap-reported-twice",), Parts(outgoing=DeafToGaps)),
    Defect("repeats what is held", ("stream.gap-reported-twice",), Parts(outgoing=RepeatsAll)),
]
