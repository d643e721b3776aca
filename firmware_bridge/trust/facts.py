"""Parts of decisions on devices, importable without cryptography."""

import re
from typing import Final, NamedTuple

from msgspec import Struct

from firmware_bridge.trust.codes import TrustCode
from protocols.tdp.messages import Attestation, Hello

_HEAD: Final = re.compile(r"(?P<seq>[0-9]{1,18}):(?P<digest>[0-9A-Fa-f]{64})")


class Unit(Struct, frozen=True, forbid_unknown_fields=True):
    """Permanent, from ``Hello`` (``docs/protocols/tdp.md``, section 8)."""

    maker: str
    model: str
    serial: str

    def __str__(self) -> str:
        return f"{self.maker} {self.model} {self.serial}"


class RegistryHead(NamedTuple):
    """The last line, which shows whether one is missing or altered."""

    seq: int
    digest: str

    def __str__(self) -> str:
        return f"{self.seq}:{self.digest}"

    @classmethod
    def parse(cls, text: str) -> "RegistryHead":
        found = _HEAD.fullmatch(text)
        if found is None:
            raise ValueError(f"{text!r} is not the head of a registry: a number, a colon, 64 hexadecimal digits")
        return cls(int(found["seq"]), found["digest"])


class TrustCheck(Struct, frozen=True):
    name: str
    ok: bool
    code: TrustCode
    detail: str
    who: str
    remedy: str


class DeviceEvidence(Struct, frozen=True, kw_only=True):
    """The identity that a TDP device shows in a session.

    Attributes:
        certificate: DER; ``None`` on a plain line.
        attestation: ``None`` if none came.
        least_counter: the highest ever attested here.
    """

    certificate: bytes | None
    hello: Hello
    nonce: bytes
    attestation: Attestation | None
    least_counter: int = 0
