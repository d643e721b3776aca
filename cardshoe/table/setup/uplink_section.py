"""``[uplink]``: the floor that receives the journals' lines."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from msgspec import Struct

from cardshoe.journal.proof.note import BadNote, VerifyKey
from cardshoe.process.config_mistakes import ConfigMistake
from cardshoe.process.http.tls import TlsFiles


class UplinkSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``[uplink]``: the floor.

    Attributes:
        key: verifies receipts, printed by `cardshoe floor run`; ``None``: any over HTTPS.
        folder: of receipts and staff list; ``None``: beside the journals.
    """

    to: str
    tls: TlsFiles
    key: str | None = None
    folder: str | None = None

    @property
    def nats_servers(self) -> list[str]:
        """HOST:PORT of each NATS server; empty: HTTPS."""
        scheme, _, servers = self.to.partition("://")
        return servers.rstrip("/").split(",") if scheme == "nats" else []


def faults_of_uplink(section: UplinkSection) -> Iterator[ConfigMistake]:
    addresses = [f"nats://{server}" for server in section.nats_servers] or [section.to]
    if not all(_is_address(address) for address in addresses):
        remedy = "write https://HOST:PORT, or nats://HOST:PORT,HOST:PORT"
        yield ConfigMistake(key="uplink.to", reason=f"{section.to!r} is not a floor's address; {remedy}")
    if section.key is None and section.nats_servers:
        reason = "over NATS the marks come through a broker; name the key that `cardshoe floor run` prints"
        yield ConfigMistake(key="uplink.key", reason=reason)
    if section.key is not None:
        try:
            VerifyKey.parse(section.key)
        except BadNote as error:
            yield ConfigMistake(
                key="uplink.key", reason=f"{error.reason}; it is the key that `cardshoe floor run` prints"
            )


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        is_bare = not (parts.path.strip("/") or parts.query or parts.fragment) and parts.username is None
        return parts.scheme in {"https", "nats"} and bool(parts.hostname) and parts.port is not None and is_bare
    except ValueError:
        return False
