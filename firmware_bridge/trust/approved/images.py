"""An image's own description (``docs/protocols/mcuboot.md``), compared with the signed one."""

from firmware_bridge.trust.approved.firmware import Firmware
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import FirmwareRefused
from protocols.mcuboot.codec import ImageError, decode_image, digest_of


def facts(data: bytes, where: str) -> tuple[str, int]:
    """Digest, hexadecimal, and security counter.

    Raises:
        FirmwareRefused: no MCUboot image, or without security counter.
    """
    try:
        image = decode_image(data)
    except ImageError as error:
        raise FirmwareRefused(TrustCode.IMAGE_DIFFERS, f"{where}: {error}", where) from error
    if image.security_counter is None:
        raise FirmwareRefused(TrustCode.IMAGE_DIFFERS, f"{where} has no security counter", where)
    return digest_of(image).hex(), image.security_counter


def check_image(data: bytes, firmware: Firmware, where: str) -> None:
    """Digest and counter, which a device would attest.

    Raises:
        FirmwareRefused: one differs.
    """
    digest, counter = facts(data, where)
    if (digest, counter) != (firmware.image_digest, firmware.security_counter):
        said = f"{firmware.image_digest[:16]}… with security counter {firmware.security_counter}"
        text = f"{where} is {digest[:16]}… with security counter {counter}; the list says {said}"
        raise FirmwareRefused(TrustCode.IMAGE_DIFFERS, text, where)
