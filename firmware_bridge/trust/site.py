"""A site's authority in its folder, and all that persons do with it."""

import contextlib
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from firmware_bridge.trust import certificates, files, keys
from firmware_bridge.trust.acts import (
    ApprovalAct,
    EnrolDevice,
    FoundingAct,
    Matter,
    ProposalAct,
    RegistryAct,
    RegistryRecord,
    RevocationAct,
    SigningPerson,
    WithdrawalAct,
)
from firmware_bridge.trust.certificates import Issuer
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import ActRefused, KeyRefused
from firmware_bridge.trust.facts import RegistryHead
from firmware_bridge.trust.keys import NamedKey, PublicKey
from firmware_bridge.trust.registry import FILE, Registry
from firmware_bridge.trust.registry_rules import AUTHORITY, OpenProposal
from firmware_bridge.trust.times import VALID_FOR, format_time, parse_time, whole

CERTIFICATE: Final = "authority.pem"
KEY: Final = "authority.key"
CRL: Final = "revoked.pem"
FIRMWARE: Final = "firmware"


def found_site(
    folder: Path,
    name: str,
    persons: Mapping[str, PublicKey],
    passphrase: str,
    now: datetime,
    *,
    dry_run: bool = False,
    cost: int = keys.COST,
) -> Registry:
    """Create authority, registry with the first people, and empty revocations.

    Raises:
        ActRefused: too few people, or two with the same key.
        KeyRefused: a short passphrase, the site exists, or the folder cannot be written.
    """
    keys.check_passphrase(passphrase)
    now = whole(now)
    key = NamedKey(AUTHORITY, certificates.fresh_authority_key())
    certificate = certificates.make_authority(key.private, name, now)
    registry = Registry(certificate)
    founders = [SigningPerson(name=one, key=keys.to_text(keys.public_bytes(public))) for one, public in persons.items()]
    registry.add(FoundingAct(site=name, authority=certificates.fingerprint_of(certificate), persons=founders), key, now)
    for file in (KEY, CERTIFICATE, FILE):
        if (folder / file).exists():
            half = "" if (folder / FILE).exists() else f", and no {FILE}: a site that was begun and not finished"
            raise KeyRefused(TrustCode.FILE_EXISTS, f"{folder / file} exists{half}")
    if dry_run:
        return registry
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise KeyRefused(TrustCode.FILE_UNREADABLE, f"{folder}: {error.strerror or error}") from error
    with contextlib.ExitStack() as undone:  # what was made of a site that comes to nothing would bar the next try
        keys.make_key(folder / KEY, AUTHORITY, passphrase, key.private, cost=cost)
        undone.callback((folder / KEY).unlink)
        undone.callback((folder / KEY).with_suffix(".pub").unlink)
        files.create(folder / CERTIFICATE, certificate.public_bytes(Encoding.PEM), files.PUBLIC)
        undone.callback((folder / CERTIFICATE).unlink)
        files.create(folder / CRL, Issuer(certificate, key).crl([], 1, now), files.PUBLIC)
        undone.callback((folder / CRL).unlink)
        registry.write(folder)
        undone.pop_all()
    return registry


class Site:
    """Each act reads the registry under a lock and writes it whole.

    Raises:
        KeyRefused: not a site.
    """

    def __init__(self, folder: Path, *, dry_run: bool = False) -> None:
        self.folder: Final = folder
        self.authority: Final = read_certificate(folder / CERTIFICATE)
        self._dry_run: Final = dry_run

    def registry(self, seen: RegistryHead | None = None) -> Registry:
        """The registry as it is, verified. Arguments and errors as ``Registry.read``."""
        return Registry.read(self.folder, self.authority, seen)

    def issuer(self, passphrase: str) -> Issuer:
        """The authority with its key.

        Raises:
            KeyRefused: the passphrase is wrong, or the key is missing.
        """
        return Issuer(self.authority, keys.load_key(self.folder / KEY, passphrase))

    def propose(self, matter: Matter, by: NamedKey, now: datetime, valid_for: timedelta = VALID_FOR) -> OpenProposal:
        """Another person may approve it until ``valid_for``, at most 24 hours, has passed.

        Raises:
            ActRefused: it could not be approved now; the code has the reason.
        """
        line, registry = self._act(ProposalAct(matter=matter, until=format_time(now + valid_for)), by, now)
        return registry.book.proposals[line.seq]

    def approve(
        self, proposal: str | OpenProposal, by: NamedKey, now: datetime, issuer: Issuer | None = None
    ) -> RegistryRecord:
        """``proposal``: its id or, against a search for equal ids, what the person was shown.

        ``issuer``: needed for an enrolment.

        Raises:
            ActRefused: other content, too late, or proposed by the same person.
        """
        with files.locked(self.folder):
            registry = self.registry()
            found = find_proposal(registry, proposal if isinstance(proposal, str) else proposal.id)
            if isinstance(proposal, OpenProposal) and found.digest != proposal.digest:
                raise ActRefused(TrustCode.CHANGED_PROPOSAL, f"proposal {found.id} is not the one that was shown")
            matter = found.proposed.matter
            certificate = b""
            if isinstance(matter, EnrolDevice):
                if issuer is None:
                    raise KeyRefused(TrustCode.BAD_PASSPHRASE, "an enrolment needs the authority's key")
                # What is wrong with it is said before a certificate exists.
                registry.book.check(matter)
                key = keys.public_key(keys.from_text(matter.key), matter.name)
                certificate = certificates.der(issuer.device(matter.unit, matter.name, key, whole(now)))
            act = ApprovalAct(proposal=found.line.seq, digest=found.digest, certificate=keys.to_text(certificate))
            return self._write(registry, act, by, now)

    def withdraw(self, proposal_id: str, by: NamedKey, now: datetime) -> RegistryRecord:
        """Withdraw a proposal.

        Raises:
            ActRefused: no such pending proposal.
        """
        number = find_proposal(self.registry(), proposal_id).line.seq
        return self._act(WithdrawalAct(proposal=number), by, now)[0]

    def revoke(self, what: str, name: str, reason: str, by: NamedKey, now: datetime) -> RegistryRecord:
        """One person is enough; ``write_crl`` publishes it.

        Raises:
            ActRefused: unknown name, or fewer than two people would be left.
        """
        return self._act(RevocationAct(what=what, name=name, reason=reason), by, now)[0]

    def write_crl(self, issuer: Issuer, now: datetime) -> int:
        with files.locked(self.folder):
            registry = self.registry()
            revoked = revoked_serials(registry)
            # The registry's number grows with each act, and never goes back: it numbers the list as well.
            data = issuer.crl(revoked.items(), registry.head.seq + 1, whole(now))
            if not self._dry_run:
                files.replace(self.folder / CRL, data, files.PUBLIC)
        return len(revoked)

    def make_host(self, name: str, issuer: Issuer, out: Path, now: datetime) -> x509.Certificate:
        """``NAME.key`` (mode 0600) is not sealed, as a table starts without a person.

        Raises:
            KeyRefused: an invalid name, or a file exists.
        """
        keys.check_name(name, of_host=True)
        private = ec.generate_private_key(ec.SECP256R1())
        return self._hand_out(name, private, issuer.host(name, private.public_key(), whole(now)), out)

    def make_server(
        self, name: str, addresses: Sequence[str], issuer: Issuer, out: Path, now: datetime
    ) -> x509.Certificate:
        """For a service on another machine, such as a witness.

        Raises:
            KeyRefused: an invalid name or address, a device's name, or a file exists.
        """
        keys.check_name(name)
        # A device is known by a DNS name too: this certificate must not pass for one.
        devices = {one.matter.name for one in self.registry().book.devices}
        if taken := sorted(devices.intersection(address.lower() for address in addresses)):
            raise KeyRefused(TrustCode.NAME_TAKEN, f"{taken[0]} is a device, and no address")
        private = ec.generate_private_key(ec.SECP256R1())
        return self._hand_out(name, private, issuer.server(name, addresses, private.public_key(), whole(now)), out)

    def _hand_out(
        self, name: str, private: ec.EllipticCurvePrivateKey, certificate: x509.Certificate, out: Path
    ) -> x509.Certificate:
        for file in (out / f"{name}.key", out / f"{name}.pem"):
            if file.exists():
                raise KeyRefused(TrustCode.FILE_EXISTS, f"{file} exists")
        if not self._dry_run:
            pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
            files.create(out / f"{name}.key", pem, files.SECRET)
            files.create(out / f"{name}.pem", certificate.public_bytes(Encoding.PEM), files.PUBLIC)
        return certificate

    def _act(self, act: RegistryAct, by: NamedKey, now: datetime) -> tuple[RegistryRecord, Registry]:
        with files.locked(self.folder):
            registry = self.registry()
            return self._write(registry, act, by, now), registry

    def _write(self, registry: Registry, act: RegistryAct, by: NamedKey, now: datetime) -> RegistryRecord:
        line = registry.add(act, by, whole(now))
        if not self._dry_run:
            registry.write(self.folder)
        return line


def read_revoked(folder: Path) -> bytes | None:
    """PEM; ``None`` without one.

    Raises:
        KeyRefused: the file cannot be read.
    """
    return files.read(folder / CRL) if (folder / CRL).exists() else None


def find_proposal(registry: Registry, proposal_id: str) -> OpenProposal:
    number, dash, _ = proposal_id.partition("-")
    if not (dash and number.isascii() and number.isdigit()):
        raise ActRefused(
            TrustCode.UNKNOWN_PROPOSAL, f"{proposal_id!r} is no number of a proposal; one looks like 7-3f9a1c2b4d5e6f70"
        )
    found = registry.book.proposal(int(number))
    if found.id != proposal_id:
        raise ActRefused(TrustCode.CHANGED_PROPOSAL, f"proposal {number} is now {found.id}, not {proposal_id}")
    return found


def revoked_serials(registry: Registry) -> dict[int, datetime]:
    listed = {serial: parse_time(line.at) for serial, line in registry.book.certificates.items()}
    return listed | {
        certificates.parse(one.certificate, one.matter.name).serial_number: parse_time(one.revoked.at)
        for one in registry.book.devices
        if one.revoked is not None and one.certificate
    }


def read_certificate(path: Path) -> x509.Certificate:
    try:
        certificate = x509.load_pem_x509_certificate(files.read(path))
    except certificates.MALFORMED as error:
        raise KeyRefused(TrustCode.FILE_DAMAGED, f"{path} is no certificate (PEM): {error}") from error
    return certificates.parse(certificates.der(certificate), str(path))
