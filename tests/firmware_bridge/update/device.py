"""A simulated shoe on a thread of its own, whose firmware can be updated over its service port."""

import random
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from sim.clock import RealClock
from sim.firmware.board import SERVICE_KEY, new_board
from sim.firmware.build import key_of
from sim.sim_thread import SimulatorThread
from sim.tdp.hands import MODELS, TdpHands, tdp_at
from sim.tdp.identity import BootEvidence
from sim.tdp.settings import TdpMachineSettings
from sim.wires.direct import DirectWire
from sim.wires.pty import PtyWire
from sim.wires.wire import Wire

MODEL: Final = MODELS["shoe"]
SPEED: Final = 20.0
"""Of the device's clock: its watchdog does not take real seconds."""


class Device:
    """It is switched on, and its key stands at the service port."""

    def __init__(self, folder: Path, seed: int, line: Wire | None = None) -> None:
        self.port: Final = folder / "service"
        service = PtyWire(self.port)
        clock = RealClock(SPEED)
        self.board: Final = new_board(MODEL, random.Random(seed), service)
        settings = TdpMachineSettings(board=self.board, signer=key_of("unit SIM-0001").sign)
        wire = line or DirectWire(lambda _data: None)
        self.hands: Final[TdpHands] = tdp_at("shoe", wire, clock, 1, random.Random(seed), settings)
        self.station: Final = SimulatorThread(clock, [wire, service])

    def __enter__(self) -> Self:
        self.station.start()
        self.station.call(self.hands.make_ready)
        self.turn_key(SERVICE_KEY)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.station.stop()

    def turn_key(self, position: int) -> None:
        self.station.call(lambda: self.hands.turn_key(position))

    @property
    def evidence(self) -> BootEvidence:
        return self.station.call(lambda: self.hands.device.electronics.evidence)

    def restarts(self) -> int:
        return self.station.call(lambda: self.hands.device.electronics.memory.boot)
