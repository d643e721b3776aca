"""What a simulated TDP device needs for TLS: its own certificate, and whom it trusts."""

import ssl
from pathlib import Path
from typing import Final

from protocols.tdp.handshake import Terms
from protocols.tdp.tls import TlsContext

SECURED: Final = Terms()
"""The terms of a link with TLS."""


def certified(certificate: Path, key: Path, authority: Path) -> TlsContext:
    """The context of a device (``docs/protocols/tdp.md``, section 11): TLS 1.3, and a certificate of the host's too.

    Args:
        certificate: the device's certificate chain, PEM.
        key: its private key, PEM.
        authority: the certificate of the site's authority, PEM.

    Raises:
        OSError: a file cannot be read, or is no certificate or key (``ssl.SSLError`` is one).
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_cert_chain(certificate, key)
    context.load_verify_locations(authority)
    return context
