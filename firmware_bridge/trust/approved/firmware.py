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
"""The role whose approval every firmware needs; its targets are in the folder :data:`APPROVALS`."""
APPROVALS: Final = "approved"
IMAGE_BYTES_MAX: Final = 16 << 20
"""16 MiB: many times the flash of such a device."""

_NOT_IN_SLUGS: Final = re.compile(r"[^a-z0-9]+")
_Text24 = Annotated[str, Meta(pattern=r"^[ -~]{1,24}\Z")]


class Firmware(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One firmware: the custom fields of its target.

    Attributes:
        security_counter: 0 to 2³²−1; a device starts none with a lower one than it ever started.
        image_digest: SHA-256 that the boot loader verifies and the device attests, hexadecimal: of the image, not of
            the file.
    """

    maker: _Text24
    model: _Text24
    version: Annotated[str, Meta(pattern=r"^[0-9A-Za-z][0-9A-Za-z.+-]{0,23}\Z")]
    security_counter: Annotated[int, Meta(ge=0, le=2**32 - 1)]
    image_digest: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]

    @classmethod
    def of(cls, target: TargetFile) -> "Firmware":
        """Read a target's own description.

        Raises:
            FirmwareRefused: it does not say it as it must.
        """
        try:
            return msgspec.convert(target.custom, cls)
        except msgspec.ValidationError as error:
            raise FirmwareRefused(TrustCode.MALFORMED, f"{target.path}: {error}", target.path) from error

    @property
    def path(self) -> str:
        """Its target in its maker's role."""
        return f"{slug(self.maker)}/{slug(self.model)}/{self.version}.img"

    @property
    def role(self) -> str:
        """The role of its maker."""
        return maker_role(self.maker)

    def is_for(self, unit: Unit) -> bool:
        """True if it was made for devices of this kind."""
        return (self.maker, self.model) == (unit.maker, unit.model)

    def __str__(self) -> str:
        return f"{self.maker} {self.model} {self.version}"


def slug(text: str) -> str:
    """A text as part of a path: small letters, digits, hyphens."""
    return _NOT_IN_SLUGS.sub("-", text.lower()).strip("-")


def maker_role(maker: str) -> str:
    """The name of a maker's role."""
    return f"maker-{slug(maker)}"


def maker_pattern(role: str) -> str:
    """The paths that a maker's role may list."""
    return f"{role.removeprefix('maker-')}/*/*"


APPROVALS_PATTERN: Final = f"{APPROVALS}/*/*/*"
"""The paths that the regulator's role may list: those of the makers, below a folder of its own."""
