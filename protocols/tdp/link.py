"""One end of a link: opens, supervises and restarts sessions over a faulty line.

``docs/protocols/tdp.md``, sections 4 to 6; used as ``endpoint``, in the thread that reads the port.
"""

from typing import Final, Literal

import msgspec

from protocols.errors import FrameError, ProtocolError
from protocols.garbage import Garbage
from protocols.tdp import handshake
from protocols.tdp.channel import Channel
from protocols.tdp.framing import HALF, VERSION, Frame, FrameDecoder, FrameKind, encode_frame
from protocols.tdp.handshake import Reset, ResetReason, Terms
from protocols.tdp.states import TABLES, LinkInput, LinkState, Role
from protocols.tdp.timing import ALIVE_AFTER_S, RETRY_S, SILENCE_S

BACKLOG_MAX: Final = 64 * 1024
"""Half a minute at 19200 baud."""

LossReason = Literal["silence", "reset", "line", "unanswered", "replaced", "closed"]


class LinkError(ProtocolError):
    def __init__(self, state: LinkState, backlog: int, why: str) -> None:
        super().__init__(state, backlog, why)
        self.state: Final = state
        self.backlog: Final = backlog
        self.why: Final = why

    def __str__(self) -> str:
        return f"{self.why} (link {self.state.value}, {self.backlog} bytes waiting)"


class SessionOpened(msgspec.Struct, frozen=True):
    """An empty stream in both directions."""

    session: int
    terms: Terms


class SessionLost(msgspec.Struct, frozen=True):
    """Unless it was closed, the link opens the next."""

    session: int
    reason: LossReason


class SessionRefused(msgspec.Struct, frozen=True):
    """Versions or security differ; a person must act."""

    reason: int
    lowest: int
    highest: int


class Received(msgspec.Struct, frozen=True):
    """At least one byte."""

    data: bytes


LinkEvent = SessionOpened | SessionLost | SessionRefused | Received | Garbage


class Link:
    """``session`` None: none stands."""

    def __init__(self, role: Role, token: int, terms: Terms | None = None) -> None:
        """``token``, modulo 256, should differ between starts: random, or counted durably."""
        self.role: Final = role
        self.terms: Final = terms or Terms()
        self.state = LinkState.CLOSED
        self.session: int | None = None
        self.strange = 0
        self.repeated = 0
        self.duplicates = 0
        self.decoder: Final = FrameDecoder()
        self._table: Final = TABLES[role]
        self._token = token % HALF
        self._events: list[LinkEvent] = []
        self._control: list[Frame] = []
        self._agreed = self.terms  # of the session that stands
        self._channel = Channel(self.terms.window, self.terms.payload_max)
        self._candidate: tuple[int, Terms, float] | None = None  # session, terms, when it lapses
        self._open_due_s = 0.0
        self._heard_s = 0.0
        self._sent_s = 0.0

    @property
    def backlog(self) -> int:
        """Bytes of the session that wait to be sent or acknowledged."""
        return self._channel.backlog if self.session is not None else 0

    @property
    def next_deadline_s(self) -> float | None:
        """When to call ``receive`` and ``bytes_to_send`` at the latest; None: not by itself."""
        times: list[float] = []
        if self.state is LinkState.OPENING:
            times.append(self._open_due_s)
        if self._candidate is not None:
            times.append(self._candidate[2])
        if self.session is not None:
            times += [self._heard_s + SILENCE_S, self._sent_s + ALIVE_AFTER_S]
            channel_s = self._channel.deadline_s
            if channel_s is not None:
                times.append(channel_s)
        return min(times, default=None)

    def open(self, now_s: float) -> None:
        """No effect if it is open."""
        if self._go(LinkInput.OPENED):
            self._open_due_s = now_s

    def close(self) -> None:
        ending = [self.session, None if self._candidate is None else self._candidate[0]]
        self._control = [self._reset_frame(number, ResetReason.CLOSED) for number in ending if number is not None]
        self._drop("closed")
        self._candidate = None
        self._go(LinkInput.CLOSED)

    def line_lost(self, now_s: float) -> None:
        """Half frames must not join, and the device may be another."""
        self._events += self.decoder.reset()
        self._control.clear()
        self._lose("line", now_s)
        if self._candidate is not None:
            self._expire()

    def send(self, data: bytes, *, waits: bool = False) -> None:
        """Append ``data`` to the stream.

        Raises:
            LinkError: no session, or more than ``BACKLOG_MAX`` bytes would wait; nothing was appended.
        """
        if self.session is None:
            raise LinkError(self.state, 0, "no session stands: wait for SessionOpened")
        if self._channel.backlog + len(data) > BACKLOG_MAX:
            raise LinkError(self.state, self._channel.backlog, "the other end does not take what is sent: wait")
        self._channel.queue(data, waits=waits)

    def receive(self, data: bytes, now_s: float) -> list[LinkEvent]:
        """Events in order; ``data`` empty: only a deadline passed; ``now_s`` never decreases."""
        if self.state is not LinkState.CLOSED:
            for item in self.decoder.feed(data) if data else ():
                if isinstance(item, Garbage):
                    self._events.append(item)
                    self._channel.missed(now_s)
                else:
                    self._on_frame(item, now_s)
            self._watch(now_s)
        events, self._events = self._events, []
        return events

    def bytes_to_send(self, now_s: float) -> bytes:
        """They count as sent; losses found here are events of the next ``receive``."""
        self._watch(now_s)
        frames, self._control = self._control, []
        if self.state is LinkState.OPENING and self._open_due_s <= now_s:
            self._open_due_s = now_s + RETRY_S
            frames.append(Frame(FrameKind.OPEN, self._token * HALF, payload=handshake.encode_offer(self.terms)))
        if self.session is not None:
            frames += self._session_frames(self.session, now_s)
        return b"".join([encode_frame(frame) for frame in frames]) if frames else b""

    def _session_frames(self, session: int, now_s: float) -> list[Frame]:
        channel = self._channel
        before = channel.repeated
        expected = channel.expected
        frames = [
            Frame(FrameKind.DATA, session, number, expected, payload) for number, payload in channel.frames(now_s)
        ]
        self.repeated += channel.repeated - before
        if channel.complains:
            frames.append(Frame(FrameKind.NAK, session, 0, expected))
        if not frames and (channel.owes(now_s) or self._sent_s + ALIVE_AFTER_S <= now_s):
            frames.append(Frame(FrameKind.ACK, session, 0, expected))
        if frames:
            channel.frame_sent()
            self._sent_s = now_s
        return frames

    def _go(self, happened: LinkInput) -> bool:
        state = self._table.get((self.state, happened))
        if state is None:
            return False
        self.state = state
        return True

    def _on_frame(self, frame: Frame, now_s: float) -> None:
        try:
            if frame.kind is FrameKind.OPEN:
                self._on_open(frame, now_s)
            elif frame.kind is FrameKind.ACCEPT:
                self._on_accept(frame, now_s)
            elif frame.kind is FrameKind.RESET:
                self._on_reset(frame, now_s)
            else:
                self._on_session_frame(frame, now_s)
        except FrameError:
            self.strange += 1  # sound on the wire, but its payload breaks the page: a defect of the other end

    def _on_open(self, frame: Frame, now_s: float) -> None:
        if self.role is not Role.DEVICE or frame.session % HALF:
            self.strange += 1
            return
        if self.session is not None and frame.session // HALF == self.session // HALF:
            return  # a copy of the OPEN that led to the session that stands
        offer = handshake.decode_offer(frame.payload)
        if not offer.lowest <= VERSION <= offer.highest:
            self._control = [self._reset_frame(frame.session, ResetReason.VERSION)]
            return
        if offer.terms.security is not self.terms.security:
            self._control = [self._reset_frame(frame.session, ResetReason.SECURITY)]
            return
        known = self._candidate is not None and self._candidate[0] // HALF == frame.session // HALF
        if self._candidate is None or not known:
            self._token = self._token % (HALF - 1) + 1  # never 0: that half of a number means "being opened"
            terms = handshake.agreed(self.terms, offer.terms)
            self._candidate = (frame.session + self._token, terms, now_s)
            self._go(LinkInput.OFFER)
        session, terms, _ = self._candidate
        self._candidate = (session, terms, now_s + SILENCE_S)
        self._control = [Frame(FrameKind.ACCEPT, session, payload=handshake.encode_answer(terms))]

    def _on_accept(self, frame: Frame, now_s: float) -> None:
        if self.state is not LinkState.OPENING or frame.session // HALF != self._token:
            self.strange += self.session != frame.session
            return
        terms = handshake.decode_answer(frame.payload)
        is_ours = terms.security is self.terms.security and handshake.agreed(self.terms, terms) == terms
        if not is_ours or not frame.session % HALF:
            self.strange += 1
            return
        self._go(LinkInput.ANSWER)
        self._begin(frame.session, terms, now_s)
        # An acknowledgement confirms the session at once; data would do as well.
        self._channel.owe(now_s)

    def _on_reset(self, frame: Frame, now_s: float) -> None:
        reset = handshake.decode_reset(frame.payload)
        if frame.session == self.session:
            self._lose("reset", now_s)
        elif self._candidate is not None and frame.session == self._candidate[0]:
            self._expire()
        elif self.state is LinkState.OPENING and frame.session == self._token * HALF:
            self._events.append(SessionRefused(reset.reason, reset.lowest, reset.highest))
        else:
            self.strange += 1

    def _on_session_frame(self, frame: Frame, now_s: float) -> None:
        candidate = self._candidate
        confirms = candidate is not None and frame.session == candidate[0]
        if not confirms and frame.session != self.session:
            self.strange += 1
            if self.role is Role.DEVICE and frame.session % HALF and not self._control:
                # The host believes in a session from before we were restarted: tell it, instead of being silent.
                self._control = [self._reset_frame(frame.session, ResetReason.UNKNOWN_SESSION)]
            return
        terms = candidate[1] if candidate is not None and confirms else self._agreed
        if not (1 <= len(frame.payload) <= terms.payload_max if frame.kind is FrameKind.DATA else not frame.payload):
            # A defect of the other end, which ends no session: dropped as if it had not come.
            self.strange += 1
            return
        if candidate is not None and confirms:
            self._drop("replaced")
            self._candidate = None
            self._go(LinkInput.CONFIRMATION)
            self._begin(candidate[0], terms, now_s)
        channel = self._channel
        channel.acknowledged(frame.acknowledgement, now_s)
        self._heard_s = now_s
        if frame.kind is FrameKind.NAK:
            channel.go_back()
        if frame.kind is FrameKind.DATA:
            before = channel.duplicates
            data = channel.data(frame.sequence, frame.payload, now_s)
            self.duplicates += channel.duplicates - before
            if data:
                self._events.append(Received(data))

    def _watch(self, now_s: float) -> None:
        if self._candidate is not None and self._candidate[2] <= now_s:
            self._expire()
        if self.session is None:
            return
        silent = self._heard_s + SILENCE_S <= now_s
        if silent or self._channel.is_stuck(now_s):
            # It may be that only one direction is broken: then the other end need not wait for silence.
            self._control = [self._reset_frame(self.session, ResetReason.LOST)]
            self._lose("silence" if silent else "unanswered", now_s)

    def _begin(self, session: int, terms: Terms, now_s: float) -> None:
        self.session = session
        self._agreed = terms
        self._channel = Channel(terms.window, terms.payload_max)
        self._heard_s = self._sent_s = now_s
        self._events.append(SessionOpened(session, terms))

    def _drop(self, reason: LossReason) -> None:
        if self.session is not None:
            self._events.append(SessionLost(self.session, reason))
            self.session = None

    def _lose(self, reason: LossReason, now_s: float) -> None:
        if self.role is Role.HOST:
            self._open_due_s = now_s
            if self.session is not None:
                self._token = (self._token + 1) % HALF
        self._drop(reason)
        self._go(LinkInput.LOSS)

    def _expire(self) -> None:
        self._candidate = None
        self._go(LinkInput.EXPIRY)

    def _reset_frame(self, session: int, reason: ResetReason) -> Frame:
        return Frame(FrameKind.RESET, session, payload=handshake.encode_reset(Reset(reason)))
