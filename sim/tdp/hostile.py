"""Devices that somebody has turned against the table; each way of it is a switch (``docs/simulator.md``)."""

from collections.abc import Callable
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
    """It answers each kind of question once, and from then on says no more than that it is done."""
    SILENT_REBOOT = "silent-reboot"
    """It starts again without a word of it."""
    VERSION_CHANGED = "version-changed"
    """From its second session of a boot on it tells another version and digest."""
    CLONED_SERIAL = "cloned-serial"
    """It bears the serial number of another unit, and has a key of its own."""
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
"""What a device tells whose version changes."""


def unit_key_name(serial: str, hostile: frozenset[Hostile]) -> str:
    """Whose key a unit has, as ``sim.firmware.build.key_of`` names it.

    Args:
        serial: what was asked for as its serial number, before any was cloned.
        hostile: how it deceives.
    """
    if Hostile.SHARED_KEY in hostile:
        return "all units"
    return f"clone {serial}" if Hostile.CLONED_SERIAL in hostile else f"unit {serial}"


def attests_with(name: str) -> Callable[[bytes], bytes]:
    """What signs attestations with the Ed25519 key that has this name in the simulation."""
    return key_of(name).sign
