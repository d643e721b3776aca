"""Configured places of witnesses."""

from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlsplit

from cardshoe.journal.proof.cosignature import CosignatureKey
from cardshoe.journal.proof.note import BadNote
from cardshoe.process.http.tls import TlsFiles

LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})


def is_address(place: str) -> bool:
    return place.startswith(("http://", "https://"))


def fault_of(place: str, tls: TlsFiles | None) -> str | None:
    if not is_address(place):
        is_file = "://" not in place
        return None if is_file else f"{place!r} is not a witness's address; write a file's name, or https://HOST:PORT"
    try:
        parts = urlsplit(place)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        return f"{place!r} is not an address: {error}"
    if not host or parts.query or parts.fragment or parts.username is not None:
        return f"{place!r} is not a witness's address; write https://HOST:PORT"
    if parts.scheme == "http" and host not in LOOPBACK:
        return f"{place!r} would leave this machine unencrypted; write https://, and name the certificates"
    if parts.scheme == "https" and tls is None:
        return f"{place!r} needs certificates: certificate, key and authority"
    return None


def fault_of_keys(keys: Mapping[str, str], places: Sequence[str]) -> str | None:
    for place, key in keys.items():
        if place not in places or not is_address(place):
            return f"{place!r} is not an address in `witness`; a key needs a service that is named there"
        try:
            CosignatureKey.parse(key)
        except BadNote as error:
            return f"{error.reason}; it is the key that `cardshoe witness serve` prints: cardshoe/witness/NAME+ID+KEY"
    return None
