"""Our link with one thing wrong each, as the model's ``BUG`` has it."""

from dataclasses import dataclass
from typing import ClassVar, Final

from msgspec.structs import replace

from protocols.tdp.channel import Channel
from protocols.tdp.framing import HALF, SEQUENCES, Frame, FrameKind
from protocols.tdp.handshake import Terms
from protocols.tdp.link import Link
from protocols.tdp.states import Role


class TakesEarly(Channel):
    """Takes a frame beyond the one expected."""

    def data(self, sequence: int, payload: bytes, now_s: float) -> bytes:
        if (sequence - self.expected) % SEQUENCES < self._window:
            self.expected = sequence
        return super().data(sequence, payload, now_s)


class TakesTwice(Channel):
    """Takes a frame that it knows."""

    def data(self, sequence: int, payload: bytes, now_s: float) -> bytes:
        if (sequence - self.expected) % SEQUENCES >= self._window:
            self.expected = sequence
        return super().data(sequence, payload, now_s)


class BelievesAll(Channel):
    """Takes any acknowledgement for one of all that is under way."""

    def acknowledged(self, expected: int, now_s: float) -> None:
        under_way = len(self._in_flight)
        if (expected - self._first) % SEQUENCES > under_way:
            expected = (self._first + under_way) % SEQUENCES
        super().acknowledged(expected, now_s)


class SendsOnce(Channel):
    """Sends nothing again when its time is over."""

    def frames(self, now_s: float) -> list[tuple[int, bytes]]:
        self._timer_s = now_s
        return super().frames(now_s)


class Wrong(Link):
    """A link whose channel is another one."""

    channel: ClassVar[type[Channel]] = Channel

    def _begin(self, session: int, terms: Terms, now_s: float) -> None:
        super()._begin(session, terms, now_s)
        self._channel = self.channel(terms.window, terms.payload_max)


class TakesEarlyLink(Wrong):
    channel = TakesEarly


class TakesTwiceLink(Wrong):
    channel = TakesTwice


class BelievesAllLink(Wrong):
    channel = BelievesAll


class SendsOnceLink(Wrong):
    channel = SendsOnce


class ComplaintAcknowledges(Link):
    """Acknowledges in a NAK what it complains of."""

    def _session_frames(self, session: int, now_s: float) -> list[Frame]:
        frames = super()._session_frames(session, now_s)
        return [
            replace(frame, acknowledgement=(frame.acknowledgement + 1) % SEQUENCES)
            if frame.kind is FrameKind.NAK
            else frame
            for frame in frames
        ]


class OpenEnds(Link):
    """An OPEN with another number ends the session that stands."""

    def _on_open(self, frame: Frame, now_s: float) -> None:
        if self.session is not None and self.session // HALF != frame.session // HALF:
            self._drop("replaced")
        super()._on_open(frame, now_s)


class KeepsNumbers(Link):
    """Goes on expecting in a new session what it expected in the one before."""

    def _begin(self, session: int, terms: Terms, now_s: float) -> None:
        expected = self._channel.expected
        super()._begin(session, terms, now_s)
        self._channel.expected = expected


class AnySession(Link):
    """Takes frames of any session for those of its own, at the host."""

    def _on_session_frame(self, frame: Frame, now_s: float) -> None:
        if self.role is Role.HOST and self.session is not None:
            frame = replace(frame, session=self.session)
        super()._on_session_frame(frame, now_s)


@dataclass(frozen=True, slots=True)
class Bug:
    """A defect of the model and of our link."""

    number: int
    link: type[Link]


BUGS: Final = [
    Bug(number, link)
    for number, link in enumerate(
        (
            TakesEarlyLink,
            TakesTwiceLink,
            BelievesAllLink,
            SendsOnceLink,
            ComplaintAcknowledges,
            OpenEnds,
            KeepsNumbers,
            AnySession,
        ),
        start=1,
    )
]
