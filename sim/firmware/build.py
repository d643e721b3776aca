"""Firmware images for simulated devices; their makers' keys are public."""

import hashlib
import random
from typing import Final
from uuid import NAMESPACE_DNS, uuid5

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from protocols.mcuboot.codec import digest_of, encode_image
from protocols.mcuboot.image import Image, ImageVersion, Tlv, TlvKind
from sim.firmware.image_check import key_hash

VENDOR: Final = "cardshoe.invalid"
VENDOR_ID: Final = uuid5(NAMESPACE_DNS, VENDOR)
HANGS: Final = b"cardshoe simulated firmware that hangs\n"
"""Such a firmware hangs before it can speak; its watchdog bites."""
WORKS: Final = b"cardshoe simulated firmware\n"


def key_of(name: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(f"cardshoe simulation: {name}".encode()).digest())


def maker_key() -> Ed25519PrivateKey:
    return key_of("maker")


def class_id_of(model: str) -> bytes:
    """16 bytes, as by ``imgtool sign --vid cardshoe.invalid --cid MODEL``."""
    return uuid5(VENDOR_ID, model).bytes


def payload_of(size_bytes: int, seed: int, *, hangs: bool = False) -> bytes:
    line = HANGS if hangs else WORKS
    return line + random.Random(seed).randbytes(size_bytes - len(line))


def signed(payload: bytes, version: ImageVersion, counter: int, model: str, key: Ed25519PrivateKey) -> bytes:
    protected = (
        Tlv(TlvKind.SECURITY_COUNTER, counter.to_bytes(4, "little")),
        Tlv(TlvKind.VENDOR_ID, VENDOR_ID.bytes),
        Tlv(TlvKind.CLASS_ID, class_id_of(model)),
    )
    bare = Image(version=version, payload=payload, protected=protected, unprotected=())
    digest = digest_of(bare)
    records = (
        Tlv(TlvKind.SHA256, digest),
        Tlv(TlvKind.KEY_HASH, key_hash(key.public_key())),
        Tlv(TlvKind.ED25519, key.sign(digest)),
    )
    return encode_image(Image(version=version, payload=payload, protected=protected, unprotected=records))
