"""A device's identity in ``Hello`` (``docs/protocols/tdp.md``, section 8)."""

import hashlib
from dataclasses import dataclass, fields, replace
from typing import Final, NamedTuple

from protocols.tdp.codes import BootReason, BootState, Capability
from protocols.tdp.messages import Hello

MESSAGE_VERSION: Final = 1
NUMBERS: Final = {"hardware_revision": 0xFFFF, "security_counter": 0xFFFFFFFF}
"""With the highest that fits the wire."""
TEXT_MAX: Final = 24
DIGEST_BYTES: Final = 32


class BootEvidence(NamedTuple):
    digest: bytes
    counter: int
    state: BootState


@dataclass(frozen=True, slots=True, kw_only=True)
class SimIdentity:
    """Texts have 1 to 24 printable ASCII characters.

    Attributes:
        image_digest: 32 bytes.
        security_counter: 0 to 2³²−1.
    """

    maker: str = "Cardshoe"
    model: str = "Simulated"
    serial: str = "SIM-0001"
    hardware_revision: int = 1
    firmware_version: str = "1.0.0"
    image_digest: bytes = hashlib.sha256(b"cardshoe simulated device 1.0.0").digest()
    security_counter: int = 1

    def changed(self, key: str, value: str) -> "SimIdentity":
        """``value``: text, a decimal number, or 64 hexadecimal digits."""
        names = [field.name for field in fields(self)]
        if key not in names:
            raise ValueError(f"{key!r} is no part of an identity; there are {', '.join(names)}")
        if key in NUMBERS:
            if not (value.isascii() and value.isdigit() and int(value) <= NUMBERS[key]):
                raise ValueError(f"{key} is a number from 0 to {NUMBERS[key]}, {value!r} given")
            return _with(self, key, int(value))
        if key == "image_digest":
            try:
                digest = bytes.fromhex(value)
            except ValueError as error:
                raise ValueError(f"{key} is {2 * DIGEST_BYTES} hexadecimal digits, {value!r} given") from error
            if len(digest) != DIGEST_BYTES:
                raise ValueError(f"{key} has {len(digest)} bytes, it must have {DIGEST_BYTES}")
            return _with(self, key, digest)
        if not (0 < len(value) <= TEXT_MAX and value.isascii() and value.isprintable()):
            raise ValueError(f"{key} is 1 to {TEXT_MAX} printable ASCII characters, {value!r} given")
        return _with(self, key, value)

    def hello(self, boot: int, reason: BootReason, capabilities: Capability) -> Hello:
        """The message for a boot."""
        return Hello(
            MESSAGE_VERSION,
            self.maker,
            self.model,
            self.serial,
            self.hardware_revision,
            self.firmware_version,
            self.image_digest,
            self.security_counter,
            boot,
            reason,
            capabilities,
        )


def _with(identity: SimIdentity, key: str, value: object) -> SimIdentity:
    changes: dict[str, object] = {key: value}
    return replace(identity, **changes)  # type: ignore[arg-type]  # which field it is, only the caller's text says
