"""A device's life as a list of flash operations, each with what may run if the power goes in it."""

import hashlib
import random
from dataclasses import dataclass, replace
from typing import Final

from protocols.mcuboot.codec import decode_image, digest_of
from protocols.mcuboot.image import ImageVersion
from sim.firmware.build import class_id_of, key_of, maker_key, payload_of, signed
from sim.firmware.flash import NorFlash, Operation, nothing_happens
from sim.firmware.image_check import BootTrust
from sim.firmware.loader import BootLoader, RunningImage
from sim.firmware.slots import FlashMap
from tests.firmware_bridge.update.client import ERASE, IMAGE, WRITE, Client

MODEL: Final = "Reading shoe"
WHERE: Final = FlashMap(slot_blocks=16)
"""Slots of 64 KiB: an update fills a good part of one."""
PAYLOAD_BYTES: Final = 45_000
"""Of a firmware, unless a story is to be short."""
LAST_BYTES: Final = 3_000
RECORDS: Final = 10
"""Trials wanted and given up one after the other: so the boot record goes through both of its blocks."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The device's promises so far.

    Attributes:
        first: digests of which one must run at the next boot.
        then: digests of which one must run at the boot after that, if nobody confirms anything.
    """

    first: frozenset[bytes]
    then: frozenset[bytes]
    counter: int


@dataclass(frozen=True, slots=True)
class Step:
    """A flash operation, and what holds if the power goes in it."""

    operation: Operation
    expected: Expected


@dataclass(frozen=True, slots=True)
class Firmware:
    """An image, and whether its maker would stand by it."""

    image: bytes
    digest: bytes
    counter: int
    is_approved: bool = True


def made(number: int, counter: int, payload: bytes, *, signer: str = "maker") -> Firmware:
    """A firmware; approved if its maker has signed it."""
    image = signed(payload, ImageVersion(1, number, 0), counter, MODEL, key_of(signer))
    return Firmware(image, digest_of(decode_image(image)), counter, is_approved=signer == "maker")


def burned(*, checks_signature: bool = True) -> BootTrust:
    """The keys and ids that are burned into the device."""
    return BootTrust(maker_key().public_key(), class_id_of(MODEL), checks_signature)


class Story:
    """Tells it: updates from A to B and back, trials that nobody confirms, uploads broken off, images to be refused."""

    def __init__(self, kind: type[BootLoader], trust: BootTrust, seed: int, payload_bytes: int = PAYLOAD_BYTES) -> None:
        self._seed: Final = seed
        self._payload_bytes: Final = payload_bytes
        self.flash: Final = NorFlash(WHERE.geometry, random.Random(seed))
        self.loader: Final = kind(self.flash, WHERE, trust)
        first = self._made(0, 1)
        self.loader.provision(first.image)
        self.start: Final = self.flash.content
        self.steps: Final[list[Step]] = []
        self.images: Final = [first]
        self.refused = 0
        self._expected = Expected(frozenset({first.digest}), frozenset({first.digest}), first.counter)
        self._wanted: Firmware | None = None
        self._running: RunningImage | None = None
        self.flash.power = lambda operation: self.steps.append(Step(operation, self._expected))
        self._boot()

    def tell(self) -> "Story":
        self._update(self._made(1, 2), confirms=True)
        self._update(self._made(2, 2), confirms=False)
        self._update(self._made(3, 3, signer="thief"), confirms=True)
        self._update(self._made(4, 1), confirms=True)  # rolled back: older than what is confirmed
        self._client().upload(self._send(self._made(5, 4)).image, until=self._payload_bytes // 2)
        self._update(self._made(6, 4), confirms=True)
        last = self._send(made(7, 4, payload_of(LAST_BYTES, self._seed)))
        self._client().upload(last.image)
        for _ in range(RECORDS):
            self._want(last)
            self._go_without(last)
        self._client().ask(WRITE, IMAGE, ERASE)
        self.flash.power = nothing_happens
        return self

    def _made(self, number: int, counter: int, *, signer: str = "maker") -> Firmware:
        payload = payload_of(self._payload_bytes, self._seed * 1000 + number)
        return made(number, counter, payload, signer=signer)

    def _update(self, firmware: Firmware, *, confirms: bool) -> None:
        client = self._client()
        client.upload(self._send(firmware).image, sha=hashlib.sha256(firmware.image).digest())
        if self._want(firmware):
            self._boot()
            if confirms:
                self._confirm(firmware)
        self._boot()

    def _send(self, firmware: Firmware) -> Firmware:
        self.images.append(firmware)
        return firmware

    def _client(self) -> Client:
        return Client(self.loader, self._running)

    def _want(self, firmware: Firmware) -> bool:
        before = self._expected
        if firmware.is_approved and firmware.counter >= before.counter:
            self._expected = replace(before, first=before.then | {firmware.digest})
        said = self._client().test(firmware.digest)
        if "images" not in said:
            self.refused += 1
            self._expected = before
            return False
        if firmware.is_approved:
            self._expected = replace(before, first=frozenset({firmware.digest}))
        self._wanted = firmware
        return True

    def _go_without(self, wanted: Firmware) -> None:
        old = self._expected
        self._expected = replace(old, first=old.then | {wanted.digest})
        client = self._client()
        client.ask(WRITE, IMAGE, ERASE)
        self._wanted = None
        self._expected = replace(old, first=old.then)
        client.upload(wanted.image)

    def _boot(self) -> None:
        wanted, self._wanted = self._wanted, None
        if wanted is not None:
            self._expected = replace(self._expected, first=self._expected.then | {wanted.digest})
        self._running = self.loader.boot()
        self._expected = replace(self._expected, first=self._expected.then)

    def _confirm(self, firmware: Firmware) -> None:
        before = self._expected
        either = before.then | {firmware.digest}
        self._expected = replace(before, first=either, then=either)
        self._client().confirm()
        only = frozenset({firmware.digest})
        self._expected = Expected(only, only, max(before.counter, firmware.counter))
