"""The attestation of one device, from the request to the evidence.

Use with the bridge's guard held; a request is valid in its session only.
"""

import secrets
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final

from drivers.tdp_commands import NONCE_BYTES, NoAnswer, TdpResult
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.facts import DeviceEvidence
from protocols.tdp.commands import Attest
from protocols.tdp.messages import Attestation, Hello

VERIFY_CODES: Final = {
    9: TrustCode.NOT_YET_VALID,
    10: TrustCode.EXPIRED,
    23: TrustCode.REVOKED,
    26: TrustCode.IDENTITY_DIFFERS,
    62: TrustCode.IDENTITY_DIFFERS,
}
"""OpenSSL's ``X509_V_ERR``; others mean the issuer."""


@dataclass(slots=True, eq=False)
class AttestationRequest:
    nonce: bytes
    command_id: int | None = None
    attestation: Attestation | None = None
    is_over: bool = False

    def command(self, command_id: int) -> Attest:
        self.command_id = command_id
        return Attest(command_id, self.nonce)


class AttestationExchange:
    def __init__(self, draw: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self._draw: Final = draw
        self._session: int | None = None
        self._certificate: bytes | None = None
        self._is_wanted = False
        self._question: AttestationRequest | None = None
        self.hello: Hello | None = None

    def session(self, number: int, certificate: bytes | None) -> None:
        if number != self._session:
            self._session, self._certificate, self.hello = number, certificate, None

    @property
    def waits(self) -> bool:
        return self._is_wanted or self._question is not None

    def want(self) -> None:
        """Earlier requests count no more."""
        self._is_wanted, self._question = True, None

    def over(self) -> None:
        """The session is gone."""
        self._is_wanted, self._question = False, None

    def to_ask(self) -> AttestationRequest | None:
        if not self._is_wanted:
            return None
        self._is_wanted = False
        self._question = AttestationRequest(self._draw(NONCE_BYTES))
        return self._question

    def not_asked(self, question: AttestationRequest) -> None:
        """The request is still due, unless another came meanwhile."""
        if question is self._question:
            self.want()

    def on_attestation(self, told: Attestation) -> None:
        question = self._question
        if question is not None and told.id == question.command_id:
            question.attestation = told

    def ended(self, question: AttestationRequest, done: "Future[TdpResult]") -> None:
        """The next session repeats the request."""
        if done.exception() is None:
            result = done.result()
            question.is_over = not (isinstance(result, NoAnswer) and result.is_lost)

    def due(self) -> AttestationRequest | None:
        """The question that is over and not judged yet; said once."""
        question = self._question
        if question is None or not question.is_over:
            return None
        self._question = None
        return question

    def presented(self, question: AttestationRequest) -> DeviceEvidence | None:
        """The evidence that the device has shown; ``None`` if it has not even said who it is."""
        if self.hello is None:
            return None
        return DeviceEvidence(
            certificate=self._certificate, hello=self.hello, nonce=question.nonce, attestation=question.attestation
        )
