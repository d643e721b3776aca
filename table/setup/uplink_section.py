"""``[uplink]`` of a configuration: where the lines of the table's journals go."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from msgspec import Struct

from table.journal.proof.note import BadNote, VerifyKey
from table.setup.faults import Fault
from table.witnessing.tls import TlsFiles


class UplinkSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``[uplink]``: the floor to which the table sends.

    Attributes:
        to: ``https://HOST:PORT`` of its collector.
        tls: the table's certificate, whose common name is the table's id, its key, and the collector's authority.
        key: the key with which the floor signs its marks, as `cardshoe floor run` prints it; ``None``: any.
    """

    to: str
    tls: TlsFiles
    key: str | None = None


def faults_of_uplink(section: UplinkSection) -> Iterator[Fault]:
    """What is wrong with the section, besides its form."""
    try:
        parts = urlsplit(section.to)
        is_good = parts.scheme == "https" and parts.hostname and not (parts.path.strip("/") or parts.query)
        is_good = is_good and parts.username is None and parts.port is not None
    except ValueError:
        is_good = False
    if not is_good:
        yield Fault(key="uplink.to", reason=f"{section.to!r} is no address of a floor; write https://HOST:PORT")
    if section.key is not None:
        try:
            VerifyKey.parse(section.key)
        except BadNote as error:
            yield Fault(key="uplink.key", reason=f"{error.reason}; it is the key that `cardshoe floor run` prints")
