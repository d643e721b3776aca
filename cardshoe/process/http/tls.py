"""Mutual TLS 1.3 between a table and its services."""

import ssl
from pathlib import Path

import msgspec

from cardshoe.process.exits import Exit, Stop
from cardshoe.process.plain_file import must_be_plain


class TlsFiles(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The PEM files of one side; ``revoked``: CRL, absent: no revocation check."""

    certificate: str
    key: str
    authority: str
    revoked: str | None = None

    def below(self, folder: Path) -> "TlsFiles":
        """With relative names resolved in a folder."""
        named = msgspec.structs.asdict(self)
        return TlsFiles(**{field: name and str(folder / name) for field, name in named.items()})

    def server(self) -> ssl.SSLContext:
        """For the service: clients need a certificate of the authority.

        Raises:
            Stop: a file is missing or invalid.
        """
        return self._context(ssl.PROTOCOL_TLS_SERVER)

    def client(self) -> ssl.SSLContext:
        """For the table: name and authority of the service must match.

        Raises:
            Stop: a file is missing or invalid.
        """
        return self._context(ssl.PROTOCOL_TLS_CLIENT)

    def _context(self, side: int) -> ssl.SSLContext:
        context = ssl.SSLContext(side)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.verify_mode = ssl.CERT_REQUIRED
        try:
            for file in (self.certificate, self.key, self.authority):
                must_be_plain(Path(file))
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
        if self.revoked is not None:
            _refuse_revoked(context, self.revoked)
        return context


def _refuse_revoked(context: ssl.SSLContext, file: str) -> None:
    remedy = "Name the list of the authority's revoked certificates (PEM), such as `cardshoe trust crl` writes."
    try:
        must_be_plain(Path(file))
        context.load_verify_locations(file)
    except (OSError, ssl.SSLError) as error:
        raise Stop(f"{file}: {error.strerror or error}", remedy, Exit.USAGE) from error
    if not context.cert_store_stats()["crl"]:
        raise Stop(f"{file}: there is no list of revoked certificates in it", remedy, Exit.USAGE)
    # A list that is too old, or another authority's, fails each handshake: then nobody knows who is revoked.
    context.verify_flags |= ssl.VERIFY_CRL_CHECK_LEAF
