"""The decision on a device: its evidence against enrolments and approvals.

All failures are reported at once; checks that depend on a failed one are left out.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final, Protocol

from cryptography import x509
from msgspec import Struct

from firmware_bridge.trust import certificates, keys
from firmware_bridge.trust.acts import AdmitDevice, EnrolDevice
from firmware_bridge.trust.codes import RESOLUTIONS, TrustCode
from firmware_bridge.trust.errors import KeyRefused
from firmware_bridge.trust.facts import DeviceEvidence, TrustCheck, Unit
from firmware_bridge.trust.registry import Registry
from firmware_bridge.trust.registry_rules import EnrolledDevice, RegistryState
from protocols.tdp.codes import BootState
from protocols.tdp.messages import Attestation

ATTESTED: Final = b"TDP/1 attestation\0"
"""Before the signed bytes (``docs/protocols/tdp.md``, section 11)."""


class TrustDecision(Struct, frozen=True):
    ok: bool
    attests: bool
    device: str
    checks: tuple[TrustCheck, ...]
    registry: str

    @property
    def refusals(self) -> tuple[TrustCheck, ...]:
        """The checks that do not hold."""
        return tuple(one for one in self.checks if not one.ok)


class ApprovedFirmware(Protocol):
    def refusal(self, unit: Unit, version: str, digest: str, security_counter: int) -> tuple[TrustCode, str]:
        """The reason why a firmware may not run, with a detail; ``ok`` if it may."""
        ...


def verdict(
    presented: DeviceEvidence,
    registry: Registry,
    approved: ApprovedFirmware | None,
    now: datetime,
    revoked: bytes | None,
) -> TrustDecision:
    """``approved`` ``None``: not imported; ``revoked``: PEM, ``None``: no device is admitted."""
    judge = _Verifier(presented, registry.book, now, revoked)
    checks = (
        *_registry(registry.book, now),
        *judge.certificate(),
        *judge.enrolment(),
        *judge.identity(),
        *judge.attestation(),
        *judge.firmware(approved),
    )
    name = judge.device.matter.name if judge.device else ""
    return TrustDecision(
        all(one.ok for one in checks), attests=True, device=name, checks=checks, registry=str(registry.head)
    )


def verdict_without_attestation(name: str, family: str, port: str, registry: Registry, now: datetime) -> TrustDecision:
    """``angel_eye`` and ``bee_tek``: by name and port, on two people's word."""
    found = registry.book.by_name(name)
    if found is None or not isinstance(found.matter, AdmitDevice):
        check = _bad("admission", TrustCode.CANNOT_ATTEST, f"{name} cannot attest and is not admitted")
    elif found.revoked is not None:
        check = _bad("admission", TrustCode.REVOKED, f"{name} was revoked: {found.reason}")
    elif (found.matter.family, found.matter.port) != (family, port):
        admitted = f"{found.matter.family} at {found.matter.port}"
        check = _bad(
            "admission", TrustCode.IDENTITY_DIFFERS, f"{name} was admitted as {admitted}, and is {family} at {port}"
        )
    else:
        persons = f"{found.proposed_by} and {found.approved_by}"
        detail = f"{name} cannot attest; {persons} admitted it on {found.at}: {found.matter.reason}"
        check = TrustCheck("admission", True, TrustCode.CANNOT_ATTEST, detail, *RESOLUTIONS[TrustCode.CANNOT_ATTEST])  # noqa: FBT003  the field is named ok
    checks = (*_registry(registry.book, now), check)
    ok = all(one.ok for one in checks)
    return TrustDecision(ok, attests=False, device=name, checks=checks, registry=str(registry.head))


def _registry(book: RegistryState, now: datetime) -> Iterator[TrustCheck]:
    # Does the registry count still? One of last year does not know who was revoked since.
    if now > book.expires:
        detail = (
            f"two persons last approved something in it on {book.renewed_at}; it counted until {book.expires:%Y-%m-%d}"
        )
        yield _bad("registry", TrustCode.REGISTRY_EXPIRED, detail)


class _Verifier:
    def __init__(self, presented: DeviceEvidence, book: RegistryState, now: datetime, revoked: bytes | None) -> None:
        self._presented: Final = presented
        self._book: Final = book
        self._now: Final = now
        self._crl: Final = revoked
        self._certificate: x509.Certificate | None = None
        self._key = b""
        self.device: EnrolledDevice | None = None
        hello = presented.hello
        self._unit: Final = Unit(hello.maker, hello.model, hello.serial)

    def certificate(self) -> Iterator[TrustCheck]:
        der = self._presented.certificate
        if not der:
            yield _bad("certificate", TrustCode.NO_CERTIFICATE, "the line is plain: the device shows no certificate")
            return
        try:
            certificate = certificates.parse(der, "what the device shows")
            self._key = keys.public_bytes(certificates.key_of(certificate))
        except KeyRefused as error:
            yield _bad("certificate", error.code, error.what)
            return
        self._certificate = certificate
        if not certificates.is_issued_by(certificate, self._book.authority):
            yield _bad("certificate", TrustCode.UNKNOWN_ISSUER, f"issued by {certificate.issuer.rfc4514_string()}")
        elif self._now > certificate.not_valid_after_utc:
            yield _bad("certificate", TrustCode.EXPIRED, f"valid until {certificate.not_valid_after_utc:%Y-%m-%d}")
        elif self._now < certificate.not_valid_before_utc:
            yield _bad(
                "certificate",
                TrustCode.NOT_YET_VALID,
                f"valid from {certificate.not_valid_before_utc:%Y-%m-%d %H:%M} UTC",
            )
        else:
            yield _good("certificate", f"valid until {certificate.not_valid_after_utc:%Y-%m-%d}")

    def enrolment(self) -> Iterator[TrustCheck]:
        if self._certificate is None:
            return
        enrolled = [one for one in self._book.devices if isinstance(one.matter, EnrolDevice)]
        by_key = [one for one in enrolled if _key(one) == self._key]
        if not by_key:
            yield self._unknown([one for one in enrolled if one.revoked is None])
            return
        self.device = next((one for one in by_key if one.revoked is None), by_key[-1])
        name, serial = self.device.matter.name, self._certificate.serial_number
        try:
            listed = None if self._crl is None else certificates.revoked_list(self._crl, self._book.authority)
        except KeyRefused as error:
            yield _bad("enrolment", error.code, error.what)
            return
        grace = timedelta(days=self._book.terms.grace_days)
        if self.device.revoked is not None:
            yield _bad(
                "enrolment", TrustCode.REVOKED, f"{name} was revoked by {self.device.revoked.by}: {self.device.reason}"
            )
        elif listed is not None and serial in listed.serials:
            yield _bad("enrolment", TrustCode.REVOKED, f"the certificate of {name} is in the list of the revoked")
        elif certificates.der(self._certificate) != self.device.certificate:
            yield _bad(
                "enrolment", TrustCode.CERTIFICATE_DIFFERS, f"{name} was enrolled with another certificate of this key"
            )
        elif listed is None:
            yield _bad("enrolment", TrustCode.NO_REVOKED_LIST, "the list of the revoked (revoked.pem) is missing")
        elif self._now > listed.until + grace:
            detail = f"a newer list of the revoked was due on {listed.until:%Y-%m-%d}, with {grace.days} days of grace"
            yield _bad("enrolment", TrustCode.REVOKED_LIST_EXPIRED, detail)
        else:
            persons = f"{self.device.proposed_by} and {self.device.approved_by}"
            yield _good("enrolment", f"{name}, enrolled by {persons} on {self.device.at}")

    def _unknown(self, enrolled: list[EnrolledDevice]) -> TrustCheck:
        clone = next((one for one in enrolled if one.matter.unit == self._unit), None)
        if clone is not None:
            detail = f"it says that it is {self._unit}, which is {clone.matter.name} and has another key"
            return _bad("enrolment", TrustCode.SERIAL_CLONED, detail)
        return _bad("enrolment", TrustCode.UNKNOWN_DEVICE, f"{self._unit} is not enrolled with this key")

    def identity(self) -> Iterator[TrustCheck]:
        if self.device is None:
            return
        unit = self.device.matter.unit
        if unit == self._unit:
            yield _good("identity", str(unit))
        elif (unit.maker, unit.model) == (self._unit.maker, self._unit.model):
            detail = f"the key of {unit} ({self.device.matter.name}) is in {self._unit} as well"
            yield _bad("identity", TrustCode.KEY_SHARED, detail)
        else:
            yield _bad("identity", TrustCode.IDENTITY_DIFFERS, f"enrolled as {unit}, and says that it is {self._unit}")

    def attestation(self) -> Iterator[TrustCheck]:
        told, hello = self._presented.attestation, self._presented.hello
        if told is None:
            yield _bad("attestation", TrustCode.NOT_ATTESTED, "the device did not attest when it was asked")
            return
        if self._certificate is None:
            return
        if told.nonce != self._presented.nonce:
            yield _bad("attestation", TrustCode.NONCE_DIFFERS, "it attests another number than it was asked to")
        elif not keys.is_signed(certificates.key_of(self._certificate), told.signature, attested(told)):
            yield _bad(
                "attestation", TrustCode.SIGNATURE_WRONG, "the signature is not that of the key in its certificate"
            )
        elif told.image_digest != hello.image_digest:
            said, signed = hello.image_digest.hex(), told.image_digest.hex()
            yield _bad(
                "attestation", TrustCode.DIGEST_DIFFERS, f"it says that {said[:16]}… runs, and attests {signed[:16]}…"
            )
        elif told.security_counter != hello.security_counter:
            detail = f"it says {hello.security_counter}, and attests {told.security_counter}"
            yield _bad("attestation", TrustCode.COUNTER_DIFFERS, detail)
        elif told.boot_state is BootState.UNVERIFIED:
            yield _bad("attestation", TrustCode.BOOT_UNVERIFIED, "its boot loader did not verify what runs")
        elif told.boot_state is BootState.TEST_BOOT:
            yield _bad("attestation", TrustCode.TEST_BOOT, "an update runs for trial, and is not confirmed")
        else:
            yield _good("attestation", f"{told.image_digest.hex()[:16]}…, security counter {told.security_counter}")

    def firmware(self, approved: ApprovedFirmware | None) -> Iterator[TrustCheck]:
        hello = self._presented.hello
        if hello.security_counter < self._presented.least_counter:
            detail = f"security counter {hello.security_counter}, after {self._presented.least_counter}"
            yield _bad("firmware", TrustCode.COUNTER_WENT_BACK, detail)
        if approved is None:
            yield _bad("firmware", TrustCode.NO_APPROVED_LIST, "no list of approved firmware was imported")
            return
        digest = hello.image_digest.hex()
        code, detail = approved.refusal(self._unit, hello.firmware_version, digest, hello.security_counter)
        yield _good("firmware", detail) if code is TrustCode.OK else _bad("firmware", code, detail)


def attested(told: Attestation) -> bytes:
    counter = told.security_counter.to_bytes(4, "big")
    return ATTESTED + told.nonce + told.image_digest + counter + bytes([told.boot_state])


def _key(device: EnrolledDevice) -> bytes:
    return keys.from_text(device.matter.key) if isinstance(device.matter, EnrolDevice) else b""


def _good(name: str, detail: str) -> TrustCheck:
    return TrustCheck(name, ok=True, code=TrustCode.OK, detail=detail, who="", remedy="")


def _bad(name: str, code: TrustCode, detail: str) -> TrustCheck:
    return TrustCheck(
        name, ok=False, code=code, detail=detail, who=RESOLUTIONS[code].who, remedy=RESOLUTIONS[code].remedy
    )
