"""MCUboot images: golden bytes, every fault and its place, and that nothing is read that was not there."""

from dataclasses import replace

import pytest

from protocols.errors import EncodeError
from protocols.mcuboot.codec import ImageError, ImageFault, decode_image, digest_of, encode_image, image_bytes
from protocols.mcuboot.image import Image, ImageVersion, Tlv, TlvKind, only
from tests.vectors.mcuboot import golden

IMAGE = Image(
    version=ImageVersion(1, 2, 3, 4),
    payload=golden.PAYLOAD,
    protected=(Tlv(TlvKind.SECURITY_COUNTER, bytes.fromhex("07000000")), Tlv(TlvKind.CLASS_ID, golden.CLASS_ID)),
    unprotected=(
        Tlv(TlvKind.SHA256, golden.DIGEST),
        Tlv(TlvKind.KEY_HASH, golden.KEY_HASH),
        Tlv(TlvKind.ED25519, golden.SIGNATURE),
    ),
)


def changed(at: int, to: str) -> bytes:
    raw = bytes.fromhex(to)
    return golden.IMAGE[:at] + raw + golden.IMAGE[at + len(raw) :]


def test_golden_bytes_both_ways() -> None:
    assert encode_image(IMAGE) == golden.IMAGE
    assert decode_image(golden.IMAGE) == IMAGE
    assert digest_of(IMAGE) == golden.DIGEST
    assert (IMAGE.security_counter, IMAGE.class_id, IMAGE.hash_record) == (7, golden.CLASS_ID, golden.DIGEST)


def test_a_longer_header_is_kept_and_what_follows_an_image_is_told_apart() -> None:
    padded = replace(IMAGE, padding=b"\xff" * 480, flags=0x10, load_address=0x08000000)
    data = encode_image(padded)
    assert decode_image(data) == padded
    assert image_bytes(data + b"\xff" * 99) == len(data)
    with pytest.raises(ImageError) as caught:
        decode_image(data + b"\xff")
    assert (caught.value.fault, caught.value.offset) == ("trailing", len(data))


def test_an_image_without_records() -> None:
    bare = replace(IMAGE, protected=(), unprotected=())
    data = encode_image(bare)
    assert data[-4:] == bytes.fromhex("07690400")
    assert decode_image(data) == bare
    assert (bare.security_counter, bare.class_id, bare.hash_record) == (None, None, None)


@pytest.mark.parametrize(
    ("data", "fault", "offset"),
    [
        (changed(0, "3C"), "magic", 0),
        (changed(8, "1F 00"), "header", 8),
        (changed(28, "01"), "header", 0),
        (changed(10, "00 00"), "area", 36),  # nothing protected, yet the area of what is protected follows
        (changed(10, "21 00"), "area", 36),
        (changed(12, "05"), "area", 37),
        (changed(36, "07"), "area", 36),
        (changed(38, "03"), "area", 36),
        (changed(38, "1F"), "record", 48),
        (changed(42, "FF"), "record", 40),
        (changed(38, "0A"), "record", 40),
        (changed(68, "08"), "area", 68),
        (changed(70, "91"), "truncated", len(golden.IMAGE)),
        (changed(70, "8F"), "record", 144),
        (changed(12, "00 00 00 01"), "truncated", len(golden.IMAGE)),
    ],
)
def test_faults_and_their_places(data: bytes, fault: ImageFault, offset: int) -> None:
    with pytest.raises(ImageError) as caught:
        decode_image(data)
    assert (caught.value.fault, caught.value.offset) == (fault, offset)
    assert str(caught.value).startswith(f"no firmware image ({fault} at byte {offset})")


def test_every_beginning_of_an_image_is_too_short() -> None:
    for end in range(len(golden.IMAGE)):
        with pytest.raises(ImageError) as caught:
            decode_image(golden.IMAGE[:end])
        assert (caught.value.fault, caught.value.offset) == ("truncated", end)


def test_whatever_bit_is_changed_it_is_no_image_or_another_one() -> None:
    for at in range(len(golden.IMAGE)):
        for bit in range(8):
            data = changed(at, f"{golden.IMAGE[at] ^ 1 << bit:02X}")
            try:
                image = decode_image(data)
            except ImageError:
                continue
            assert image != IMAGE
            assert encode_image(image) == data
            assert (digest_of(image) != golden.DIGEST) == (at < len(golden.SIGNED)), at


def test_records_that_come_twice_are_not_believed() -> None:
    twice = replace(IMAGE, protected=IMAGE.protected * 2)
    assert (twice.security_counter, twice.class_id) == (None, None)
    assert only(twice.protected, TlvKind.DEPENDENCY) is None
    short = replace(IMAGE, protected=(Tlv(TlvKind.SECURITY_COUNTER, b"\x07"),))
    assert short.security_counter is None


@pytest.mark.parametrize(
    "image",
    [
        replace(IMAGE, version=ImageVersion(256, 0, 0)),
        replace(IMAGE, version=ImageVersion(0, 0, 65536)),
        replace(IMAGE, protected=(Tlv(0x10000, b""),)),
        replace(IMAGE, protected=(Tlv(0xA0, bytes(65530)), Tlv(0xA1, bytes(9)))),
        replace(IMAGE, padding=bytes(65536)),
    ],
)
def test_what_has_no_form_is_refused(image: Image) -> None:
    with pytest.raises(EncodeError):
        encode_image(image)


def test_versions_as_text_and_in_order() -> None:
    assert [str(ImageVersion(1, 2, 3)), str(ImageVersion(1, 2, 3, 4))] == ["1.2.3", "1.2.3.4"]
    assert ImageVersion(1, 9, 0) < ImageVersion(1, 10, 0) < ImageVersion(1, 10, 0, 1)
