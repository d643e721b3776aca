"""MCUboot images, and the SMP server of the simulated device (``docs/protocols/mcuboot.md``, ``smp.md``)."""

import random
from collections.abc import Iterable
from typing import Final

import cbor2

from protocols.mcuboot.codec import ImageError, decode_image, digest_of, encode_image, image_bytes
from protocols.mcuboot.image import ImageVersion
from sim.firmware.build import class_id_of, maker_key, payload_of, signed
from sim.firmware.flash import NorFlash
from sim.firmware.image_check import BootTrust
from sim.firmware.lines import LineReader, to_lines
from sim.firmware.loader import BootLoader
from sim.firmware.server import SmpServer
from sim.firmware.slots import FlashMap
from tests.firmware_bridge.update.client import HEADER
from tests.fuzz.target import Target, must, pieces, streams
from tests.vectors.mcuboot import golden

_MODEL: Final = "Reading shoe"
_WHERE: Final = FlashMap(slot_blocks=2)
_TRUST: Final = BootTrust(maker_key().public_key(), class_id_of(_MODEL))
_IMAGE: Final = signed(payload_of(200, 1), ImageVersion(1, 0, 0), 1, _MODEL, maker_key())


def _provisioned() -> bytes:
    flash = NorFlash(_WHERE.geometry, random.Random(1))
    BootLoader(flash, _WHERE, _TRUST).provision(_IMAGE)
    return flash.content


_FLASH: Final = _provisioned()


def check_image(data: bytes) -> None:
    """``ImageError``, or an image that is written as it was read; what follows it changes nothing."""
    try:
        end = image_bytes(data)
    except ImageError as error:
        must(0 <= error.offset <= len(data) and str(error), "the error points beyond its bytes")
        return
    image = decode_image(data[:end])
    assert encode_image(image) == data[:end], "it would be written differently"
    assert len(digest_of(image)) == 32


def check_server(data: bytes) -> None:
    """Whatever comes over the service line: it answers in lines, keeps no more than a frame, and starts what it ran."""
    loader = BootLoader(NorFlash(_WHERE.geometry, random.Random(1), _FLASH), _WHERE, _TRUST)
    heard: list[bytes] = []
    server = SmpServer(loader, loader.boot(), heard.append, lambda: None)
    for piece in pieces(data):
        server.receive(piece)
    reader = LineReader()
    for lines in heard:
        (packet,) = reader.feed(lines)
        assert isinstance(cbor2.loads(packet[HEADER.size :]), dict), "an answer that is none"
    assert reader.dropped == 0
    running = loader.boot()
    assert running is not None, "it does not start any more"
    assert loader.record.counter == 1, "nobody has confirmed anything"
    # Whatever came before: the next packet is heard.
    heard.clear()
    server.receive(b"\n" + to_lines(HEADER.pack(0, 0, 0, 0, 7, 6)))
    assert heard, "it does not find its way back"


def _image_seeds() -> Iterable[bytes]:
    return [golden.IMAGE, golden.SIGNED, _IMAGE, _IMAGE[:60]]


def _packet(operation: int, group: int, command: int, **fields: object) -> bytes:
    body = cbor2.dumps(fields)
    return to_lines(HEADER.pack(8 | operation, 0, len(body), group, 1, command) + body)


def _server_seeds() -> Iterable[bytes]:
    digest = digest_of(decode_image(_IMAGE))
    upload = _packet(2, 1, 1, off=0, data=_IMAGE[:300], len=len(_IMAGE))
    rest = _packet(2, 1, 1, off=300, data=_IMAGE[300:])
    return streams(
        _packet(2, 0, 0, d="echo"),
        _packet(0, 0, 6),
        _packet(2, 0, 5),
        _packet(0, 1, 0),
        _packet(2, 1, 0, hash=digest),
        _packet(2, 1, 0, confirm=True),
        _packet(2, 1, 5, slot=1),
        upload + rest,
    )


TARGETS: Final = {
    "mcuboot-image": Target(check_image, _image_seeds, max_bytes=1024),
    "smp-server": Target(check_server, _server_seeds, 250, 2048, words=(b"\x06\x09", b"\x04\x14", b"\n")),
}
