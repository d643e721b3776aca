"""Sessions with a TDP device, opened, kept and ended as a check wants it."""

import contextlib
from collections.abc import Callable
from typing import Final

from conformance.bench import Bench
from conformance.check_result import CheckSkipped, RequirementFailed
from conformance.tdp.ledger import EventLedger
from conformance.tdp.limits import (
    ANSWER_S,
    COMMAND_S,
    EVENTS_BEFORE_S,
    OPENING_S,
    SETTLE_S,
)
from conformance.tdp.line import FrameLine
from conformance.tdp.old_form import DIAGNOSIS, answers_old_form
from conformance.tdp.session import HostSession
from conformance.tdp.setup import TdpSetup
from protocols.errors import FrameError
from protocols.tdp import handshake
from protocols.tdp.codes import Capability
from protocols.tdp.framing import PAYLOAD_MAX, Frame, FrameKind, encode_frame
from protocols.tdp.handshake import Terms
from protocols.tdp.messages import Heartbeat, Hello, Status
from protocols.tdp.states import Role
from protocols.tdp.timing import RETRY_S, WINDOW_MAX
from protocols.tdp.tls import TlsContext, TlsStream

HALF: Final = 1 << 8
"""The host's half above, the device's below."""


def terms_of(accept: Frame) -> Terms:
    """The terms of an ``ACCEPT``.

    Raises:
        RequirementFailed: too short, another version, or a number outside its range.
    """
    try:
        return handshake.decode_answer(accept.payload)
    except FrameError as error:
        raise RequirementFailed(
            "an ACCEPT of version 1, window 1 to 4, payload 16 to 224", str(error), encode_frame(accept)
        ) from error


class SessionControl:
    def __init__(self, bench: Bench, setup: TdpSetup) -> None:
        self.bench: Final = bench
        self.setup: Final = setup
        self.line: Final = FrameLine(bench, setup.baud)
        self.ledger: Final = EventLedger()
        self.hellos: Final[list[Hello]] = []
        self.sessions: Final[list[HostSession]] = []
        self.host = bench.rng.randrange(1, HALF)
        self._standing: HostSession | None = None
        self._old_form: bool | None = None

    # --- checks -----------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        self.hang_up()
        self._settle()

    def end(self) -> None:
        """End the session: the device locks."""
        if self.bench.is_open:
            self.hang_up()

    def identity(self) -> dict[str, str]:
        """The identity in the newest ``Hello``."""
        if not self.hellos:
            return {}
        hello = self.hellos[-1]
        return {
            "maker": hello.maker,
            "model": hello.model,
            "serial": hello.serial,
            "hardware revision": str(hello.hardware_revision),
            "firmware": hello.firmware_version,
            "image digest": hello.image_digest.hex(),
            "security counter": str(hello.security_counter),
            "boot count": str(hello.boot_count),
            "capabilities": ", ".join(one.name.lower() for one in Capability if one in hello.capabilities and one.name),
        }

    def hang_up(self) -> None:
        """Once all that was sent has arrived: RESET could overtake it."""
        session, self._standing = self._standing, None
        if session is not None and session.ended is None:
            with contextlib.suppress(RequirementFailed):  # what a check has not asked for is not found here
                session.pump(ANSWER_S, lambda: session.idle)
        if session is not None and session.ended is None:
            session.close()

    def forget_session(self) -> None:
        self._standing = None

    def _settle(self) -> None:
        self.line.drain(SETTLE_S)
        self.line.begin()

    # --- sessions ---------------------------------------------------------------------------------------------------

    def terms(self, window: int = WINDOW_MAX, payload_max: int = PAYLOAD_MAX) -> Terms:
        """The terms offered, not more than the line carries in 0.1 s."""
        return Terms(window, payload_max, self.setup.security).at(self.setup.baud)

    def new_host(self) -> int:
        """A number that was not used lately."""
        self.host = self.host % (HALF - 1) + 1
        return self.host

    def offer(self, host: int, terms: Terms | None = None) -> Frame:
        """The ``OPEN`` for a host's number."""
        return Frame(FrameKind.OPEN, host * HALF, payload=handshake.encode_offer(terms or self.terms()))

    def accepted(self, host: int, terms: Terms | None = None, within_s: float = OPENING_S) -> Frame:
        """Send ``OPEN`` every 0.25 s until it is accepted; return the ``ACCEPT``."""
        end_s = self.bench.now_s() + within_s
        last = "nothing at all"
        while self.bench.now_s() < end_s:
            self.line.send(self.offer(host, terms))
            until_s = self.bench.now_s() + RETRY_S
            while (heard := self.line.next(until_s)) is not None:
                frame = heard.frame
                if frame.kind is FrameKind.ACCEPT and frame.session // HALF == host:
                    return frame
                last = f"{frame.kind.name} of session {frame.session:08X}"
                if frame.kind is FrameKind.RESET and frame.session == host * HALF:
                    last += f", reason {frame.payload[:1].hex()}"
        if self._old_form is None and not self.hellos:
            self._old_form = answers_old_form(self.line, self.new_host(), int(self.setup.security))
        raise RequirementFailed(
            f"ACCEPT for session {host:04X}·0 within {within_s:g} s", DIAGNOSIS if self._old_form else last
        )

    def accepted_beside(self, session: HostSession) -> Frame:
        host = self.new_host()
        for _ in range(int(OPENING_S / RETRY_S)):
            self.line.send(self.offer(host))
            session.pump(RETRY_S, lambda: any(heard.frame.session // HALF == host for heard in session.strays))
            for heard in session.strays:
                if heard.frame.session // HALF == host and heard.frame.kind is FrameKind.ACCEPT:
                    return heard.frame
        raise RequirementFailed(f"ACCEPT for session {host:04X}·0 beside the one that stands", "none")

    def open(self, terms: Terms | None = None, within_s: float = OPENING_S) -> HostSession:
        frame = self.accepted(self.new_host(), terms, within_s)
        return self.session_of(frame)

    def session_of(
        self, accept: Frame, kind: FrameKind = FrameKind.ACK, *, tls: bool = True, context: TlsContext | None = None
    ) -> HostSession:
        """Without ``tls`` the bytes are not cut into messages."""
        agreed = terms_of(accept)
        context = (context or self.setup.context) if tls else None
        stream = None if context is None else TlsStream(Role.HOST, context, self.setup.device_name)
        session = HostSession(self.bench, self.line, self.ledger, accept.session, agreed, stream)
        session.readable = self.setup.context is None or tls
        self._standing = session
        self.sessions.append(session)
        session.send_frame(kind)
        return session

    def ready(
        self,
        terms: Terms | None = None,
        within_s: float = OPENING_S,
        habits: Callable[[HostSession], None] | None = None,
    ) -> HostSession:
        """Open a session, receive ``Hello``, ``Status`` and all stored events; the inbox is empty then."""
        session = self.open(terms, within_s)
        if habits is not None:
            habits(session)
        self.greeted(session)
        self.drained(session)
        session.forget()
        return session

    def greeted(self, session: HostSession, within_s: float = COMMAND_S) -> tuple[Hello, Status]:
        """Wait for ``Hello`` and ``Status``, each ``within_s`` seconds."""
        hello = session.wait_for(Hello, within_s, "Hello")
        self.hellos.append(hello)
        return hello, session.wait_for(Status, within_s, "Status")

    def drained(self, session: HostSession) -> None:
        """Take the events that the device kept, until its first ``Heartbeat`` ends them and each is acknowledged."""
        session.pump(EVENTS_BEFORE_S, lambda: any(isinstance(taken.message, Heartbeat) for taken in session.log))
        session.pump(ANSWER_S, lambda: session.idle)

    @property
    def hello(self) -> Hello:
        """The newest ``Hello``."""
        return self.hellos[-1]

    def can(self, capability: Capability) -> bool:
        """True if the device says that it can do something."""
        return capability in self.hello.capabilities

    def needs(self, capability: Capability) -> None:
        """Continue only with a device that has a capability."""
        if not self.can(capability):
            raise CheckSkipped(f"the device does not say that it {(capability.name or '?').lower().replace('_', ' ')}")
