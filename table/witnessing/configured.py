"""The witnesses that a configuration names, as those who sign tell them."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from table.witnessing.errands import Errands
from table.witnessing.holders import FileHolder, Holder
from table.witnessing.places import is_address
from table.witnessing.tls import TlsFiles

NO_KEYS: Final[Mapping[str, str]] = MappingProxyType({})


def holder_at(
    place: str, folder: Path, tls: TlsFiles | None, errands: Errands, keys: Mapping[str, str] = NO_KEYS
) -> Holder:
    """What leads to a witness.

    Args:
        place: a file, or the address of a service.
        folder: where the name of a file starts: that of the configuration.
        tls: the certificates for addresses.
        errands: where the thread that has the journal is asked for proofs.
        keys: the pinned keys of services, by their addresses.

    Raises:
        Stop: a certificate cannot be used.
    """
    if is_address(place):
        from table.witnessing.http_holder import HttpHolder, client_for  # noqa: PLC0415  long to load, and seldom needed

        return HttpHolder(client_for(place, tls, keys.get(place)), errands)
    return FileHolder(folder / place, place)
