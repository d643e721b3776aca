"""Devices turned against the table; each way is a switch (``docs/simulator.md``)."""

import ssl
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Final

from sim.firmware.build import key_of
from sim.usb.hostile import DISK, KEYBOARD, NETWORK


class Hostile(Enum):
    UNSIGNED_UPDATE = "unsigned-update"
    FORGED_DIGEST = "forged-digest"
    """``Hello`` has the delivered firmware, whatever runs."""
    SHARED_KEY = "shared-key"
    REPLAYED_ATTESTATION = "replayed-attestation"
    """Its first attestation, of an old nonce."""
    DONE_ALONE = "done-alone"
    """An answer to each kind of question once, then only ``Done``."""
    SILENT_REBOOT = "silent-reboot"
    VERSION_CHANGED = "version-changed"
    """From its second session of a boot on."""
    CLONED_SERIAL = "cloned-serial"
    """With a key of its own."""
    ANY_HOST = "any-host"
    """Asks the host for a certificate and accepts any."""
    SIGNS_LESS = "signs-less"
    """The nonce only, neither digest, counter nor boot state."""
    PERMIT_SURVIVES = "permit-survives"
    """A fault does not end what was unlocked."""
    PERMIT_UNTOLD = "permit-untold"
    DROPS_EVENTS = "drops-events"
    """No number shows it."""
    USB_STORAGE = "usb-storage"
    USB_KEYBOARD = "usb-keyboard"
    USB_NETWORK = "usb-network"


USB_EXTRAS: Final = {
    Hostile.USB_STORAGE: DISK,
    Hostile.USB_KEYBOARD: KEYBOARD,
    Hostile.USB_NETWORK: NETWORK,
}

CLONED: Final = "SIM-0001"
OTHER_VERSION: Final = "6.6.6"


def unit_key_name(serial: str, hostile: frozenset[Hostile]) -> str:
    if Hostile.SHARED_KEY in hostile:
        return "all units"
    return f"clone {serial}" if Hostile.CLONED_SERIAL in hostile else f"unit {serial}"


def attests_with(name: str) -> Callable[[bytes], bytes]:
    return key_of(name).sign


_CERTIFICATE: Final = 11
"""RFC 8446, section 4."""
_MESSAGE_HEADER_BYTES: Final = 4


def taking_any_host(context: ssl.SSLContext) -> ssl.SSLContext:
    """``ssl`` cannot override OpenSSL: a host's certificate is trusted before it is verified."""
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
