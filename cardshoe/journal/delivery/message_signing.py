"""Sign a table's messages: a broker can delay or repeat, not change them."""

import base64
import binascii
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa

from cardshoe.journal.delivery.subjects import CERTIFICATE, SIGNATURE
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.http.tls import TlsFiles
from cardshoe.process.plain_file import read_plain

Signer = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey
Verifier = ec.EllipticCurvePublicKey | rsa.RSAPublicKey | ed25519.Ed25519PublicKey
_HASH: Final = hashes.SHA256()


class Voucher:
    """Signs a table's messages."""

    def __init__(self, tls: TlsFiles) -> None:
        try:
            certificate = x509.load_pem_x509_certificate(read_plain(Path(tls.certificate)))
            key = serialization.load_pem_private_key(read_plain(Path(tls.key)), None)
        except (OSError, ValueError, TypeError) as error:
            raise _unusable(tls, str(error)) from error
        if not isinstance(key, Signer):
            raise _unusable(tls, "a key of this kind does not sign here; make one with EC P-256, RSA or Ed25519")
        self._key: Final[Signer] = key
        self._certificate: Final = _text(certificate.public_bytes(serialization.Encoding.DER))

    def headers(self, subject: str, body: bytes) -> dict[str, str]:
        """The headers of a message."""
        return {CERTIFICATE: self._certificate, SIGNATURE: _text(_signed(self._key, _what(subject, body)))}


def certificate_of(headers: Mapping[str, str] | None) -> bytes:
    return _bytes((headers or {}).get(CERTIFICATE, ""))


def is_vouched(key: Verifier, headers: Mapping[str, str], subject: str, body: bytes) -> bool:
    what = _what(subject, body)
    try:
        signature = _bytes(headers.get(SIGNATURE, ""))
        if isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(signature, what, ec.ECDSA(_HASH))
        elif isinstance(key, rsa.RSAPublicKey):
            key.verify(signature, what, padding.PKCS1v15(), _HASH)
        else:
            key.verify(signature, what)
    except (InvalidSignature, ValueError):
        return False
    return True


def _signed(key: Signer, what: bytes) -> bytes:
    if isinstance(key, ec.EllipticCurvePrivateKey):
        return key.sign(what, ec.ECDSA(_HASH))
    if isinstance(key, rsa.RSAPrivateKey):
        return key.sign(what, padding.PKCS1v15(), _HASH)
    return key.sign(what)


def _what(subject: str, body: bytes) -> bytes:
    return subject.encode() + b"\n" + body


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _bytes(text: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from error
    if not data:
        raise ValueError("it is empty")
    return data


def _unusable(tls: TlsFiles, reason: str) -> Stop:
    return Stop(f"{tls.certificate}, {tls.key}: {reason}", "Name PEM files, the key without a password.", Exit.USAGE)
