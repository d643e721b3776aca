"""One MCUboot image to bytes and back (``docs/protocols/mcuboot.md``, sections 2 to 4)."""

import hashlib
from collections.abc import Iterable
from typing import Final, Literal

from construct import Const, Int8ul, Int16ul, Int32ul

from protocols.errors import FrameError, ProtocolError
from protocols.layouts import BitLayout
from protocols.mcuboot.image import HEADER_BYTES, Image, ImageVersion, Tlv

MAGIC: Final = 0x96F3B83D
PROTECTED_MAGIC: Final = 0x6908
UNPROTECTED_MAGIC: Final = 0x6907

# The fixed parts of an image (sections 2 and 3), low byte first.
HEADER: Final = BitLayout(
    "magic" / Int32ul,
    "load_address" / Int32ul,
    "header_bytes" / Int16ul,
    "protected_bytes" / Int16ul,
    "payload_bytes" / Int32ul,
    "flags" / Int32ul,
    "major" / Int8ul,
    "minor" / Int8ul,
    "revision" / Int16ul,
    "build" / Int32ul,
    Const(0, Int32ul),
)
TLV_AREA: Final = BitLayout("magic" / Int16ul, "area_bytes" / Int16ul)
"""``area_bytes`` counts itself, its magic and the records."""
TLV: Final = BitLayout("kind" / Int16ul, "value_bytes" / Int16ul)

ImageFault = Literal["truncated", "magic", "header", "area", "record", "trailing"]

EXPLANATIONS: Final[dict[ImageFault, str]] = {
    "truncated": "it ends too early; was it sent whole?",
    "magic": "it does not begin as an MCUboot image does",
    "header": "its header holds what no header may",
    "area": "no area of records begins where the header says",
    "record": "a record goes beyond its area",
    "trailing": "something follows behind its last record",
}


class ImageError(ProtocolError):
    def __init__(self, offset: int, fault: ImageFault) -> None:
        super().__init__(offset, fault)
        self.offset: Final = offset
        self.fault: Final[ImageFault] = fault

    def __str__(self) -> str:
        return f"no firmware image ({self.fault} at byte {self.offset}): {EXPLANATIONS[self.fault]}"


def image_bytes(data: bytes) -> int:
    """Length of the image at the beginning of ``data``.

    Raises:
        ImageError: no whole image.
    """
    return _read(data)[1]


def decode_image(data: bytes) -> Image:
    """The image in ``data``.

    Raises:
        ImageError: it is damaged, or bytes follow it.
    """
    image, end = _read(data)
    if end != len(data):
        raise ImageError(end, "trailing")
    return image


def encode_image(image: Image) -> bytes:
    """The bytes of an image.

    Raises:
        EncodeError: a field does not fit its place.
    """
    unprotected = _area(UNPROTECTED_MAGIC, image.unprotected)
    return signed_part(image) + (
        unprotected or TLV_AREA.build({"magic": UNPROTECTED_MAGIC, "area_bytes": TLV_AREA.size})
    )


def signed_part(image: Image) -> bytes:
    """Header, payload and protected records.

    Raises:
        EncodeError: a field does not fit its place.
    """
    # Where nothing is protected the area is left out; the other one never is.
    protected = _area(PROTECTED_MAGIC, image.protected) if image.protected else b""
    version = image.version
    header = HEADER.build(
        {
            "magic": MAGIC,
            "load_address": image.load_address,
            "header_bytes": HEADER_BYTES + len(image.padding),
            "protected_bytes": len(protected),
            "payload_bytes": len(image.payload),
            "flags": image.flags,
            "major": version.major,
            "minor": version.minor,
            "revision": version.revision,
            "build": version.build,
        }
    )
    return header + image.padding + image.payload + protected


def digest_of(image: Image) -> bytes:
    """SHA-256 of the signed part, 32 bytes."""
    return hashlib.sha256(signed_part(image)).digest()


def _area(magic: int, records: Iterable[Tlv]) -> bytes:
    body = bytearray()
    for record in records:
        body += TLV.build({"kind": record.kind, "value_bytes": len(record.value)}) + record.value
    return TLV_AREA.build({"magic": magic, "area_bytes": TLV_AREA.size + len(body)}) + bytes(body)


def _read(data: bytes) -> tuple[Image, int]:
    head = _fixed(HEADER, data, 0, "header")
    if head["magic"] != MAGIC:
        raise ImageError(0, "magic")
    if head["header_bytes"] < HEADER_BYTES:
        raise ImageError(8, "header")
    payload_at = head["header_bytes"]
    records_at = payload_at + head["payload_bytes"]
    protected: tuple[Tlv, ...] = ()
    end = records_at
    if head["protected_bytes"]:
        protected, end = _records(data, records_at, PROTECTED_MAGIC)
        if not protected or end - records_at != head["protected_bytes"]:
            raise ImageError(records_at, "area")
    unprotected, end = _records(data, end, UNPROTECTED_MAGIC)
    image = Image(
        version=ImageVersion(head["major"], head["minor"], head["revision"], head["build"]),
        payload=data[payload_at:records_at],
        protected=protected,
        unprotected=unprotected,
        flags=head["flags"],
        load_address=head["load_address"],
        padding=data[HEADER_BYTES:payload_at],
    )
    return image, end


def _records(data: bytes, at: int, magic: int) -> tuple[tuple[Tlv, ...], int]:
    area = _fixed(TLV_AREA, data, at, "area")
    end = at + area["area_bytes"]
    if area["magic"] != magic or area["area_bytes"] < TLV_AREA.size:
        raise ImageError(at, "area")
    if end > len(data):
        raise ImageError(len(data), "truncated")
    records: list[Tlv] = []
    at += TLV_AREA.size
    while at < end:
        if at + TLV.size > end:
            raise ImageError(at, "record")
        record = _fixed(TLV, data, at, "record")
        value_at = at + TLV.size
        if value_at + record["value_bytes"] > end:
            raise ImageError(at, "record")
        at = value_at + record["value_bytes"]
        records.append(Tlv(record["kind"], data[value_at:at]))
    return tuple(records), end


def _fixed(layout: BitLayout, data: bytes, at: int, fault: ImageFault) -> dict[str, int]:
    part = data[at : at + layout.size]
    if len(part) < layout.size:
        raise ImageError(len(data), "truncated")
    try:
        return dict(layout.parse(part))
    except FrameError as error:
        raise ImageError(at, fault) from error
