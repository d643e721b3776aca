"""The parts of an MCUboot image (``docs/protocols/mcuboot.md``)."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

HEADER_BYTES: Final = 32
"""At its shortest."""


class TlvKind(IntEnum):
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
    """``major``, ``minor``: 0 to 255; ``revision``: to 65535; ``build``: to 2³²−1."""

    major: int
    minor: int
    revision: int
    build: int = 0

    def __str__(self) -> str:
        text = f"{self.major}.{self.minor}.{self.revision}"
        return f"{text}.{self.build}" if self.build else text


@dataclass(frozen=True, slots=True)
class Tlv:
    """``kind`` is 0 to 65535; ``value`` has at most 65535 bytes."""

    kind: int
    value: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """A whole image.

    Attributes:
        flags: 0 for an image that runs in place.
        padding: of the header, after 32 bytes.
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
        """It may never become lower; None unless exactly one record of four bytes has it."""
        value = only(self.protected, TlvKind.SECURITY_COUNTER)
        return int.from_bytes(value, "little") if value is not None and len(value) == 4 else None  # noqa: PLR2004  # u32

    @property
    def class_id(self) -> bytes | None:
        """The hardware; None unless exactly one record has it."""
        return only(self.protected, TlvKind.CLASS_ID)

    @property
    def hash_record(self) -> bytes | None:
        """None unless exactly one; ``codec.digest_of`` has the true one."""
        return only(self.unprotected, TlvKind.SHA256)


def only(records: Iterable[Tlv], kind: int) -> bytes | None:
    values = [record.value for record in records if record.kind == kind]
    return values[0] if len(values) == 1 else None
