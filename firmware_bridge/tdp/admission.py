"""Admission of a TDP device: it must attest, and its events wait."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Final

from drivers.errors import DriverError
from drivers.tdp import TdpDevice
from drivers.tdp_commands import TdpResult
from firmware_bridge.admission.device_gate import DeviceGate
from firmware_bridge.admission.verifier import refused
from firmware_bridge.tdp.attestation import VERIFY_CODES, AttestationExchange, AttestationRequest
from firmware_bridge.tdp.session import IN_FLIGHT_MAX
from firmware_bridge.trust.codes import TrustCode
from protocols.tdp.events import DeviceEvent
from protocols.tdp.messages import Attestation, Heartbeat, Hello, Message
from protocols.tdp.tls import CertificateFault
from regulations.events.inputs import AnyInput

_NAMELESS: Final = refused("identity", TrustCode.NOT_ATTESTED, "the device has not said who it is")


class TdpAdmission:
    """Per session and shoe; methods take the guard unless noted."""

    def __init__(
        self,
        admission: DeviceGate,
        guard: threading.Lock,
        device: TdpDevice,
        *,
        can_attest: bool,
        will_report: Callable[[Sequence[AnyInput]], None],
        report: Callable[[Sequence[AnyInput]], None],
        replay: Callable[[Message, float], None],
    ) -> None:
        self._admission: Final = admission
        self._guard: Final = guard
        self._device: Final = device
        self._can_attest: Final = can_attest
        self._will_report: Final = will_report
        self._report: Final = report
        self._replay: Final = replay
        self.exchange: Final = AttestationExchange()
        self._waiting: list[tuple[Message, float]] = []
        self._distrusted: CertificateFault | None = None

    @property
    def _requests(self) -> bool:
        return self._can_attest and self._admission.judges

    def connected(self, session: int, certificate: bytes | None) -> list[AnyInput]:
        """With the guard held; ``certificate``: DER, ``None`` on a plain line."""
        self._distrusted = None
        self.exchange.session(session, certificate)
        return self.begin()

    def disconnected(self) -> None:
        """The session is over; with the guard held."""
        self.exchange.over()
        self._waiting.clear()

    def shoe_begun(self) -> list[AnyInput]:
        """The device must attest again; with the guard held."""
        # Without a judge no verdict could differ: then the log has what the session began with.
        return self.begin() if self._admission.judges else []

    def begin(self) -> list[AnyInput]:
        if self._requests:
            self._admission.begin()
            self.exchange.want()
            return []
        if self.exchange.hello is None:
            # Its line is plain: it is judged as soon as it says who it is.
            self._admission.begin()
            return []
        return self._admission.by_name(self.exchange.hello)

    def holds(self, message: Message, now_s: float) -> bool:
        """Keep a message that waits for the decision; with the guard held."""
        holds = self._admission.is_pending and isinstance(message, DeviceEvent | Heartbeat)
        if holds and len(self._waiting) < IN_FLIGHT_MAX:
            # More than a device keeps itself, which tells it again in the next session.
            self._waiting.append((message, now_s))
        return holds

    def apply(self, message: Message) -> list[AnyInput]:
        """Take evidence of the device's identity; the verdict, where it needs no question. With the guard held."""
        if isinstance(message, Attestation):
            self.exchange.on_attestation(message)
        elif isinstance(message, Hello):
            self.exchange.hello = message
            if not (self._requests and self._admission.is_pending):
                return self.begin()
        return []

    def poll(self) -> None:
        """Send the request that is due, judge its answer (port's thread)."""
        with self._guard:
            question, answered = self.exchange.to_ask(), self.exchange.due()
            presented = None if answered is None else self.exchange.presented(answered)
            if question is not None:
                self._admission.begin()
        if question is not None:
            self._send(question)
        if answered is None:
            return
        # Files are read for it: outside of the guard, for which the table's thread may wait.
        judgement = _NAMELESS if presented is None else self._admission.judge.attesting(presented)
        with self._guard:
            events = self._admission.judged(judgement, None if presented is None else presented.hello)
            self._will_report(events)
        self._report(events)
        self.release()

    def release(self) -> None:
        """Replay waiting messages in order, after the decision (port's thread)."""
        with self._guard:
            if self._admission.is_pending:
                return
            waiting, self._waiting = self._waiting, []
        for message, now_s in waiting:
            self._replay(message, now_s)

    def on_untrusted(self, untrusted: CertificateFault) -> None:
        """Once: TLS refuses the certificate, so no session begins (port's thread)."""
        with self._guard:
            if not self._admission.judges or untrusted == self._distrusted:
                return
            self._distrusted = untrusted
            code = VERIFY_CODES.get(untrusted.number, TrustCode.UNKNOWN_ISSUER)
            events = self._admission.judged(refused("certificate", code, untrusted.text))
            self._will_report(events)
        self._report(events)

    def _send(self, question: AttestationRequest) -> None:
        try:
            result = self._device.send_command(question.command)
        except DriverError:
            with self._guard:
                self.exchange.not_asked(question)
        else:
            result.add_done_callback(lambda done: self._ended(question, done))

    def _ended(self, question: AttestationRequest, done: "Future[TdpResult]") -> None:
        with self._guard:
            self.exchange.ended(question, done)
