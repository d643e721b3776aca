"""Parts of decisions on devices, importable without cryptography."""

import re
from typing import Final, NamedTuple

from msgspec import Struct

from firmware_bridge.trust.codes import TrustCode
from protocols.tdp.messages import Attestation, Hello

_HEAD: Final = re.compile(r"(?P<seq>[0-9]{1,18}):(?P<digest>[0-9A-Fa-f]{64})")


class Unit(Struct, frozen=True, forbid_unknown_fields=True):
    """The permanent names of a device, from its ``Hello`` (``docs/protocols/tdp.md``, section 8)."""

    maker: str
    model: str
    serial: str

    def __str__(self) -> str:
        return f"{self.maker} {self.model} {self.serial}"


class RegistryHead(NamedTuple):
    """The end of a registry, which shows whether a line is missing or altered.

    Attributes:
        digest: SHA-256 of it.
    """

    seq: int
    digest: str

    def __str__(self) -> str:
        return f"{self.seq}:{self.digest}"

    @classmethod
    def parse(cls, text: str) -> "RegistryHead":
        """The head that ``SEQ:DIGEST`` says.

        Raises:
            ValueError: it says none.
        """
        found = _HEAD.fullmatch(text)
        if found is None:
            raise ValueError(f"{text!r} is not the head of a registry: a number, a colon, 64 hexadecimal digits")
        return cls(int(found["seq"]), found["digest"])


class TrustCheck(Struct, frozen=True):
    """One comparison."""

    name: str
    ok: bool
    code: TrustCode
    detail: str
    who: str
    remedy: str


class DeviceEvidence(Struct, frozen=True, kw_only=True):
    """The evidence that a TDP device shows of itself in one session.

    Attributes:
        certificate: the one that TLS was made with, DER; ``None`` on a plain line.
        nonce: what the host drew for this attestation, 32 bytes.
        attestation: the answer; ``None`` if none came.
        least_counter: the highest security counter that this device ever attested here.
    """

    certificate: bytes | None
    hello: Hello
    nonce: bytes
    attestation: Attestation | None
    least_counter: int = 0
