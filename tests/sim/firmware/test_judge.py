"""Which images a device runs: each check by itself, and that no change of an image passes."""

import random
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from protocols.mcuboot.codec import decode_image, digest_of, encode_image
from protocols.mcuboot.image import Image, ImageVersion, Tlv, TlvKind
from sim.firmware.build import class_id_of, key_of, maker_key, payload_of, signed
from sim.firmware.image_check import BootTrust, ImageRefusal, ImageRefused, judge, key_hash

MODEL = "Reading shoe"
TRUST = BootTrust(maker_key().public_key(), class_id_of(MODEL))
DATA = signed(payload_of(600, 1), ImageVersion(1, 2, 3), 7, MODEL, maker_key())
IMAGE = decode_image(DATA)


def resigned(image: Image, key: Ed25519PrivateKey) -> bytes:
    digest = digest_of(image)
    records = (
        Tlv(TlvKind.SHA256, digest),
        Tlv(TlvKind.KEY_HASH, key_hash(key.public_key())),
        Tlv(TlvKind.ED25519, key.sign(digest)),
    )
    return encode_image(replace(image, unprotected=records))


def refusal(data: bytes, trust: BootTrust = TRUST, least_counter: int = 7) -> ImageRefusal:
    with pytest.raises(ImageRefused) as caught:
        judge(data, trust, least_counter)
    assert str(caught.value).startswith(f"{caught.value.code}: ")
    return caught.value.code


def test_what_its_maker_signed_runs_and_what_follows_it_in_the_slot_does_not_matter() -> None:
    approved = judge(DATA + b"\xff" * 999, TRUST, 7)
    assert (approved.image, approved.digest, approved.counter) == (IMAGE, digest_of(IMAGE), 7)


def test_each_check_has_its_code() -> None:
    maker, records = maker_key(), IMAGE.protected
    assert refusal(b"\xff" * 4096) == "no_image"
    assert refusal(DATA[:-1]) == "no_image"
    assert refusal(resigned(replace(IMAGE, flags=0x10), maker)) == "unsupported"
    depends = Tlv(TlvKind.DEPENDENCY, bytes(12))
    assert refusal(resigned(replace(IMAGE, protected=(*records, depends)), maker)) == "unsupported"
    assert refusal(resigned(replace(IMAGE, protected=records[1:]), maker)) == "records"
    assert refusal(resigned(replace(IMAGE, protected=records[:2]), maker)) == "records"
    assert refusal(resigned(replace(IMAGE, protected=(*records, records[0])), maker)) == "records"
    assert refusal(encode_image(replace(IMAGE, unprotected=IMAGE.unprotected[:1]))) == "records"
    assert refusal(encode_image(replace(IMAGE, unprotected=(*IMAGE.unprotected, Tlv(0xA0, b""))))) == "records"
    assert refusal(encode_image(replace(IMAGE, payload=IMAGE.payload[:-1] + b"!"))) == "wrong_hash"
    assert refusal(resigned(IMAGE, key_of("thief"))) == "wrong_key"
    wrong = (*IMAGE.unprotected[:2], Tlv(TlvKind.ED25519, key_of("thief").sign(digest_of(IMAGE))))
    assert refusal(encode_image(replace(IMAGE, unprotected=wrong))) == "bad_signature"
    truncated = (*IMAGE.unprotected[:2], Tlv(TlvKind.ED25519, IMAGE.unprotected[2].value[:16]))
    assert refusal(encode_image(replace(IMAGE, unprotected=truncated))) == "bad_signature"
    assert refusal(signed(IMAGE.payload, IMAGE.version, 7, "Shuffler", maker)) == "wrong_device"
    assert refusal(DATA, least_counter=8) == "rolled_back"


def test_a_device_that_takes_unsigned_firmware_still_checks_the_rest() -> None:
    careless = replace(TRUST, checks_signature=False)
    assert judge(resigned(IMAGE, key_of("thief")), careless, 7).counter == 7
    assert judge(encode_image(replace(IMAGE, unprotected=IMAGE.unprotected[:1])), careless, 7).counter == 7
    assert refusal(encode_image(replace(IMAGE, payload=b"!")), careless) == "wrong_hash"
    assert refusal(DATA, careless, 8) == "rolled_back"


def test_no_changed_byte_passes(seed: int) -> None:
    rng = random.Random(seed)
    for at in range(len(DATA)):
        data = bytearray(DATA)
        data[at] ^= rng.randrange(1, 256)
        refusal(bytes(data))
