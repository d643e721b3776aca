"""One end of TDP: link, TLS and messages (``docs/protocols/tdp.md``, section 1).

Write ``bytes_to_send`` after each ``receive``, each ``send`` and at each deadline.
"""

import contextlib
from typing import Final, Literal

import msgspec

from protocols.errors import ProtocolError
from protocols.garbage import Garbage
from protocols.tdp.codec import LENGTH_BYTES, encode_message, refusal_for
from protocols.tdp.commands import DeviceCommand, EventAcknowledged
from protocols.tdp.handshake import Security, Terms
from protocols.tdp.link import (
    Link,
    LinkError,
    LinkEvent,
    LossReason,
    Received,
    SessionLost,
    SessionOpened,
    SessionRefused,
)
from protocols.tdp.messages import Message
from protocols.tdp.reader import MessageReader
from protocols.tdp.states import Role
from protocols.tdp.tls import CertificateFault, Secured, TlsContext, TlsFailed, TlsMisconfigured, TlsStream

AFTER_FAILURE_S: Final = 2.0
"""After a failure of TLS or an unreadable stream: the longest pause between openings."""

STALLED_S: Final = 10.0
"""Seconds for a handshake or a record; 4 kB of certificates take 4 s at 9600 baud."""

EndReason = LossReason | Literal["insecure", "unreadable"]


class EndpointNotReady(ProtocolError):
    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message: Final = message

    def __str__(self) -> str:
        return f"{type(self.message).__name__} cannot be sent: no session is ready; wait for EndpointReady"


class EndpointReady(msgspec.Struct, frozen=True):
    """A session is established.

    Attributes:
        peer_certificate: DER; None: the line is plain.
    """

    session: int
    peer_certificate: bytes | None


class EndpointLost(msgspec.Struct, frozen=True):
    """Unacknowledged messages may or may not have arrived."""

    reason: EndReason


class TlsRejected(msgspec.Struct, frozen=True):
    """Wrong peer, or bytes changed on the way; a person must act."""

    why: str
    untrusted: CertificateFault | None = None


class MessageReceived(msgspec.Struct, frozen=True):
    message: Message


EndpointEvent = EndpointReady | EndpointLost | SessionRefused | TlsRejected | MessageReceived | Garbage


class Endpoint:
    def __init__(
        self,
        role: Role,
        token: int,
        terms: Terms | None = None,
        context: TlsContext | None = None,
        server_hostname: str | None = None,
    ) -> None:
        """Window 4, payload 224 and TLS unless ``terms`` differ.

        Raises:
            TlsMisconfigured: TLS is set and there is no context.
        """
        self.role: Final = role
        self.link: Final = Link(role, token, terms)
        if self.link.terms.security is Security.TLS13 and context is None:
            raise TlsMisconfigured("a certificate and whom to trust: none was given")
        self._context: Final = context
        self._server_hostname: Final = server_hostname
        self.ready = False
        self.unreadable = 0
        self._session: int | None = None  # whose bytes are read; the link may be further on already
        self._tls: TlsStream | None = None
        self._reader = MessageReader()
        self._events: list[EndpointEvent] = []
        self._unfinished: tuple[int, float] | None = None

    @property
    def next_deadline_s(self) -> float | None:
        """When to call ``receive`` and ``bytes_to_send`` at the latest; None: not by itself."""
        link_s = self.link.next_deadline_s
        if self._unfinished is None:
            return link_s
        stalled_s = self._unfinished[1] + STALLED_S
        return stalled_s if link_s is None else min(link_s, stalled_s)

    @property
    def backlog(self) -> int:
        """Bytes that wait to be sent or acknowledged."""
        return self.link.backlog

    def open(self, now_s: float) -> None:
        """The host opens sessions, the device accepts them."""
        self.link.open(now_s)

    def close(self) -> None:
        self._forget()
        self.link.close()

    def line_lost(self, now_s: float) -> None:
        self.link.line_lost(now_s)

    def send(self, message: Message) -> None:
        """``EventAcknowledged`` waits ``ACK_WITHIN_S`` for a command.

        Raises:
            EndpointNotReady: no session is ready.
            LinkError: the other end accepts no data.
        """
        if not self.ready:
            raise EndpointNotReady(message)
        data = encode_message(message)
        if self._tls is not None:
            self._tls.send(data)
            data = self._tls.bytes_to_send()
        self.link.send(data, waits=isinstance(message, EventAcknowledged))

    def receive(self, data: bytes, now_s: float) -> list[EndpointEvent]:
        """Events in order; ``data`` empty: only a deadline passed; ``now_s`` never decreases."""
        for event in self.link.receive(data, now_s):
            self._on_link_event(event, now_s)
        self._watch(now_s)
        events, self._events = self._events, []
        return events

    def bytes_to_send(self, now_s: float) -> bytes:
        """They count as sent."""
        return self.link.bytes_to_send(now_s)

    def _watch(self, now_s: float) -> None:
        # End a session whose handshake or record is never finished: the link alone would keep it for ever.
        tls = self._tls
        # While a handshake waits for the other end to acknowledge what it was sent, GIVE_UP_S of the link decides.
        is_unheard = tls is not None and not tls.secured and self.link.backlog > 0
        if tls is None or is_unheard or not tls.is_unfinished:
            self._unfinished = None
        elif self._unfinished is None or self._unfinished[0] != tls.records:
            self._unfinished = (tls.records, now_s)
        elif self._unfinished[1] + STALLED_S <= now_s:
            what = "a record" if tls.secured else "the handshake"
            self._events.append(TlsRejected(f"{what} was begun and not finished in {STALLED_S:g} s"))
            self._give_up("insecure", now_s)

    def _on_link_event(self, event: LinkEvent, now_s: float) -> None:
        match event:
            case SessionOpened():
                self._begin(event)
            case SessionLost():
                self._end(event.reason)
            case Received():
                self._read(event.data, now_s)
            case _:
                self._events.append(event)

    def _begin(self, opened: SessionOpened) -> None:
        self._forget()
        self._session = opened.session
        if self._context is None or opened.terms.security is Security.PLAIN:
            self._get_ready(opened.session, None)
            return
        self._tls = TlsStream(self.role, self._context, self._server_hostname)
        self._flush(self._tls)

    def _get_ready(self, session: int, certificate: bytes | None) -> None:
        self.ready = True
        self._events.append(EndpointReady(session, certificate))

    def _read(self, data: bytes, now_s: float) -> None:
        session = self._session
        if session is None:
            return  # of a session that this end has just given up
        tls = self._tls
        if tls is None:
            self._cut(data, now_s)
            return
        try:
            items = tls.receive(data)
        except TlsFailed as error:
            self._events.append(TlsRejected(error.why, error.untrusted))
            self._give_up("insecure", now_s)
            return
        self._flush(tls)
        for item in items:
            if self._tls is not tls:
                return  # what came with the record that ended the session is of none
            if isinstance(item, Secured):
                self._get_ready(session, item.peer_certificate)
            else:
                self._cut(item.data, now_s)
        if tls.closed and self._tls is tls:
            self._give_up("closed", now_s)

    def _cut(self, data: bytes, now_s: float) -> None:
        reader = self._reader
        for item in reader.feed(data):
            if isinstance(item, Garbage):
                self._skip(item)
            elif isinstance(item, DeviceCommand | EventAcknowledged) is (self.role is Role.DEVICE):
                self._events.append(MessageReceived(item))
            else:
                self._skip(Garbage(encode_message(item)[LENGTH_BYTES:], "type"))
        if reader.broken:
            self._give_up("unreadable", now_s)

    def _skip(self, garbage: Garbage) -> None:
        self.unreadable += 1
        self._events.append(garbage)
        # Of a stream that cannot be read on nobody knows what is a command; its session ends, and says so.
        is_message = self.role is Role.DEVICE and not self._reader.broken
        refusal = refusal_for(garbage.raw) if is_message else None
        if refusal is not None:
            # A link that takes nothing more has a host that does not read, and one that ended TLS wants no answer.
            with contextlib.suppress(LinkError, TlsFailed):
                self.send(refusal)

    def _flush(self, tls: TlsStream) -> None:
        data = tls.bytes_to_send()
        if data and self.link.session == self._session:
            self.link.send(data)

    def _give_up(self, reason: EndReason, now_s: float) -> None:
        self._end(reason)
        self.link.close()
        self.link.open(now_s + (AFTER_FAILURE_S if self.role is Role.HOST else 0.0))

    def _end(self, reason: EndReason) -> None:
        was_ready = self.ready
        self._forget()
        if was_ready:
            self._events.append(EndpointLost(reason))

    def _forget(self) -> None:
        self.ready = False
        self._session = None
        self._tls = None
        self._unfinished = None
        self._reader = MessageReader()
