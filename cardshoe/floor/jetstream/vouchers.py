"""Senders of messages through a broker."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from cryptography import x509
from cryptography.exceptions import InvalidSignature

from cardshoe.floor.alarm_kinds import NotTaken
from cardshoe.floor.certificates import NAME_MAX, Revoked, use_fault
from cardshoe.journal.delivery.message_signing import Verifier, certificate_of, is_vouched
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.plain_file import read_plain

KNOWN_MAX: Final = 4096


class Sender(NamedTuple):
    table: str
    fault: str | None


class Vouchers:
    def __init__(self, authority: str, revoked: Revoked) -> None:
        try:
            self._authorities: Final = x509.load_pem_x509_certificates(read_plain(Path(authority)))
        except (OSError, ValueError) as error:
            raise Stop(
                f"{authority}: {error}", "Name the authority of the tables' certificates (PEM).", Exit.USAGE
            ) from error
        self._revoked: Final = revoked
        self._known: Final[dict[bytes, x509.Certificate]] = {}

    def sender(self, headers: Mapping[str, str] | None, subject: str, body: bytes) -> Sender:
        """The sender of a message with a verified signature.

        Raises:
            NotTaken: unsigned, invalid, or not permitted.
        """
        try:
            data = certificate_of(headers)
            certificate = self._known.get(data) or self._looked_at(data)
        except ValueError as error:
            raise NotTaken("not_yours", f"the message has no certificate of a table: {error}") from error
        table = _name(certificate)
        if not certificate.not_valid_before_utc <= datetime.now(UTC) < certificate.not_valid_after_utc:
            raise NotTaken("revoked", "the certificate was refused: it is not valid at this time")
        if (fault := self._revoked.fault({"serialNumber": f"{certificate.serial_number:X}"})) is not None:
            raise NotTaken("revoked", self._revoked.refuse(table, fault))
        key = certificate.public_key()
        if not isinstance(key, Verifier) or not is_vouched(key, headers or {}, subject, body):
            raise NotTaken("not_yours", f"the key of table {table!r} has not signed this message")
        return Sender(table, use_fault(_uses(certificate)))

    def _looked_at(self, data: bytes) -> x509.Certificate:
        certificate = x509.load_der_x509_certificate(data)
        if not any(_has_issued(authority, certificate) for authority in self._authorities):
            raise ValueError("the authority of the tables has not signed it")
        _name(certificate)
        if len(self._known) >= KNOWN_MAX:
            self._known.clear()
        self._known[data] = certificate
        return certificate


def _has_issued(authority: x509.Certificate, certificate: x509.Certificate) -> bool:
    try:
        certificate.verify_directly_issued_by(authority)
    except (ValueError, TypeError, InvalidSignature):
        return False
    return True


def _uses(certificate: x509.Certificate) -> list[str]:
    try:
        return [
            one.dotted_string for one in certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
        ]
    except x509.ExtensionNotFound:
        return []


def _name(certificate: x509.Certificate) -> str:
    names = certificate.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
    name = str(names[0].value) if len(names) == 1 else ""
    if not 1 <= len(name) <= NAME_MAX or not name.isprintable():
        raise ValueError("its common name is not a table's id")
    return name
