"""Devices that deceive while they are updated; each in its own way."""

import dataclasses
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeVar

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import structs

from firmware_bridge.trust.facts import DeviceEvidence
from firmware_bridge.trust.verification import attested
from firmware_bridge.update.device import ImageSlot
from protocols.tdp.codes import BootState
from protocols.tdp.messages import Attestation
from sim.firmware.build import class_id_of, maker_key
from sim.firmware.flash import NorFlash
from sim.firmware.image_check import BootTrust
from sim.firmware.loader import BootLoader
from tests.firmware_bridge.update.loop import WHERE, LoopDevice, Unit
from tests.firmware_bridge.update.night import DEVICE_KEY, MAKER, MODEL, NEW, OLD, SERIAL, Made, Night, make

OLDER: Final = make(3, 1)
"""Approved, with a lower security counter than that of what runs."""
ANOTHER: Final = make(4, 3)
"""Approved as well, and not what was asked for."""
UNSIGNED: Final = make(5, 9, signer="thief")
"""Signed by somebody who is not its maker."""
RIGHT: Final = Unit(MAKER, MODEL, SERIAL, None, DEVICE_KEY)
DeviceT = TypeVar("DeviceT", bound=LoopDevice)


class ForgesHello(LoopDevice):
    """Tells in ``Hello`` the firmware that it was delivered with, whatever runs."""

    def attest(self, nonce: bytes) -> DeviceEvidence:
        shown = super().attest(nonce)
        hello = dataclasses.replace(
            shown.hello, image_digest=OLD.digest, firmware_version=OLD.version, security_counter=OLD.counter
        )
        return structs.replace(shown, hello=hello)


class LiesOfAll(LoopDevice):
    """Keeps its firmware, and says everywhere that the wanted one runs; only its boot loader's signature it has not."""

    wanted: Made = NEW
    is_on_trial = False
    is_kept = False

    def want_trial(self, digest: bytes) -> None:
        super().want_trial(digest)
        self.is_on_trial = True

    def restart(self) -> None:
        self.erase()

    def confirm(self, digest: bytes) -> None:  # noqa: ARG002  # it does as it likes
        self.is_kept = True

    def slots(self) -> Sequence[ImageSlot]:
        if not self.is_on_trial:
            return super().slots()
        return [ImageSlot(self.wanted.digest, self.wanted.version, active=True, confirmed=self.is_kept, pending=False)]

    def attest(self, nonce: bytes) -> DeviceEvidence:
        shown = super().attest(nonce)
        told = shown.attestation
        if not self.is_on_trial or told is None:
            return shown
        state = BootState.VERIFIED if self.is_kept else BootState.TEST_BOOT
        forged = dataclasses.replace(
            told, image_digest=self.wanted.digest, security_counter=self.wanted.counter, boot_state=state
        )
        hello = dataclasses.replace(
            shown.hello,
            image_digest=self.wanted.digest,
            firmware_version=self.wanted.version,
            security_counter=self.wanted.counter,
        )
        return structs.replace(shown, hello=hello, attestation=forged)


class Replays(LoopDevice):
    """Answers every attestation after its first with that one."""

    renumbers = False
    first: Attestation | None = None

    def attest(self, nonce: bytes) -> DeviceEvidence:
        shown = super().attest(nonce)
        if self.first is None:
            self.first = shown.attestation
            return shown
        told = dataclasses.replace(self.first, nonce=nonce) if self.renumbers else self.first
        return structs.replace(shown, attestation=told)


class SignsWithAnother(LoopDevice):
    """Signs with a key that is not that of its certificate: one that all units have, say."""

    key: Ed25519PrivateKey

    def attest(self, nonce: bytes) -> DeviceEvidence:
        shown = super().attest(nonce)
        told = shown.attestation
        if told is None:
            return shown
        return structs.replace(shown, attestation=dataclasses.replace(told, signature=self.key.sign(attested(told))))


class Mute(LoopDevice):
    """Does not attest."""

    def attest(self, nonce: bytes) -> DeviceEvidence:
        return structs.replace(super().attest(nonce), attestation=None)


class RestartsUnasked(LoopDevice):
    """Starts again by itself, without a word, between its attestation and the next thing it is asked."""

    times = 1

    def confirm(self, digest: bytes) -> None:
        if self.times:
            self.times -= 1
            self.start()
        super().confirm(digest)


class KeepsUnasked(LoopDevice):
    """Confirms what it tries, by itself."""

    def restart(self) -> None:
        super().restart()
        if self.running is not None and self.running.state is BootState.TEST_BOOT:
            self.loader.confirm(self.running)


class NeverKeeps(LoopDevice):
    """Says yes to a confirmation, and does nothing."""

    def confirm(self, digest: bytes) -> None:  # noqa: ARG002  # it does as it likes
        self.slots()


class LosesUploads(LoopDevice):
    """Takes half of an image, and says yes."""

    def upload(self, image: bytes) -> None:
        self._powered(lambda client: client.upload(image, until=len(image) // 2))


class NeverStarts(LoopDevice):
    """Says yes to a restart, and does nothing."""

    def restart(self) -> None:
        self.slots()


class Burgled(LoopDevice):
    """Somebody else writes to its other slot while it is updated."""

    image: bytes
    digest: bytes
    is_early = False
    keeps = False
    is_done = False

    def want_trial(self, digest: bytes) -> None:
        if self.is_early:
            self._burgle()
        else:
            super().want_trial(digest)

    def restart(self) -> None:
        if not self.is_done:
            self._burgle()
        super().restart()
        if self.keeps and self.running is not None and self.running.state is BootState.TEST_BOOT:
            self.loader.confirm(self.running)
            self.start()

    def _burgle(self) -> None:
        self.is_done = True
        self.erase()
        self.upload(self.image)
        super().want_trial(self.digest)


class OtherPort(LoopDevice):
    """Its service port is that of another unit."""

    other: LoopDevice

    def slots(self) -> Sequence[ImageSlot]:
        return self.other.slots()


@pytest.fixture(scope="session")
def night(tmp_path_factory: pytest.TempPathFactory) -> Night:
    return Night(tmp_path_factory.mktemp("night"), (OLD, NEW, OLDER, ANOTHER))


@pytest.fixture
def whose(night: Night) -> Unit:
    """The unit that was enrolled."""
    return replace(RIGHT, certificate=night.certificate)


def made(kind: type[DeviceT], whose: Unit, first: Made = OLD, *, checks_signature: bool = True) -> DeviceT:
    trust = BootTrust(maker_key().public_key(), class_id_of(MODEL), checks_signature)
    loader = BootLoader(NorFlash(WHERE.geometry, random.Random(1)), WHERE, trust)
    loader.provision(first.image)
    return kind(loader, whose)


def assert_runs(device: LoopDevice, firmware: Made) -> None:
    running = device.start()
    assert running is not None
    assert (running.approved.digest, running.state) == (firmware.digest, BootState.VERIFIED)
