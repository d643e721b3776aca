"""The parts of a device that an update needs."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from firmware_bridge.trust.facts import DeviceEvidence


class ImageSlot(Struct, frozen=True):
    """An image that lies in a device, as its service port tells.

    Attributes:
        digest: by which it is known, 32 bytes.
    """

    digest: bytes
    version: str
    active: bool
    confirmed: bool
    pending: bool


class ServicePort(Protocol):
    """Changes a device's firmware. Whatever raises may have been done or not: only another look can tell.

    Each raises ``DeviceFailure``: no answer, an invalid one, or a refusal.
    """

    def slots(self) -> Sequence[ImageSlot]:
        """The images that lie in it."""
        ...

    def upload(self, image: bytes) -> None:
        """Put an image into the slot that is not needed."""
        ...

    def want_trial(self, digest: bytes) -> None:
        """Have the next start try an image."""
        ...

    def restart(self) -> None:
        """Start it again."""
        ...

    def confirm(self, digest: bytes) -> None:
        """Have it keep the image that runs, if it is this one."""
        ...

    def erase(self) -> None:
        """Erase the slot that is not needed, and want no trial of it."""
        ...


class Attester(Protocol):
    """Has a device sign what it is."""

    def attest(self, nonce: bytes) -> DeviceEvidence:
        """Request the device's identity, with an attestation of ``nonce`` (32 bytes); waits for a starting device.

        Raises:
            DeviceFailure: no answer (``device_silent``), or an untrusted device (``device_strange``).
        """
        ...

    def expect_start(self) -> None:
        """Record a requested restart: the next attestation must come after it."""
        ...
