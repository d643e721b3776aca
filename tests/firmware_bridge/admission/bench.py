"""A simulated shoe at the end of a line, its bridge, and a journal that takes everything: to see who is admitted."""

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Literal, Self, TypeVar

from drivers.port import Port
from drivers.usb_port import UsbPort
from firmware_bridge.admission.site_verifier import SiteVerifier
from firmware_bridge.admission.trust_memory import FILE, TrustMemory
from firmware_bridge.admission.verifier import DeviceVerifier
from firmware_bridge.interlock import DeviceAction, DeviceActionKind
from firmware_bridge.report import Report
from firmware_bridge.tdp.bridge import TdpBridge
from regulations.events.inputs import AnyInput, Fault, FaultCleared
from regulations.events.notices import DeviceJudged
from sim.clock import RealClock
from sim.sim_thread import SimulatorThread
from sim.tdp.hands import TdpHands, tdp_at
from sim.tdp.settings import TdpMachineSettings
from sim.usb import usb_wire
from sim.wires.pty import PtyWire
from sim.wires.wire import Wire
from tests.firmware_bridge.admission.sites import TodaysSite
from tests.kit.usb_backend import SimulatedBackend
from tests.kit.waiting import Log

NAME: Final = "shuffler-1"
ONE: Final = DeviceAction(DeviceActionKind.LET_DRAW, 1)
Line = Literal["serial", "usb"]
T = TypeVar("T")


def site_judge(site: TodaysSite) -> SiteVerifier:
    """The judge of a table that keeps its memory beside the site's folder."""
    return SiteVerifier(site.folder, TrustMemory(site.folder.parent / FILE))


class Bench:
    """A device and whoever listens to it.

    Args:
        judge: who judges; ``None``: nobody says a word.
    """

    def __init__(
        self,
        folder: Path,
        settings: TdpMachineSettings,
        host: Mapping[str, object],
        judge: DeviceVerifier | None,
        *,
        line: Line = "serial",
        name: str = NAME,
    ) -> None:
        clock = RealClock()
        self.name: Final = name
        self.keeps = True
        self._host: Final = host
        self.wire, self._port, self._make_port = _line(folder, line)
        self.hands: Final[TdpHands] = tdp_at("shoe", self.wire, clock, 1, random.Random(4), settings)
        self.station: Final = SimulatorThread(clock, [self.wire])
        self.said = Log()
        self.bridge = self.listening(judge)
        self.station.start()
        self.station.call(self.hands.make_ready)
        self.station.call(self.hands.load)

    def listening(self, judge: DeviceVerifier | None) -> TdpBridge:
        """A bridge, new as after a start of the table's computer, that listens to the device."""
        bridge = TdpBridge(
            self.name, self._port, self._host, tuple(DeviceActionKind), self._take, make_port=self._make_port
        )
        if judge is not None:
            bridge.appoint(judge, "tdp", self._port)
        return bridge

    def _take(self, said: AnyInput | Report) -> None:
        assert isinstance(said, Report), "what is durable must come back to be acknowledged"
        for event in said.events:
            self.said.add(event)
        if self.keeps:
            self.bridge.made_durable(said)

    def __enter__(self) -> Self:
        self.bridge.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.bridge.stop()
        self.station.stop()

    def do(self, act: Callable[[], T]) -> T:
        """Something at the device."""
        return self.station.call(act)

    def can_draw(self) -> bool:
        """True if a pull would bring a card."""
        return self.do(lambda: self.hands.can_draw)

    def heard(self) -> list[AnyInput]:
        """The inputs that it has told so far."""
        return [one for one in self.said.entries() if isinstance(one, AnyInput)]

    def verdicts(self, count: int = 1) -> list[DeviceJudged]:
        """The verdicts, once there are so many."""
        entries = self.said.wait_for(lambda said: len([one for one in said if isinstance(one, DeviceJudged)]) >= count)
        return [one for one in entries if isinstance(one, DeviceJudged)]

    def wait_for(self, kind: type[AnyInput], count: int = 1) -> None:
        """Until so many events of a kind were said."""
        self.said.wait_for(lambda said: len([one for one in said if isinstance(one, kind)]) >= count)

    def faults(self) -> list[str]:
        """The faults it began and ended, in order."""
        marks = {Fault: "", FaultCleared: "-"}
        return [f"{marks[type(one)]}{one.code}" for one in self.heard() if isinstance(one, Fault | FaultCleared)]


def why(judged: DeviceJudged) -> list[tuple[str, str]]:
    """The checks that did not hold."""
    return [(one.check, one.code) for one in judged.checks if not one.ok]


def _line(folder: Path, line: Line) -> tuple[Wire, str, Callable[[], Port] | None]:
    if line == "serial":
        pty = PtyWire(folder / "device")
        return pty, str(pty.path), None
    usb = usb_wire("bulk", "SN-1", product="Shoe")
    port = "bulk:1209:0001:SN-1"
    backend = SimulatedBackend([usb.device])
    return usb, port, lambda: UsbPort(port, backend=backend)
