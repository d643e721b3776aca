"""Devices that somebody has turned against the table; each way of it is a switch (``docs/simulator.md``)."""

import ssl
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Final

from sim.firmware.build import key_of
from sim.usb.hostile import DISK, KEYBOARD, NETWORK


class Hostile(Enum):
    """How a device deceives."""

    UNSIGNED_UPDATE = "unsigned-update"
    """Its boot loader checks no signature."""
    FORGED_DIGEST = "forged-digest"
    """``Hello`` tells the firmware that the device was delivered with, whatever runs."""
    SHARED_KEY = "shared-key"
    """It attests with a key that other units have as well."""
    REPLAYED_ATTESTATION = "replayed-attestation"
    """It answers each question with its first attestation, of an old nonce."""
    DONE_ALONE = "done-alone"
    """Answers each kind of question once, then only that it is done."""
    SILENT_REBOOT = "silent-reboot"
    """It starts again without a word of it."""
    VERSION_CHANGED = "version-changed"
    """From its second session of a boot on it tells another version and digest."""
    CLONED_SERIAL = "cloned-serial"
    """It bears the serial number of another unit, and has a key of its own."""
    ANY_HOST = "any-host"
    """Asks the host for a certificate and accepts any."""
    SIGNS_LESS = "signs-less"
    """Its attestation signs the nonce, and neither digest, counter nor boot state."""
    PERMIT_SURVIVES = "permit-survives"
    """A fault does not end what was unlocked: once it is cleared, cards come out."""
    PERMIT_UNTOLD = "permit-untold"
    """It does not tell back under which permit a card left."""
    DROPS_EVENTS = "drops-events"
    """It silently drops an event for which it has no place; no number shows it."""
    USB_STORAGE = "usb-storage"
    """It is a disk as well."""
    USB_KEYBOARD = "usb-keyboard"
    """It is a keyboard as well."""
    USB_NETWORK = "usb-network"
    """It is a network adapter as well."""


USB_EXTRAS: Final = {
    Hostile.USB_STORAGE: DISK,
    Hostile.USB_KEYBOARD: KEYBOARD,
    Hostile.USB_NETWORK: NETWORK,
}
"""The interface that each of these offers besides."""

CLONED: Final = "SIM-0001"
"""The serial number that a clone bears: that of the first simulated unit."""
OTHER_VERSION: Final = "6.6.6"
"""The version that a device tells whose version changes."""


def unit_key_name(serial: str, hostile: frozenset[Hostile]) -> str:
    """The owner of a unit's key, as ``sim.firmware.build.key_of`` names it."""
    if Hostile.SHARED_KEY in hostile:
        return "all units"
    return f"clone {serial}" if Hostile.CLONED_SERIAL in hostile else f"unit {serial}"


def attests_with(name: str) -> Callable[[bytes], bytes]:
    """Return a function that signs attestations with the Ed25519 key that has this name in the simulation."""
    return key_of(name).sign


_CERTIFICATE: Final = 11
"""The type of the handshake's message ``Certificate`` (RFC 8446, section 4)."""
_MESSAGE_HEADER_BYTES: Final = 4


def taking_any_host(context: ssl.SSLContext) -> ssl.SSLContext:
    """Make a device's context accept any certificate of a host, like firmware whose check always passes.

    Python's ``ssl`` cannot override OpenSSL's decision. So the host's certificate becomes a trusted one between its
    arrival and its verification.
    """
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN

    def trust(
        _connection: object, direction: str, _version: object, _content: object, kind: object, data: bytes
    ) -> None:
        if direction == "read" and kind == _CERTIFICATE:
            for certificate in _certificates(data[_MESSAGE_HEADER_BYTES:]):
                context.load_verify_locations(cadata=certificate)

    context._msg_callback = trust  # type: ignore[attr-defined]  # noqa: SLF001  the only place that sees it in time
    return context


def _certificates(body: bytes) -> Iterator[bytes]:
    at = 1 + body[0] + 3
    while at < len(body):
        end = at + 3 + int.from_bytes(body[at : at + 3], "big")
        yield body[at + 3 : end]
        at = end + 2 + int.from_bytes(body[end : end + 2], "big")
