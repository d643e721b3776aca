"""The parts of an MCUboot image (``docs/protocols/mcuboot.md``)."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

HEADER_BYTES: Final = 32
"""The header at its shortest; a longer one is filled up."""


class TlvKind(IntEnum):
    """The kinds of records that we write or read; an image may hold others."""

    KEY_HASH = 0x01
    SHA256 = 0x10
    ECDSA = 0x22
    ED25519 = 0x24
    DEPENDENCY = 0x40
    SECURITY_COUNTER = 0x50
    VENDOR_ID = 0x74
    CLASS_ID = 0x75


@dataclass(frozen=True, slots=True, order=True)
class ImageVersion:
    """A version; compared as numbers.

    Attributes:
        major: 0 to 255, as ``minor``.
        revision: 0 to 65535.
        build: 0 to 2³²−1.
    """

    major: int
    minor: int
    revision: int
    build: int = 0

    def __str__(self) -> str:
        text = f"{self.major}.{self.minor}.{self.revision}"
        return f"{text}.{self.build}" if self.build else text


@dataclass(frozen=True, slots=True)
class Tlv:
    """A record behind the payload: what kind it is of, 0 to 65535, and its value, 65535 bytes at most."""

    kind: int
    value: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """A whole image.

    Attributes:
        flags: bits of the header, 0 for an image that runs in place.
        padding: bytes of the header after its first 32.
    """

    version: ImageVersion
    payload: bytes
    protected: tuple[Tlv, ...]
    unprotected: tuple[Tlv, ...]
    flags: int = 0
    load_address: int = 0
    padding: bytes = b""

    @property
    def security_counter(self) -> int | None:
        """The number that may never become lower; None unless exactly one record of four bytes has it."""
        value = only(self.protected, TlvKind.SECURITY_COUNTER)
        return int.from_bytes(value, "little") if value is not None and len(value) == 4 else None  # noqa: PLR2004  # u32

    @property
    def class_id(self) -> bytes | None:
        """For which hardware it is; None unless exactly one record says it."""
        return only(self.protected, TlvKind.CLASS_ID)

    @property
    def hash_record(self) -> bytes | None:
        """The SHA-256 that stands in it; None unless there is exactly one. ``codec.digest_of`` has the true one."""
        return only(self.unprotected, TlvKind.SHA256)


def only(records: Iterable[Tlv], kind: int) -> bytes | None:
    """Return the value of the only record of a kind; None if it is missing or repeated."""
    values = [record.value for record in records if record.kind == kind]
    return values[0] if len(values) == 1 else None
