"""The rules of a site's registry: what each line may do.

Each line is checked as it is written and as it is read.
"""

import re
from datetime import datetime, timedelta
from typing import Final

from cryptography import x509
from msgspec import Struct
from msgspec.structs import replace

from firmware_bridge.trust import certificates, keys
from firmware_bridge.trust.acts import (
    AddPerson,
    AdmitDevice,
    Anchor,
    ApprovalAct,
    EnrolDevice,
    FoundingAct,
    Matter,
    ProposalAct,
    RegistryAct,
    RegistryRecord,
    Renewal,
    RevocationAct,
    SigningPerson,
    Update,
    WithdrawalAct,
    to_be_signed,
)
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import ActRefused
from firmware_bridge.trust.keys import PublicKey
from firmware_bridge.trust.times import VALID_FOR_MAX, parse_time

PERSONS_MIN: Final = 2
_SERIAL: Final = re.compile(r"[0-9a-f]{1,40}")


class EnrolledDevice(Struct, frozen=True):
    matter: EnrolDevice | AdmitDevice
    seq: int
    at: str
    proposed_by: str
    approved_by: str
    certificate: bytes
    revoked: RegistryRecord | None = None

    @property
    def reason(self) -> str:
        """Why it was revoked; empty if it was not."""
        return self.revoked.act.reason if self.revoked and isinstance(self.revoked.act, RevocationAct) else ""


class ApprovedUpdate(Struct, frozen=True):
    matter: Update
    at: str
    proposed_by: str
    approved_by: str


class OpenProposal(Struct, frozen=True):
    line: RegistryRecord
    digest: str
    proposed: ProposalAct

    @property
    def id(self) -> str:
        return f"{self.line.seq}-{self.digest[:16]}"


class RegistryState:
    """A registry after its lines so far.

    Attributes:
        devices: all ever enrolled; a name is free again only after a revocation.
    """

    def __init__(self, authority: x509.Certificate) -> None:
        self.authority: Final = authority
        self.site = ""
        self.persons: dict[str, PublicKey] = {}
        self.former: dict[str, PublicKey] = {}
        self.proposals: dict[int, OpenProposal] = {}
        self.devices: list[EnrolledDevice] = []
        self.certificates: dict[int, RegistryRecord] = {}
        self.anchor: str | None = None
        self.updates: dict[str, ApprovedUpdate] = {}
        self.terms = Renewal()
        self.renewed_at = ""
        self.last: RegistryRecord | None = None
        self.head = "0" * 64

    def apply(self, line: RegistryRecord, digest: str) -> None:
        """``digest``: SHA-256 of its bytes.

        Raises:
            ActRefused: it breaks a rule; nothing is changed.
            KeyRefused: an invalid key or certificate in it.
        """
        before = self.last
        if line.seq != (before.seq + 1 if before else 1) or line.previous != self.head:
            raise ActRefused(TrustCode.REGISTRY_ALTERED, f"line {line.seq} does not follow the one before it")
        now = parse_time(line.at)
        if before is not None and now < parse_time(before.at):
            raise ActRefused(
                TrustCode.CLOCK_WENT_BACK, f"line {line.seq} is of {line.at}, the one before of {before.at}"
            )
        self._check_signature(line)
        self._do(line, line.act, now, digest)
        self.last, self.head = line, digest

    @property
    def expires(self) -> datetime:
        """Until when the registry counts, UTC."""
        return parse_time(self.renewed_at) + timedelta(days=self.terms.registry_days)

    def current(self) -> list[EnrolledDevice]:
        """The devices that count."""
        return [one for one in self.devices if one.revoked is None]

    def by_name(self, name: str) -> EnrolledDevice | None:
        return next((one for one in reversed(self.devices) if one.matter.name == name), None)

    def proposal(self, number: int) -> OpenProposal:
        """Return a pending proposal."""
        found = self.proposals.get(number)
        if found is None:
            known = self.last is not None and 0 < number <= self.last.seq
            code = TrustCode.CLOSED_PROPOSAL if known else TrustCode.UNKNOWN_PROPOSAL
            raise ActRefused(code, f"no proposal {number} waits")
        return found

    def check(self, matter: Matter) -> None:
        """Check that a proposal could be approved now.

        Raises:
            ActRefused: it could not; the code has the reason.
            KeyRefused: an invalid name or key in it.
        """
        match matter:
            case EnrolDevice():
                keys.check_name(matter.name)
                self._check_unit(matter, keys.public_key(_bytes(matter.key), f"the key of {matter.name}"))
                self._check_free(matter.name)
            case AdmitDevice():
                keys.check_name(matter.name)
                self._check_free(matter.name)
                if any(
                    isinstance(one.matter, AdmitDevice) and one.matter.unit == matter.unit for one in self.current()
                ):
                    raise ActRefused(TrustCode.ALREADY_ENROLLED, f"{matter.unit} is admitted already")
            case AddPerson():
                self._check_person(matter)
            case Update():
                self._check_update(matter)
            case Anchor():
                if self.anchor == matter.root:
                    raise ActRefused(TrustCode.ALREADY_ENROLLED, "this root is the anchor already")

    # --- rules ------------------------------------------------------------------------------------------------------

    def _check_signature(self, line: RegistryRecord) -> None:
        if line.seq == 1:
            key = certificates.key_of(self.authority)
        elif line.by in self.persons:
            key = self.persons[line.by]
        else:
            former = " any more" if line.by in self.former else ""
            raise ActRefused(TrustCode.UNKNOWN_PERSON, f"{line.by} may not act here{former}")
        if not keys.is_signed(key, _bytes(line.signature), to_be_signed(line)):
            raise ActRefused(TrustCode.REGISTRY_ALTERED, f"line {line.seq} is not signed by the key of {line.by}")

    def _do(self, line: RegistryRecord, act: RegistryAct, now: datetime, digest: str) -> None:
        if isinstance(act, FoundingAct) != (line.seq == 1):
            raise ActRefused(
                TrustCode.REGISTRY_ALTERED, f"line {line.seq}: a registry is founded once, by its first line"
            )
        match act:
            case FoundingAct():
                self._found(line, act)
            case ProposalAct():
                self.check(act.matter)
                if not now < parse_time(act.until) <= now + VALID_FOR_MAX:
                    raise ActRefused(
                        TrustCode.STALE_PROPOSAL, f"it could be approved until {act.until}, which is no such time"
                    )
                self.proposals[line.seq] = OpenProposal(line, digest, act)
            case ApprovalAct():
                self._approve(line, act, now)
            case WithdrawalAct():
                del self.proposals[self.proposal(act.proposal).line.seq]
            case RevocationAct():
                self._revoke(line, act)

    def _found(self, line: RegistryRecord, act: FoundingAct) -> None:
        if act.authority != certificates.fingerprint_of(self.authority):
            raise ActRefused(TrustCode.REGISTRY_ALTERED, "the registry is that of another authority")
        if len(act.persons) < PERSONS_MIN:
            raise ActRefused(TrustCode.TOO_FEW_PERSONS, f"a site begins with {PERSONS_MIN} persons")
        for person in act.persons:
            self._check_person(person)
            self._add(person.name, person.key)
        self.site, self.renewed_at = act.site, line.at

    def _approve(self, line: RegistryRecord, act: ApprovalAct, now: datetime) -> None:
        found = self.proposal(act.proposal)
        if act.digest != found.digest:
            raise ActRefused(
                TrustCode.CHANGED_PROPOSAL, f"proposal {act.proposal} is not the one that was to be approved"
            )
        proposer = found.line.by
        if line.by == proposer or self._key(line.by) == self._key(proposer):
            raise ActRefused(TrustCode.SAME_PERSON, f"{line.by} proposed it, and cannot approve it")
        if now > parse_time(found.proposed.until):
            raise ActRefused(
                TrustCode.STALE_PROPOSAL, f"proposal {act.proposal} was for approval until {found.proposed.until}"
            )
        matter = found.proposed.matter
        self.check(matter)
        der = _bytes(act.certificate)
        match matter:
            case EnrolDevice():
                self._check_certificate(matter, der)
            case _ if der:
                raise ActRefused(
                    TrustCode.REGISTRY_ALTERED, f"line {line.seq} has a certificate, but its act takes none"
                )
        if isinstance(matter, EnrolDevice | AdmitDevice):
            self.devices.append(EnrolledDevice(matter, line.seq, line.at, proposer, line.by, der))
        elif isinstance(matter, AddPerson):
            self._add(matter.name, matter.key)
        elif isinstance(matter, Update):
            self.updates[matter.order] = ApprovedUpdate(matter, line.at, proposer, line.by)
        elif isinstance(matter, Anchor):
            self.anchor = matter.root
        else:
            self.terms = matter
        self.renewed_at = line.at
        del self.proposals[act.proposal]

    def _revoke(self, line: RegistryRecord, act: RevocationAct) -> None:
        if act.what == "person":
            if act.name not in self.persons:
                raise ActRefused(TrustCode.UNKNOWN_PERSON, f"no person {act.name} may act here")
            if len(self.persons) <= PERSONS_MIN:
                raise ActRefused(
                    TrustCode.TOO_FEW_PERSONS, f"without {act.name} fewer than {PERSONS_MIN} would be left"
                )
            self.former[act.name] = self.persons.pop(act.name)
            # What that person proposed waits for nobody any more.
            for number in [n for n, one in self.proposals.items() if one.line.by == act.name]:
                del self.proposals[number]
            return
        if act.what == "certificate":
            if not _SERIAL.fullmatch(act.name):
                raise ActRefused(TrustCode.BAD_NAME, f"{act.name!r} is no serial number of a certificate")
            self.certificates.setdefault(int(act.name, 16), line)
            return
        for index, device in enumerate(self.devices):
            if device.matter.name == act.name and device.revoked is None:
                self.devices[index] = replace(device, revoked=line)
                return
        raise ActRefused(TrustCode.UNKNOWN_DEVICE, f"no device {act.name} is enrolled")

    def _check_unit(self, matter: EnrolDevice, key: PublicKey) -> None:
        wanted = keys.public_bytes(key)
        for device in self.devices:
            other = device.matter
            if not isinstance(other, EnrolDevice):
                continue
            same_key, same_unit = _bytes(other.key) == wanted, other.unit == matter.unit
            if same_key and not same_unit:
                raise ActRefused(
                    TrustCode.KEY_SHARED, f"the key of {matter.unit} is that of {other.unit} ({other.name})"
                )
            if same_key and device.revoked is not None:
                raise ActRefused(TrustCode.REVOKED, f"the key of {matter.unit} was revoked: {device.reason}")
            if same_unit and device.revoked is None:
                if same_key:
                    raise ActRefused(TrustCode.ALREADY_ENROLLED, f"{matter.unit} is enrolled as {other.name}")
                raise ActRefused(
                    TrustCode.SERIAL_CLONED, f"{matter.unit} is enrolled as {other.name}, with another key"
                )
        if wanted in self._personal_keys() or key == self.authority.public_key():
            raise ActRefused(TrustCode.KEY_SHARED, f"the key of {matter.unit} is that of a person or of the authority")

    def _check_update(self, matter: Update) -> None:
        device = next((one.matter for one in self.current() if one.matter.name == matter.name), None)
        if not isinstance(device, EnrolDevice):
            raise ActRefused(TrustCode.UNKNOWN_DEVICE, f"no device {matter.name} with a key is enrolled")
        if device.unit != matter.unit:
            raise ActRefused(
                TrustCode.IDENTITY_DIFFERS, f"{matter.name} is {device.unit}, the update is for {matter.unit}"
            )
        if matter.order in self.updates:
            raise ActRefused(TrustCode.CLOSED_PROPOSAL, f"this update of {matter.name} was approved before")

    def _check_free(self, name: str) -> None:
        if any(one.matter.name == name for one in self.current()):
            raise ActRefused(TrustCode.NAME_TAKEN, f"a device {name} is enrolled")

    def _check_person(self, person: AddPerson | SigningPerson) -> None:
        keys.check_name(person.name)
        if person.name in self.persons or person.name in self.former or person.name == AUTHORITY:
            raise ActRefused(TrustCode.NAME_TAKEN, f"the name {person.name} is taken, or was")
        key = keys.public_bytes(keys.public_key(_bytes(person.key), f"the key of {person.name}"))
        if key in self._personal_keys() or key == keys.public_bytes(certificates.key_of(self.authority)):
            raise ActRefused(TrustCode.SAME_PERSON, f"the key of {person.name} belongs to somebody else, or did")

    def _check_certificate(self, matter: EnrolDevice, der: bytes) -> None:
        certificate = certificates.parse(der, f"the certificate of {matter.name}")
        if (
            not certificates.is_issued_by(certificate, self.authority)
            or keys.public_bytes(certificates.key_of(certificate)) != _bytes(matter.key)
            or certificate.subject != certificates.device_subject(matter.unit, matter.name)
        ):
            raise ActRefused(TrustCode.REGISTRY_ALTERED, f"the certificate is not that of {matter.name}")

    def _add(self, name: str, key: str) -> None:
        self.persons[name] = keys.public_key(_bytes(key), f"the key of {name}")

    def _key(self, name: str) -> bytes:
        key = self.persons.get(name) or self.former[name]
        return keys.public_bytes(key)

    def _personal_keys(self) -> set[bytes]:
        return {keys.public_bytes(key) for key in (*self.persons.values(), *self.former.values())}


AUTHORITY: Final = "authority"


def _bytes(text: str) -> bytes:
    try:
        return keys.from_text(text)
    except ValueError as error:
        raise ActRefused(TrustCode.REGISTRY_ALTERED, str(error)) from error
