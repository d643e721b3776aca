"""A firmware on a stick, and its place there."""

import re
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct
from tuf.api.metadata import TargetFile

from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import FirmwareRefused
from firmware_bridge.trust.facts import Unit

REGULATOR: Final = "regulator"
"""Every firmware needs its approval; its targets are in :data:`APPROVALS`."""
APPROVALS: Final = "approved"
IMAGE_BYTES_MAX: Final = 16 << 20

_NOT_IN_SLUGS: Final = re.compile(r"[^a-z0-9]+")
_Text24 = Annotated[str, Meta(pattern=r"^[ -~]{1,24}\Z")]


class Firmware(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One firmware: the custom fields of its target.

    Attributes:
        security_counter: 0 to 2³²−1; a device starts none with a lower one.
        image_digest: SHA-256 that the device attests, hexadecimal: of the image, not of the file.
    """

    maker: _Text24
    model: _Text24
    version: Annotated[str, Meta(pattern=r"^[0-9A-Za-z][0-9A-Za-z.+-]{0,23}\Z")]
    security_counter: Annotated[int, Meta(ge=0, le=2**32 - 1)]
    image_digest: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]

    @classmethod
    def of(cls, target: TargetFile) -> "Firmware":
        """Read a target's own description."""
        try:
            return msgspec.convert(target.custom, cls)
        except msgspec.ValidationError as error:
            raise FirmwareRefused(TrustCode.MALFORMED, f"{target.path}: {error}", target.path) from error

    @property
    def path(self) -> str:
        return f"{slug(self.maker)}/{slug(self.model)}/{self.version}.img"

    @property
    def role(self) -> str:
        return maker_role(self.maker)

    def is_for(self, unit: Unit) -> bool:
        return (self.maker, self.model) == (unit.maker, unit.model)

    def __str__(self) -> str:
        return f"{self.maker} {self.model} {self.version}"


def slug(text: str) -> str:
    return _NOT_IN_SLUGS.sub("-", text.lower()).strip("-")


def maker_role(maker: str) -> str:
    return f"maker-{slug(maker)}"


def maker_pattern(role: str) -> str:
    return f"{role.removeprefix('maker-')}/*/*"


APPROVALS_PATTERN: Final = f"{APPROVALS}/*/*/*"
