"""Hosts without enrolment: certificates as like the real host's as possible."""

import ssl
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import NameOID

from drivers.plain_file import read_plain

_DAY: Final = timedelta(days=1)


class CertificateChain(NamedTuple):
    chain: Sequence[x509.Certificate]
    key: ec.EllipticCurvePrivateKey


def made_by_itself(real: x509.Certificate) -> CertificateChain:
    key = ec.generate_private_key(ec.SECP256R1())
    return CertificateChain([_copied(real, real.subject, key, key)], key)


def of_another_authority(real: x509.Certificate, *, sends_it: bool) -> CertificateChain:
    key, authority_key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    authority = (
        _builder(real.issuer, real.issuer, authority_key)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(authority_key.public_key()), critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    leaf = _copied(real, real.issuer, key, authority_key)
    return CertificateChain([leaf, authority] if sends_it else [leaf], key)


def of_the_authority(
    real: x509.Certificate, site: CertificateChain, *, is_authority: bool = False, any_use: bool = False
) -> CertificateChain:
    key = ec.generate_private_key(ec.SECP256R1())
    return CertificateChain(
        [_copied(real, real.issuer, key, site.key, is_authority=is_authority, any_use=any_use)], key
    )


def of_one_between(real: x509.Certificate, site: CertificateChain) -> CertificateChain:
    key, between_key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "between")])
    signed_by = x509.AuthorityKeyIdentifier.from_issuer_public_key(site.key.public_key())
    between = (
        _builder(name, real.issuer, between_key)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(between_key.public_key()), critical=False)
        .add_extension(signed_by, critical=False)
        .sign(site.key, hashes.SHA256())
    )
    return CertificateChain([_copied(real, name, key, between_key), between], key)


def chain_of(certificate: Path, key: Path) -> CertificateChain:
    private = load_pem_private_key(read_plain(key), password=None)
    if not isinstance(private, ec.EllipticCurvePrivateKey):
        raise ValueError(f"{key}: the key is not of P-256")  # noqa: TRY004  a file has another content
    return CertificateChain([x509.load_pem_x509_certificate(read_plain(certificate))], private)


def context_of(shown: CertificateChain | None) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    if shown is not None:
        key = shown.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        with tempfile.TemporaryDirectory(prefix="stranger-") as folder:
            path = Path(folder) / "shown.pem"
            path.write_bytes(b"".join([key, *(one.public_bytes(Encoding.PEM) for one in shown.chain)]))
            context.load_cert_chain(path)
    return context


def _builder(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _DAY)
        .not_valid_after(now + _DAY)
    )


def _copied(
    real: x509.Certificate,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    by: ec.EllipticCurvePrivateKey,
    *,
    is_authority: bool = False,
    any_use: bool = False,
) -> x509.Certificate:
    builder = _builder(real.subject, issuer, key)
    others: list[type[x509.ExtensionType]] = [x509.SubjectKeyIdentifier, x509.AuthorityKeyIdentifier]
    others += [x509.BasicConstraints, x509.KeyUsage] if is_authority else []
    others += [x509.ExtendedKeyUsage] if any_use else []
    for extension in real.extensions:
        if not isinstance(extension.value, tuple(others)):
            builder = builder.add_extension(extension.value, critical=extension.critical)
    if is_authority:
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    # Whoever looks for the authority by name alone finds the real one, and its signature does not fit.
    named = x509.AuthorityKeyIdentifier.from_issuer_public_key(by.public_key())
    return builder.add_extension(named, critical=False).sign(by, hashes.SHA256())
