"""TLS 1.3 over a link's stream by ``ssl`` (``docs/protocols/tdp.md``, section 11).

The host is the client; both show a certificate. No file or socket is used here.
"""

import contextlib
import ssl
from dataclasses import dataclass
from typing import Final

from protocols.errors import ProtocolError
from protocols.tdp.states import Role

TlsContext = ssl.SSLContext
"""This module alone imports ``ssl``."""

_READ_BYTES: Final = 16 * 1024
_HEADER_BYTES: Final = 5
"""RFC 8446, section 5.1."""


@dataclass(frozen=True, slots=True)
class CertificateFault:
    """``number`` is OpenSSL's ``X509_V_ERR``."""

    number: int
    text: str


class TlsFailed(ProtocolError):
    """Wrong peer or changed bytes; the owner closes the session."""

    def __init__(self, role: Role, why: str, untrusted: CertificateFault | None = None) -> None:
        super().__init__(role, why)
        self.role: Final = role
        self.why: Final = why
        self.untrusted: Final = untrusted

    def __str__(self) -> str:
        return f"TLS at the {self.role.value}: {self.why}"


class TlsMisconfigured(ProtocolError):
    """The context allows less than the page asks for."""

    def __init__(self, wanted: str) -> None:
        super().__init__(wanted)
        self.wanted: Final = wanted

    def __str__(self) -> str:
        return f"the TLS context must have {self.wanted}"


@dataclass(frozen=True, slots=True)
class Secured:
    """The caller compares the certificate (DER) with the enrolled one."""

    peer_certificate: bytes


@dataclass(frozen=True, slots=True)
class Plaintext:
    data: bytes


class _Records:
    def __init__(self) -> None:
        self.ended = 0
        self._header = b""
        self._missing = 0

    @property
    def is_whole(self) -> bool:
        return not (self._header or self._missing)

    def feed(self, data: bytes) -> None:
        while data:
            if not self._missing:
                taken = _HEADER_BYTES - len(self._header)
                self._header += data[:taken]
                if len(self._header) == _HEADER_BYTES:
                    self._missing = int.from_bytes(self._header[-2:], "big")
                    self._header = b""
                    self.ended += not self._missing
            else:
                taken = min(self._missing, len(data))
                self._missing -= taken
                self.ended += not self._missing
            data = data[taken:]


class TlsStream:
    """One session's TLS; a new session takes a new one.

    Attributes:
        secured: before, no bytes may be sent.
        closed: the other end ended TLS in good order.
    """

    def __init__(self, role: Role, context: ssl.SSLContext, server_hostname: str | None = None) -> None:
        """The host's first bytes wait in ``bytes_to_send``.

        Raises:
            TlsMisconfigured: an older TLS is allowed, or no certificate required.
        """
        if context.minimum_version < ssl.TLSVersion.TLSv1_3:
            raise TlsMisconfigured("minimum_version = TLSv1_3")
        if context.verify_mode is not ssl.CERT_REQUIRED:
            raise TlsMisconfigured("verify_mode = CERT_REQUIRED")
        self.role: Final = role
        self.secured = False
        self.closed = False
        self._failed: str | None = None
        self._records: Final = _Records()
        self._incoming: Final = ssl.MemoryBIO()
        self._outgoing: Final = ssl.MemoryBIO()
        self._tls: Final = context.wrap_bio(
            self._incoming,
            self._outgoing,
            server_side=role is Role.DEVICE,
            server_hostname=server_hostname,
        )
        if role is Role.HOST:
            self.receive(b"")

    @property
    def waiting(self) -> int:
        """Bytes that came and wait for the rest of their record."""
        return self._incoming.pending

    @property
    def is_unfinished(self) -> bool:
        return not self.secured or not self._records.is_whole

    @property
    def records(self) -> int:
        """Records that came whole."""
        return self._records.ended

    def receive(self, data: bytes) -> list[Secured | Plaintext]:
        """The content of the bytes.

        Raises:
            TlsFailed: an invalid certificate or record; ``bytes_to_send`` has the alert.
        """
        self._check()
        if self.closed:
            return []
        self._records.feed(data)
        self._incoming.write(data)
        events: list[Secured | Plaintext] = []
        try:
            if not self.secured:
                self._tls.do_handshake()
                self.secured = True
                events.append(Secured(self._tls.getpeercert(binary_form=True) or b""))
            while not self.closed:
                plain = self._tls.read(_READ_BYTES)
                if plain:
                    events.append(Plaintext(plain))
                else:
                    self.closed = True
                    # Whoever goes on after the end would fill memory: nothing reads these bytes any more.
                    self._incoming.read()
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLError as error:
            raise self._fail(error) from error
        return events

    def send(self, data: bytes) -> None:
        """Encrypt into ``bytes_to_send``.

        Raises:
            TlsFailed: the handshake is not done, or TLS failed before.
        """
        self._check()
        if not self.secured:
            raise TlsFailed(self.role, "nothing may be sent before the handshake is done")
        if not data:
            return
        try:
            self._tls.write(data)
        except ssl.SSLError as error:
            raise self._fail(error) from error

    def bytes_to_send(self) -> bytes:
        return self._outgoing.read()

    def close(self) -> None:
        """In good order, so that the other end can exclude truncation."""
        if self._failed is None and self.secured:
            # Our part is in bytes_to_send then; the other end's answer need not come.
            with contextlib.suppress(ssl.SSLError):
                self._tls.unwrap()

    def _check(self) -> None:
        if self._failed is not None:
            raise TlsFailed(self.role, self._failed)

    def _fail(self, error: ssl.SSLError) -> TlsFailed:
        self._failed = error.reason or str(error)
        untrusted = None
        if isinstance(error, ssl.SSLCertVerificationError):
            untrusted = CertificateFault(error.verify_code, error.verify_message)
        return TlsFailed(self.role, self._failed, untrusted)
