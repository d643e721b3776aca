"""Certificates of a demonstrated floor."""

import ipaddress
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from cardshoe.process.http.tls import TlsFiles

VALID: Final = timedelta(days=30)
BEFORE: Final = timedelta(hours=1)


class Authority:
    """Create certificates in a folder: NAME.pem with NAME.key, readable by its owner alone."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, exist_ok=True)
        self._folder: Final = folder
        self._key: Final = ec.generate_private_key(ec.SECP256R1())
        self._name: Final = _named("authority of the demonstration")
        self._write("authority", self._key, self._signed(self._name, self._key.public_key(), is_authority=True))
        self.revoke()

    def certify(self, stem: str, name: str, address: str | None = None) -> TlsFiles:
        """Create a certificate; ``name``: at most 64 characters, of a table its id."""
        key = ec.generate_private_key(ec.SECP256R1())
        self._write(stem, key, self._signed(_named(name), key.public_key(), address))
        return TlsFiles(
            certificate=str(self._folder / f"{stem}.pem"),
            key=str(self._folder / f"{stem}.key"),
            authority=str(self._folder / "authority.pem"),
        )

    def revoke(self, *stems: str) -> Path:
        """Replace the list of revoked certificates."""
        now = datetime.now(UTC)
        made = x509.CertificateRevocationListBuilder().issuer_name(self._name).last_update(now - BEFORE)
        made = made.next_update(now + VALID)
        for stem in stems:
            serial = x509.load_pem_x509_certificate((self._folder / f"{stem}.pem").read_bytes()).serial_number
            gone = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(now)
            made = made.add_revoked_certificate(gone.build())
        path = self._folder / "revoked.pem"
        passing = path.with_suffix(".new")
        passing.write_bytes(made.sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM))
        return passing.rename(path)

    def _signed(
        self, name: x509.Name, key: ec.EllipticCurvePublicKey, address: str | None = None, *, is_authority: bool = False
    ) -> x509.Certificate:
        now = datetime.now(UTC)
        made = x509.CertificateBuilder(
            issuer_name=self._name,
            subject_name=name,
            public_key=key,
            serial_number=x509.random_serial_number(),
            not_valid_before=now - BEFORE,
            not_valid_after=now + VALID,
        ).add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        made = made.add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
        made = made.add_extension(issuer, critical=False)
        if not is_authority:
            use = ExtendedKeyUsageOID.CLIENT_AUTH if address is None else ExtendedKeyUsageOID.SERVER_AUTH
            made = made.add_extension(x509.ExtendedKeyUsage([use]), critical=False)
        if address is not None:
            names = [x509.IPAddress(ipaddress.ip_address(address))]
            made = made.add_extension(x509.SubjectAlternativeName(names), critical=False)
        return made.sign(self._key, hashes.SHA256())

    def _write(self, stem: str, key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> None:
        (self._folder / f"{stem}.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
        secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
        with os.fdopen(os.open(self._folder / f"{stem}.key", flags, 0o600), "wb") as file:
            file.write(secret)


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
