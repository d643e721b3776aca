"""Acts in a site's registry. Data alone; ``registry`` has the rules."""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from firmware_bridge.trust.facts import Unit

# \Z, for $ lets a line's end pass behind it.
Text24 = Annotated[str, Meta(pattern=r"^[ -~]{1,24}\Z")]
"""1 to 24 printable ASCII characters."""
Words = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=200,
        pattern=r"^[^\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+\Z",
    ),
]
"""No control or hidden characters: the second person must see the first one's text."""
Sha256 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]


class _Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of the parts of a registry line."""


class SigningPerson(_Part, frozen=True):
    """``key``: public, DER in base64."""

    name: str
    key: str


class UsbIdentity(_Part, frozen=True):
    vendor: Annotated[str, Meta(pattern=r"^[0-9a-f]{4}\Z")]
    product: Annotated[str, Meta(pattern=r"^[0-9a-f]{4}\Z")]
    port_path: Annotated[str, Meta(pattern=r"^([0-9]+-[0-9]+(\.[0-9]+)*)?\Z")] = ""


# --- what two persons decide -----------------------------------------------------------------------------------------


class EnrolDevice(_Part, frozen=True, tag_field="kind", tag="enrol"):
    """A device with a key of its own gets a certificate; ``key``: public, DER in base64."""

    name: str
    maker: Text24
    model: Text24
    serial: Text24
    key: str
    usb: UsbIdentity | None = None

    @property
    def unit(self) -> Unit:
        """The unit that the act is about."""
        return Unit(self.maker, self.model, self.serial)


class AdmitDevice(_Part, frozen=True, tag_field="kind", tag="admit"):
    """A device without cryptography, whose identity its line cannot prove."""

    name: str
    family: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,23}\Z")]
    maker: Text24
    model: Text24
    serial: Text24
    port: Words
    reason: Words

    @property
    def unit(self) -> Unit:
        """The unit, as its plate names it."""
        return Unit(self.maker, self.model, self.serial)


class AddPerson(_Part, frozen=True, tag_field="kind", tag="person"):
    name: str
    key: str


class Anchor(_Part, frozen=True, tag_field="kind", tag="anchor"):
    """The first root of the approved firmware; ``root``: SHA-256 of the file, hexadecimal."""

    root: Sha256


class Update(_Part, frozen=True, tag_field="kind", tag="update"):
    """A device gets an approved firmware, once (``docs/update.md``).

    Attributes:
        order: random, so that no approval serves twice.
        image_digest: SHA-256 that the device will attest, hexadecimal.
        file: SHA-256 of the transferred file, hexadecimal.
        length: of that file, bytes.
    """

    order: Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]
    name: str
    maker: Text24
    model: Text24
    serial: Text24
    version: Text24
    security_counter: Annotated[int, Meta(ge=0, le=2**32 - 1)]
    image_digest: Sha256
    file: Sha256
    length: Annotated[int, Meta(gt=0)]

    @property
    def unit(self) -> Unit:
        """The device."""
        return Unit(self.maker, self.model, self.serial)


class Renewal(_Part, frozen=True, tag_field="kind", tag="renewal"):
    """Confirms that the registry is the newest; every approval renews it as well."""

    registry_days: Annotated[int, Meta(ge=1, le=400)] = 90
    grace_days: Annotated[int, Meta(ge=0, le=60)] = 7


Matter = EnrolDevice | AdmitDevice | AddPerson | Anchor | Update | Renewal


# --- lines -----------------------------------------------------------------------------------------------------------


class FoundingAct(_Part, frozen=True, tag_field="act", tag="founded"):
    """Line 1, signed by the authority.

    Attributes:
        persons: at least two.
    """

    site: Words
    authority: Sha256
    persons: list[SigningPerson]


class ProposalAct(_Part, frozen=True, tag_field="act", tag="proposed"):
    """``until``: no approval after this time, RFC 3339, UTC."""

    matter: Matter
    until: str


class ApprovalAct(_Part, frozen=True, tag_field="act", tag="approved"):
    """Another person approves exactly that.

    Attributes:
        certificate: DER in base64; of an enrolment only.
    """

    proposal: int
    digest: Sha256
    certificate: str = ""


class WithdrawalAct(_Part, frozen=True, tag_field="act", tag="withdrawn"):
    """Any person may withdraw a proposal."""

    proposal: int


class RevocationAct(_Part, frozen=True, tag_field="act", tag="revoked"):
    """By one person: of a device, a person or a certificate."""

    what: Annotated[str, Meta(pattern=r"^(device|person|certificate)\Z")]
    name: str
    reason: Words


RegistryAct = FoundingAct | ProposalAct | ApprovalAct | WithdrawalAct | RevocationAct


class RegistryRecord(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of the registry.

    Attributes:
        at: RFC 3339, UTC, whole seconds; never before the line before.
        by: ``authority`` in line 1.
        previous: zeros in line 1.
        signature: over the line with an empty signature.
    """

    seq: int
    at: str
    by: str
    act: RegistryAct
    previous: Sha256
    signature: str = ""


SIGNED: bytes = b"cardshoe registry line\0"
"""Before the signed bytes: the same key may sign other things."""

_decoder = msgspec.json.Decoder(RegistryRecord)
_encoder = msgspec.json.Encoder()


def encode(line: RegistryRecord) -> bytes:
    return _encoder.encode(line)


def decode(data: bytes) -> RegistryRecord:
    """A line is written in only one way; any other raises ``ValueError``."""
    line = _decoder.decode(data)
    if encode(line) != data:
        raise ValueError("it is written in another way than ours")
    return line


def to_be_signed(line: RegistryRecord) -> bytes:
    return SIGNED + encode(msgspec.structs.replace(line, signature=""))
