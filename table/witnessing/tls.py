"""TLS with certificates on both sides, between a table and its witness. Nothing before TLS 1.3 is spoken."""

import ssl
from pathlib import Path

import msgspec

from table.exits import Exit, Stop


class TlsFiles(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The PEM files of one side.

    Attributes:
        certificate: who this side is.
        key: the private key that belongs to it.
        authority: who has signed the other side's certificate.
    """

    certificate: str
    key: str
    authority: str

    def below(self, folder: Path) -> "TlsFiles":
        """The same, relative names taken from a folder."""
        names = (str(folder / name) for name in (self.certificate, self.key, self.authority))
        return TlsFiles(**dict(zip(self.__struct_fields__, names, strict=True)))

    def server(self) -> ssl.SSLContext:
        """For the service: a client without a certificate of the authority is not heard.

        Raises:
            Stop: a file is missing, or is no certificate or key.
        """
        return self._context(ssl.PROTOCOL_TLS_SERVER)

    def client(self) -> ssl.SSLContext:
        """For the table: the service must be the host of the address, by a certificate of the authority.

        Raises:
            Stop: a file is missing, or is no certificate or key.
        """
        return self._context(ssl.PROTOCOL_TLS_CLIENT)

    def _context(self, side: int) -> ssl.SSLContext:
        context = ssl.SSLContext(side)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.verify_mode = ssl.CERT_REQUIRED
        try:
            # With no password the library would ask for one on the terminal, where nobody sits.
            context.load_cert_chain(self.certificate, self.key, password="")
            context.load_verify_locations(self.authority)
        except (OSError, ssl.SSLError) as error:
            names = f"{self.certificate}, {self.key} or {self.authority}"
            raise Stop(
                f"{names}: {error.strerror or error}",
                "Name PEM files: a certificate, its key without a password, and the authority of the other side.",
                Exit.USAGE,
            ) from error
        return context
