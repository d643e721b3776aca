"""TLS 1.3 inside the stream, section 11, over memory buffers: the device is the server."""

import re
import ssl
from pathlib import Path

_CLIENT_AUTH = bytes.fromhex("06082B06010505070302")
"""DER of clientAuth, in extendedKeyUsage."""
_AUTHORITY = re.compile(rb"\x06\x03\x55\x1d\x13(\x01\x01\xff)?\x04.\x30.\x01\x01\xff", re.DOTALL)
"""DER of basicConstraints with cA, critical or not, with a path length or without."""


def server_context(certificate: Path, key: Path, authority: Path) -> ssl.SSLContext:
    """Make a context with the device's certificate and the authority that it trusts."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.load_cert_chain(certificate, key)
    context.load_verify_locations(authority)
    context.verify_mode = ssl.CERT_REQUIRED
    context.num_tickets = 0  # no resumption across sessions
    return context


class Tls:
    """One end of one session's TLS; fresh for every session."""

    def __init__(self, context: ssl.SSLContext, *, is_server: bool) -> None:
        self._authorities = [authority["subject"] for authority in context.get_ca_certs()]
        self._is_server = is_server
        self._from_line = ssl.MemoryBIO()
        self._to_line = ssl.MemoryBIO()
        self._ssl = context.wrap_bio(self._from_line, self._to_line, server_side=is_server)
        self.is_up = False

    def receive(self, data: bytes) -> bytes:
        """Take bytes of the stream.

        Raises:
            ssl.SSLError: the other end is not whom we trust, breaks TLS, or has closed it.
        """
        self._from_line.write(data)
        plain = bytearray()
        try:
            if not self.is_up:
                self._ssl.do_handshake()
                if self._is_server and not self._is_host():
                    raise ssl.SSLError("this certificate is no host's")
                self.is_up = True
            while piece := self._ssl.read(4096):
                plain += piece
        except ssl.SSLWantReadError:
            pass  # all that came is read
        return bytes(plain)

    def _is_host(self) -> bool:
        named, shown = self._ssl.getpeercert(), self._ssl.getpeercert(binary_form=True)
        if not named or not shown:
            return True  # a context that asks for none
        return named["issuer"] in self._authorities and _CLIENT_AUTH in shown and not _AUTHORITY.search(shown)

    def write(self, plain: bytes) -> None:
        self._ssl.write(plain)

    def take(self) -> bytes:
        """Bytes for the stream."""
        return self._to_line.read()
