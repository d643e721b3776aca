"""The parts of a device that an update needs."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from firmware_bridge.trust.facts import DeviceEvidence


class ImageSlot(Struct, frozen=True):
    digest: bytes
    version: str
    active: bool
    confirmed: bool
    pending: bool


class ServicePort(Protocol):
    """Each call raises ``DeviceFailure``; what was done, only another look can tell."""

    def slots(self) -> Sequence[ImageSlot]:
        """The images in the device."""
        ...

    def upload(self, image: bytes) -> None:
        """Into the slot that is not needed."""
        ...

    def want_trial(self, digest: bytes) -> None:
        """The next start tries the image."""
        ...

    def restart(self) -> None:
        """Start the device again."""
        ...

    def confirm(self, digest: bytes) -> None:
        """Keep the running image, if it is this one."""
        ...

    def erase(self) -> None:
        """Erase the unneeded slot, without a trial of it."""
        ...


class Attester(Protocol):
    def attest(self, nonce: bytes) -> DeviceEvidence:
        """``nonce`` has 32 bytes; waits for a starting device.

        Raises:
            DeviceFailure: no answer (``device_silent``), or untrusted (``device_strange``).
        """
        ...

    def expect_start(self) -> None:
        """The next attestation must come after a restart."""
        ...
