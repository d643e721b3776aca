"""A simulated TDP device's certificate for TLS, and whom the device trusts."""

import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from cryptography.x509 import BasicConstraints, Certificate, ExtendedKeyUsage, load_der_x509_certificate
from cryptography.x509.oid import ExtendedKeyUsageOID, ExtensionOID

from protocols.tdp.handshake import Terms
from protocols.tdp.tls import TlsContext

SECURED: Final = Terms()


def certified(certificate: Path, key: Path, authority: Path) -> TlsContext:
    """``docs/protocols/tdp.md``, section 11."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.verify_mode = ssl.CERT_REQUIRED
    context.num_tickets = 0  # no resumption: two tickets would be 1300 bytes at each session
    context.load_cert_chain(certificate, key)
    context.load_verify_locations(authority)
    return context


def is_host(certificate: bytes, context: TlsContext) -> bool:
    """A trusted authority itself signed it (section 11)."""
    shown = load_der_x509_certificate(certificate)
    extensions = {extension.oid: extension.value for extension in shown.extensions}
    constraints = extensions.get(ExtensionOID.BASIC_CONSTRAINTS)
    use = extensions.get(ExtensionOID.EXTENDED_KEY_USAGE)
    if isinstance(constraints, BasicConstraints) and constraints.ca:
        return False
    if not isinstance(use, ExtendedKeyUsage) or ExtendedKeyUsageOID.CLIENT_AUTH not in use:
        return False
    return any(_has_signed(load_der_x509_certificate(one), shown) for one in context.get_ca_certs(binary_form=True))


def _has_signed(authority: Certificate, shown: Certificate) -> bool:
    try:
        shown.verify_directly_issued_by(authority)
    except (ValueError, TypeError, InvalidSignature):
        return False
    return True


def signer_of(key: Path) -> Callable[[bytes], bytes]:
    """Ed25519, or ECDSA with SHA-256 (section 11)."""
    private = load_pem_private_key(key.read_bytes(), password=None)
    if isinstance(private, Ed25519PrivateKey):
        return private.sign
    if isinstance(private, EllipticCurvePrivateKey):
        return lambda data: private.sign(data, ECDSA(SHA256()))
    raise ValueError(f"{key} holds a key that signs no attestation: Ed25519 and elliptic curves do")
