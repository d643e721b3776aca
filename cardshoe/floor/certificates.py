"""The owner of a certificate, and its revocation.

Checked at each request, on open connections too.
"""

import logging
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID

from cardshoe.process.plain_file import read_plain

logger: Final = logging.getLogger(__name__)

CLIENT: Final = ExtendedKeyUsageOID.CLIENT_AUTH.dotted_string
SERVER: Final = ExtendedKeyUsageOID.SERVER_AUTH.dotted_string
CRL_BYTES: Final = 8 << 20
TOLD_MAX: Final = 1024
NAME_MAX: Final = 64
"""Characters of a common name (RFC 5280, ub-common-name)."""


def name_of(peer: Mapping[str, Any] | None) -> str | None:
    """A certificate's common name; ``None``: none, or not a table's."""
    if peer is None:
        return None
    names = [value for part in peer.get("subject", ()) for key, value in part if key == "commonName"]
    if len(names) != 1 or not 1 <= len(names[0]) <= NAME_MAX or not names[0].isprintable():
        return None
    found: str = names[0]
    return found


def use_fault(uses: Collection[str]) -> str | None:
    """Why the key usage excludes a table; ``None``: it does not.

    A server certificate is never a table's, whatever its name.
    """
    if CLIENT not in uses or SERVER in uses:
        return "the certificate is not a table's: its extended key usage must be clientAuth, without serverAuth"
    return None


class Revoked:
    """The list of revoked certificates, reread on change; ``file`` ``None``: none revoked."""

    def __init__(
        self, file: str | None, authority: str, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._file: Final = None if file is None else Path(file)
        self._authority: Final = Path(authority)
        self._now: Final = now
        self._seen: tuple[int, int, int] | None = None
        self._serials: frozenset[int] = frozenset()
        self._until: datetime | None = None
        self._fault = ""
        self._told: Final[set[tuple[str, str]]] = set()

    def fault(self, peer: Mapping[str, Any]) -> str | None:
        """Why a certificate is refused; ``None``: valid.

        A missing, expired or foreign list admits no certificate.
        """
        if self._file is None:
            return None
        self._look(self._file)
        if self._fault:
            return self._fault
        if self._until is None or self._now() >= self._until:
            return "the list of revoked certificates is too old"
        try:
            serial = int(str(peer.get("serialNumber", "")), 16)
        except ValueError:
            return "it carries no serial number"
        return "it was revoked" if serial in self._serials else None

    def refuse(self, table: str, fault: str) -> str:
        """The refusal, logged once per table until the list changes."""
        if (table, fault) not in self._told and len(self._told) < TOLD_MAX:
            self._told.add((table, fault))
            logger.warning("%s: refused: %s", table, fault)
        return f"The certificate was refused: {fault}."

    def _look(self, file: Path) -> None:
        try:
            found = file.stat()
            seen = (found.st_mtime_ns, found.st_size, found.st_ino)
            if seen == self._seen:
                return
            revoked = x509.load_pem_x509_crl(read_plain(file, CRL_BYTES))
            authority = x509.load_pem_x509_certificate(read_plain(self._authority))
        except OSError as error:
            self._fail(f"the list of revoked certificates cannot be read: {error.strerror}")
            return
        except ValueError:
            self._fail("the file is not a list of revoked certificates (PEM)")
            return
        if not _has_signed(authority, revoked):
            self._fail("the list of revoked certificates was not signed by the tables' authority")
        else:
            self._told.clear()
            self._serials = frozenset(one.serial_number for one in revoked)
            self._until = revoked.next_update_utc
            self._fault = ""
            self._seen = seen  # last: another thread that finds it judges by the new list

    def _fail(self, fault: str) -> None:
        if fault != self._fault:
            logger.error("%s: %s; every connection is refused", self._file, fault)
        self._seen, self._fault = None, fault


def _has_signed(authority: x509.Certificate, revoked: x509.CertificateRevocationList) -> bool:
    signer = authority.public_key()
    if not isinstance(signer, rsa.RSAPublicKey | ec.EllipticCurvePublicKey | ed25519.Ed25519PublicKey):
        return False
    return revoked.is_signature_valid(signer)
