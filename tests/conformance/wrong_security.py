"""Devices that say that they are secured, and are not quite (section 11)."""

import ssl
from pathlib import Path
from typing import Final

from tests import certificates
from tests.conformance.defects import Defect, Parts
from tests.second_device.session import Security


def _context(site: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(site / f"{certificates.DEVICE}.pem", site / f"{certificates.DEVICE}.key")
    context.load_verify_locations(site / "site.pem")
    context.num_tickets = 0
    return context


def speaks_12_too(site: Path) -> ssl.SSLContext:
    """Takes TLS 1.2, without a certificate, as servers often do."""
    context = _context(site)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def asks_nobody(site: Path) -> ssl.SSLContext:
    """Does not ask the host for a certificate."""
    context = _context(site)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    return context


SECURED: Final = [
    Defect(
        "speaks TLS 1.2 too",
        ("tls.tls-12-refused", "tls.host-without-certificate-refused"),
        Parts(security=Security.TLS, context=speaks_12_too),
    ),
    Defect(
        "asks for no certificate",
        ("tls.host-without-certificate-refused",),
        Parts(security=Security.TLS, context=asks_nobody),
    ),
    Defect(
        "promises TLS and has none",
        ("tls.handshake-first", "tls.silent-until-the-host-speaks", "tls.plain-messages-refused"),
        Parts(security=Security.TLS),
    ),
]
