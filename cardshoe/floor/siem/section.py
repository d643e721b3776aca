"""``[siem.NAME]`` of FLOOR.toml."""

import ipaddress
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from cardshoe.floor.addresses import host_and_port
from cardshoe.process.http.tls import TlsFiles

Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,32}\Z")]
Kind = Literal[
    "alarm", "irregularity", "override", "void", "refused_sign_in", "device", "table", "kept_order", "shuffle_weak"
]
OF_WATCH: Final[frozenset[Kind]] = frozenset({"kept_order", "shuffle_weak"})
"""Alarms of the watch: only receivers that name them in ``kinds`` get them."""
WAYS = ("tls", "tcp", "file", "unix")
NUMBER_OF_EXAMPLES = 32473
"""The enterprise number of examples (RFC 5612); a casino writes its own."""


class SiemSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One receiver.

    Attributes:
        format: ``syslog`` (RFC 5424), or ``json``.
        kinds: empty: all but `OF_WATCH`.
    """

    to: Annotated[str, Meta(min_length=1)]
    format: Literal["syslog", "json"] = "syslog"
    tls: TlsFiles | None = None
    kinds: list[Kind] = []
    history: bool = False
    enterprise: Annotated[int, Meta(ge=1, lt=1 << 32)] = NUMBER_OF_EXAMPLES

    @property
    def way(self) -> str:
        """One of `WAYS`, or else invalid."""
        return self.to.partition(":")[0]

    @property
    def place(self) -> str:
        """HOST:PORT, or the path."""
        rest = self.to.partition(":")[2]
        return rest.removeprefix("//") if self.way in {"tls", "tcp"} else rest

    def below(self, folder: Path) -> "SiemSection":
        """With relative names resolved in a folder."""
        to = f"{self.way}:{folder / self.place}" if self.way in {"file", "unix"} else self.to
        return msgspec.structs.replace(self, to=to, tls=None if self.tls is None else self.tls.below(folder))


def faults_of_siem(sections: Mapping[str, SiemSection]) -> Iterator[str]:
    for name, section in sections.items():
        key = f"siem.{name}"
        if section.way not in WAYS or not section.place:
            yield f"{key}.to: {section.to!r} must be tls://HOST:PORT, tcp://HOST:PORT, file:PATH or unix:PATH"
        elif section.way in {"tls", "tcp"}:
            yield from _faults_of_address(key, section)
        if (section.tls is not None) != (section.way == "tls"):
            yield f"{key}.tls: use it with tls:// only, and always there"


def _faults_of_address(key: str, section: SiemSection) -> Iterator[str]:
    try:
        host, _ = host_and_port(section.place)
    except ValueError as error:
        yield f"{key}.to: {error}"
        return
    if section.way == "tcp" and not _is_here(host):
        yield f"{key}.to: {section.to!r} would leave this machine unencrypted; write tls://"


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
