"""The parts of a device that an update needs: its service port, and its word, signed."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from firmware_bridge.trust.facts import DeviceEvidence


class ImageSlot(Struct, frozen=True):
    """An image that lies in a device, as its service port tells.

    Attributes:
        digest: by which it is known, 32 bytes.
        version: of it.
        active: it runs.
        confirmed: it runs at the next start, unless another is tried.
        pending: the next start tries it.
    """

    digest: bytes
    version: str
    active: bool
    confirmed: bool
    pending: bool


class ServicePort(Protocol):
    """Changes a device's firmware. Whatever raises may have been done or not: only another look can tell.

    Each raises ``DeviceFailure``: no answer, no sense, or a refusal.
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
        """Start it again; it is away for a while."""
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
        """Ask the device for its identity now, with an attestation of ``nonce`` (32 bytes).

        Waits for a device that is starting, for a limited time.

        Raises:
            DeviceFailure: nobody answers (``device_silent``), or one to whom we may not talk (``device_strange``).
        """
        ...

    def expect_start(self) -> None:
        """The device was told to start again: what it shows next should be of after that."""
        ...
