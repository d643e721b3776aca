"""A device in this process: flash, boot loader, SMP and a key, without lines between; its power may go at any time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from firmware_bridge.trust.facts import DeviceEvidence
from firmware_bridge.trust.verification import attested
from firmware_bridge.update.codes import UpdateCode
from firmware_bridge.update.device import ImageSlot
from firmware_bridge.update.errors import DeviceFailure
from protocols.tdp.codes import BootReason, Capability
from protocols.tdp.messages import Attestation, Hello
from sim.firmware.build import HANGS
from sim.firmware.flash import NorFlash, Operation, nothing_happens
from sim.firmware.loader import BootLoader, RunningImage
from sim.firmware.slots import FlashMap
from tests.firmware_bridge.update.client import ERASE, IMAGE, OS, RESET, WRITE, Client

WHERE: Final = FlashMap(slot_blocks=2)
"""Slots of 8 KiB: small, so that thousands of nights are told in a minute."""


class PowerCut(Exception):
    """The power went."""


@dataclass
class Unit:
    """A device's identity, and the key that it signs with."""

    maker: str
    model: str
    serial: str
    certificate: bytes | None
    key: Ed25519PrivateKey


@dataclass
class Supply:
    """Counts flash operations, and cuts the power in some of them."""

    cuts: frozenset[int] = frozenset()
    operations: int = 0
    went: Callable[[], object] = field(default=lambda: None)

    def __call__(self, _operation: Operation) -> None:
        number, self.operations = self.operations, self.operations + 1
        if number in self.cuts:
            raise PowerCut


class Packets(Client):
    """A client that lets somebody know before and after each packet."""

    def __init__(self, loader: BootLoader, running: RunningImage | None, between: Callable[[], object]) -> None:
        super().__init__(loader, running)
        self._between: Final = between

    def ask(self, operation: int, group: int, command: int, **fields: object) -> dict[str, Any]:
        self._between()
        said = super().ask(operation, group, command, **fields)
        self._between()
        return said


class LoopDevice:
    """The device; a service port and an attester of an update in one."""

    def __init__(self, loader: BootLoader, unit: Unit, supply: Supply | None = None) -> None:
        self.loader: Final = loader
        self.flash: Final[NorFlash] = loader.flash
        self.unit: Final = unit
        self.supply: Final = supply or Supply()
        self.flash.power = self.supply
        self.signed: set[str] = set()
        self.boots = 0
        self.between: Callable[[], object] = lambda: None
        self.on_confirm: Callable[[], object] = lambda: None
        self.running: RunningImage | None = None
        self._is_on = False

    # --- power ------------------------------------------------------------------------------------------------------

    def start(self) -> RunningImage | None:
        """Switch it off and on."""
        self._is_on = False
        return self._on()

    def off_for_good(self) -> None:
        """From now on the power stays, for whoever looks at what is left."""
        self.flash.power = nothing_happens
        self._is_on = False

    def _on(self) -> RunningImage | None:
        while not self._is_on:
            self.signed.clear()
            try:
                self.running = self.loader.boot()
            except PowerCut:
                self.supply.went()
                continue
            self.boots += 1
            # One that hangs: the watchdog bites, and it starts again.
            self._is_on = self.running is None or not self.running.approved.image.payload.startswith(HANGS)
        return self.running

    def _powered(self, deed: Callable[[Client], dict[str, Any]]) -> dict[str, Any]:
        client = Packets(self.loader, self._on(), self.between)
        try:
            said = deed(client)
        except PowerCut as cut:
            self._is_on = False
            self.supply.went()
            raise DeviceFailure(UpdateCode.SERVICE_SILENT, "its power went") from cut
        if "err" in said or "rc" in said:
            raise DeviceFailure(UpdateCode.SERVICE_REFUSED, f"it refused with {said}")
        return said

    # --- its service port -------------------------------------------------------------------------------------------

    def slots(self) -> Sequence[ImageSlot]:
        said = self._powered(lambda client: {"images": client.states()})
        return [
            ImageSlot(
                one["hash"], one["version"], active=one["active"], confirmed=one["confirmed"], pending=one["pending"]
            )
            for one in said["images"]
        ]

    def upload(self, image: bytes) -> None:
        self._powered(lambda client: client.upload(image))

    def want_trial(self, digest: bytes) -> None:
        self._powered(lambda client: client.test(digest))

    def confirm(self, digest: bytes) -> None:
        self._on()
        self.on_confirm()
        self._powered(lambda client: client.ask(WRITE, IMAGE, 0, hash=digest, confirm=True))

    def erase(self) -> None:
        self._powered(lambda client: client.ask(WRITE, IMAGE, ERASE))

    def restart(self) -> None:
        self._powered(lambda client: client.ask(WRITE, OS, RESET))
        self.start()

    # --- its word ---------------------------------------------------------------------------------------------------

    def attest(self, nonce: bytes) -> DeviceEvidence:
        self.between()
        running = self._on()
        if running is None:
            raise DeviceFailure(UpdateCode.DEVICE_SILENT, "nothing runs on it")
        unit, approved = self.unit, running.approved
        self.signed.add(nonce.hex())
        bare = Attestation(1, nonce, approved.digest, approved.counter, running.state, b"")
        told = Attestation(1, nonce, approved.digest, approved.counter, running.state, unit.key.sign(attested(bare)))
        hello = Hello(
            1,
            unit.maker,
            unit.model,
            unit.serial,
            1,
            str(approved.image.version),
            approved.digest,
            approved.counter,
            self.boots,
            BootReason.POWER_ON,
            Capability.ATTESTS,
        )
        return DeviceEvidence(certificate=unit.certificate, hello=hello, nonce=nonce, attestation=told)

    def expect_start(self) -> None:
        """It starts at once when it is told to."""
