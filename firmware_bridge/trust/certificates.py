"""The certificates of a site: authority, table computers, devices.

A device's only DNS name is its name in a table's configuration (``docs/trust.md``).
"""

import ipaddress
import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from msgspec import Struct

from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import KeyRefused
from firmware_bridge.trust.facts import Unit
from firmware_bridge.trust.keys import NamedKey, PrivateKey, PublicKey, allowed, fingerprint

AUTHORITY_DAYS: Final = 3650
"""A replacement visits every device."""
DEVICE_DAYS: Final = 730
"""A device is serviced more often."""
HOST_DAYS: Final = 730
SERVER_DAYS: Final = 730
CRL_DAYS: Final = 30
MALFORMED: Final = (ValueError, TypeError, UnsupportedAlgorithm, x509.InvalidVersion)
_DNS_NAME: Final = re.compile(
    r"(?=.{1,253}\Z)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*"
)
_EARLIER: Final = timedelta(hours=1)


def make_authority(key: PrivateKey, site: str, now: datetime) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"{site} site authority")])
    ski = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    builder = (
        _builder(name, name, key.public_key(), now, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(certificates=True), critical=True)
        .add_extension(ski, critical=False)
    )
    return builder.sign(key, _hash(key))


class Issuer:
    """The authority with its key.

    Raises:
        KeyRefused: key and certificate do not belong together.
    """

    def __init__(self, certificate: x509.Certificate, key: NamedKey) -> None:
        if certificate.public_key() != key.private.public_key():
            raise KeyRefused(TrustCode.BAD_KEY, "the key is not that of the authority's certificate")
        self.certificate: Final = certificate
        self.key: Final = key.private

    def device(self, unit: Unit, name: str, key: PublicKey, now: datetime) -> x509.Certificate:
        subject, names = device_subject(unit, name), [x509.DNSName(name)]
        return self._leaf(subject, names, key, ExtendedKeyUsageOID.SERVER_AUTH, now, DEVICE_DAYS)

    def host(self, name: str, key: PublicKey, now: datetime) -> x509.Certificate:
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        return self._leaf(subject, [x509.DNSName(name)], key, ExtendedKeyUsageOID.CLIENT_AUTH, now, HOST_DAYS)

    def server(self, name: str, addresses: Sequence[str], key: PublicKey, now: datetime) -> x509.Certificate:
        """TLS server on another machine, such as a witness.

        Raises:
            KeyRefused: no address, or an invalid one.
        """
        if not addresses:
            raise KeyRefused(TrustCode.BAD_NAME, f"no address of {name} is given")
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        alternatives = [_alternative(address) for address in addresses]
        return self._leaf(subject, alternatives, key, ExtendedKeyUsageOID.SERVER_AUTH, now, SERVER_DAYS)

    def crl(self, revoked: Iterable[tuple[int, datetime]], number: int, now: datetime) -> bytes:
        """PEM; ``number`` is higher than that of every earlier list."""
        aki = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        builder = (
            x509.CertificateRevocationListBuilder()
            .issuer_name(self.certificate.subject)
            .last_update(now)
            .next_update(now + timedelta(days=CRL_DAYS))
            .add_extension(x509.CRLNumber(number), critical=False)
            .add_extension(aki, critical=False)
        )
        for serial, at in revoked:
            one = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(at).build()
            builder = builder.add_revoked_certificate(one)
        return builder.sign(self.key, _hash(self.key)).public_bytes(Encoding.PEM)

    def _leaf(
        self,
        subject: x509.Name,
        names: Sequence[x509.GeneralName],
        key: PublicKey,
        use: x509.ObjectIdentifier,
        now: datetime,
        days: int,
    ) -> x509.Certificate:
        aki = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        builder = (
            _builder(subject, self.certificate.subject, key, now, days)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(certificates=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([use]), critical=False)
            .add_extension(x509.SubjectAlternativeName(names), critical=False)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
            .add_extension(aki, critical=False)
        )
        return builder.sign(self.key, _hash(self.key))


def device_subject(unit: Unit, name: str) -> x509.Name:
    return x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, unit.maker),
            x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, unit.model),
            x509.NameAttribute(NameOID.SERIAL_NUMBER, unit.serial),
            x509.NameAttribute(NameOID.COMMON_NAME, name),
        ]
    )


def parse(data: bytes, where: str) -> x509.Certificate:
    """From DER.

    Raises:
        KeyRefused: no certificate, or a key of another kind.
    """
    try:
        certificate = x509.load_der_x509_certificate(data)
        allowed(certificate.public_key(), where)
        # Read lazily: what is wrong with them is to be found here.
        certificate.issuer.rfc4514_string()
        certificate.subject.rfc4514_string()
        if certificate.not_valid_before_utc > certificate.not_valid_after_utc:
            raise KeyRefused(TrustCode.FILE_DAMAGED, f"{where} ends before it begins")
    except MALFORMED as error:
        raise KeyRefused(TrustCode.FILE_DAMAGED, f"{where} is no certificate: {error}") from error
    return certificate


def key_of(certificate: x509.Certificate) -> PublicKey:
    return allowed(certificate.public_key(), "the certificate")


def der(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(Encoding.DER)


def fingerprint_of(certificate: x509.Certificate) -> str:
    return fingerprint(der(certificate))


def is_issued_by(certificate: x509.Certificate, authority: x509.Certificate) -> bool:
    try:
        certificate.verify_directly_issued_by(authority)
    except (*MALFORMED, InvalidSignature):
        return False
    return True


class RevokedList(Struct, frozen=True):
    serials: frozenset[int]
    until: datetime


def revoked_list(data: bytes, authority: x509.Certificate) -> RevokedList:
    """From PEM.

    Raises:
        KeyRefused: no list, without ``nextUpdate``, or of another authority.
    """
    try:
        listed = x509.load_pem_x509_crl(data)
        is_ours, until = listed.is_signature_valid(key_of(authority)), listed.next_update_utc
    except MALFORMED as error:
        raise KeyRefused(TrustCode.FILE_DAMAGED, "the file is no list of revoked certificates (PEM)") from error
    if not is_ours:
        raise KeyRefused(TrustCode.FILE_DAMAGED, "the list of the revoked is not signed by this site's authority")
    if until is None:
        raise KeyRefused(TrustCode.FILE_DAMAGED, "the list of the revoked does not say when a newer one is due")
    return RevokedList(frozenset(one.serial_number for one in listed), until)


def key_in_request(data: bytes) -> PublicKey:
    """From PEM.

    Raises:
        KeyRefused: no request, not signed by its own key, or a key of another kind.
    """
    try:
        request = x509.load_pem_x509_csr(data)
        key = allowed(request.public_key(), "the request")
        is_its_own = request.is_signature_valid
    except MALFORMED as error:
        raise KeyRefused(TrustCode.BAD_KEY, "the file is no certificate request (PEM)") from error
    if not is_its_own:
        raise KeyRefused(TrustCode.BAD_KEY, "the request is not signed by the key in it")
    return key


def _builder(
    subject: x509.Name, issuer: x509.Name, key: PublicKey, now: datetime, days: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _EARLIER)
        .not_valid_after(now + timedelta(days=days))
    )


def _usage(*, certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=certificates,
        crl_sign=certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _alternative(address: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(address))
    except ValueError:
        if _DNS_NAME.fullmatch(address.lower()):
            return x509.DNSName(address.lower())
    raise KeyRefused(TrustCode.BAD_NAME, f"{address!r} is neither a DNS name nor an IP address")


def _hash(key: PrivateKey) -> SHA256 | None:
    return None if isinstance(key, Ed25519PrivateKey) else SHA256()


def fresh_authority_key() -> ec.EllipticCurvePrivateKey:
    """ECDSA P-256, which the TLS libraries of small devices verify as well."""
    return ec.generate_private_key(ec.SECP256R1())
