"""All that a device has for its firmware."""

import random
from collections.abc import Callable
from typing import Final

from protocols.mcuboot.image import ImageVersion
from sim.firmware.build import HANGS, class_id_of, maker_key, payload_of, signed
from sim.firmware.flash import NorFlash
from sim.firmware.image_check import BootTrust
from sim.firmware.loader import BootLoader, RunningImage
from sim.firmware.server import SmpServer
from sim.firmware.slots import FlashMap
from sim.wires.wire import Wire

SERVICE_KEY: Final = 9
FIRST_VERSION: Final = ImageVersion(1, 0, 0)
FIRST_COUNTER: Final = 1
_PAYLOAD_BYTES: Final = 24_000


class FirmwareBoard:
    """The firmware side of one device; ``running`` None: power off, or nothing may run."""

    def __init__(self, loader: BootLoader, service: Wire | None = None) -> None:
        self.loader: Final = loader
        self.service: Final = service
        self.running: RunningImage | None = None
        self._server: SmpServer | None = None
        self._close_port()

    @property
    def is_open(self) -> bool:
        return self.service is not None and self.service.is_plugged

    @property
    def hangs(self) -> bool:
        return self.running is not None and self.running.approved.image.payload.startswith(HANGS)

    def start(self, power: Callable[[], None], reset: Callable[[], None]) -> RunningImage | None:
        """``power`` is called before each flash operation; its exception tears the operation."""
        self.loader.flash.power = lambda _operation: power()
        self.running = self.loader.boot()
        if self.service is not None and not self.hangs:
            self._server = SmpServer(self.loader, self.running, self.service.send, reset)
        return self.running

    def stop(self) -> None:
        self.running = self._server = None
        self._close_port()

    def see_key(self, position: int) -> None:
        if position == SERVICE_KEY and self._server is not None and self.service is not None:
            self.service.replug()
        else:
            self._close_port()

    def receive(self, data: bytes) -> None:
        if self._server is not None:
            self._server.receive(data)

    def state(self) -> dict[str, object]:
        """The firmware as data."""
        running, record = self.running, self.loader.record
        return {
            "boot_state": None if running is None else running.state.name.lower(),
            "confirmed_slot": record.confirmed.name,
            "digest": None if running is None else running.approved.digest.hex(),
            "flash_operations": self.loader.flash.operations,
            "least_counter": record.counter,
            "service_open": self.is_open,
            "slot": None if running is None else running.slot.name,
            "trial": record.trial.name.lower(),
            "version": None if running is None else str(running.approved.image.version),
        }

    def _close_port(self) -> None:
        if self.service is not None:
            self.service.unplug()


def new_board(
    model: str,
    rng: random.Random,
    service: Wire | None = None,
    *,
    image: bytes | None = None,
    where: FlashMap | None = None,
    checks_signature: bool = True,
) -> FirmwareBoard:
    """``image`` None: version 1.0.0 with security counter 1."""
    where = where or FlashMap()
    trust = BootTrust(maker_key().public_key(), class_id_of(model), checks_signature)
    loader = BootLoader(NorFlash(where.geometry, rng), where, trust)
    first = image or signed(payload_of(_PAYLOAD_BYTES, 0), FIRST_VERSION, FIRST_COUNTER, model, maker_key())
    loader.provision(first)
    return FirmwareBoard(loader, service)
