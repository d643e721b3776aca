"""Which images a device runs: whole, signed, for its hardware, new enough."""

import hashlib
from dataclasses import dataclass
from typing import Final, Literal

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from protocols.mcuboot.codec import ImageError, decode_image, digest_of, image_bytes
from protocols.mcuboot.image import Image, TlvKind, only

ImageRefusal = Literal[
    "no_image", "unsupported", "records", "wrong_hash", "wrong_key", "bad_signature", "wrong_device", "rolled_back"
]

_UNPROTECTED: Final = [TlvKind.SHA256, TlvKind.KEY_HASH, TlvKind.ED25519]
"""In the order of ``imgtool``; they are unsigned, so no other record may hide there."""


class ImageRefused(Exception):
    def __init__(self, code: ImageRefusal, detail: str) -> None:
        super().__init__(code, detail)
        self.code: Final[ImageRefusal] = code
        self.detail: Final = detail

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


@dataclass(frozen=True, slots=True)
class BootTrust:
    """Burned into a device; ``class_id`` has 16 bytes."""

    key: Ed25519PublicKey
    class_id: bytes
    checks_signature: bool = True


@dataclass(frozen=True, slots=True)
class BootableImage:
    image: Image
    digest: bytes
    counter: int


def judge(data: bytes, trust: BootTrust, least_counter: int) -> BootableImage:
    image = _decoded(data)
    if image.flags:
        raise ImageRefused("unsupported", f"its flags are {image.flags:#x}; only what runs where it lies is taken")
    counter = image.security_counter
    if counter is None or image.class_id is None:
        raise ImageRefused("records", "exactly one security counter and one class are wanted among its signed records")
    if any(record.kind == TlvKind.DEPENDENCY for record in image.protected):
        raise ImageRefused("unsupported", "it depends on another image, which is missing")
    digest = digest_of(image)
    if trust.checks_signature:
        _check_signature(image, digest, trust.key)
    elif image.hash_record != digest:
        raise ImageRefused("wrong_hash", "its hash is not that of what it holds")
    if image.class_id != trust.class_id:
        raise ImageRefused("wrong_device", f"it is for {image.class_id.hex()}, this is {trust.class_id.hex()}")
    if counter < least_counter:
        raise ImageRefused("rolled_back", f"its security counter is {counter}, at least {least_counter} is wanted")
    return BootableImage(image, digest, counter)


def key_hash(key: Ed25519PublicKey) -> bytes:
    """SHA-256 of its DER form, 32 bytes."""
    return hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).digest()


def _decoded(data: bytes) -> Image:
    try:
        return decode_image(data[: image_bytes(data)])
    except ImageError as error:
        raise ImageRefused("no_image", str(error)) from error


def _check_signature(image: Image, digest: bytes, key: Ed25519PublicKey) -> None:
    if [record.kind for record in image.unprotected] != _UNPROTECTED:
        raise ImageRefused("records", "hash, key and Ed25519 signature are wanted behind the signed records, in order")
    if image.hash_record != digest:
        raise ImageRefused("wrong_hash", "its hash is not that of what it holds")
    if only(image.unprotected, TlvKind.KEY_HASH) != key_hash(key):
        raise ImageRefused("wrong_key", "it is signed by a key that this device does not know")
    try:
        key.verify(only(image.unprotected, TlvKind.ED25519) or b"", digest)
    except InvalidSignature as error:
        raise ImageRefused("bad_signature", "the signature does not hold") from error
