"""Simulated devices in real time at the far end of every transport."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from conformance.bench import Bench
from conformance.operator import LineOperator
from conformance.runner import ConformanceReport, Suite, run_suite
from drivers.discovery import port_maker
from drivers.errors import PortLost, PortMissing
from drivers.port import Port
from drivers.usb_port import UsbPort
from sim.clock import RealClock
from sim.control_lines import ControlLines
from sim.rfc2217 import Rfc2217Wire
from sim.sim_thread import PumpedLine, SimulatorThread
from sim.usb import usb_wire
from sim.usb.server import UsbIpServer
from sim.wires.pty import PtyWire
from sim.wires.tcp import TcpWire
from sim.wires.wire import Wire
from tests.kit.pipe_wire import PipeWire
from tests.kit.usb_backend import SimulatedBackend
from tests.kit.waiting import PATIENCE_S
from tests.sim.usb.usbip_client import UsbIpBackend

Make = Callable[[Wire, RealClock], ControlLines[Any]]


class Transport(NamedTuple):
    """A line: the device's end, what besides it must be moved, how the host's end is made, and how all is let go."""

    wire: Wire
    make_port: Callable[[], Port]
    besides: tuple[PumpedLine, ...] = ()
    close: Callable[[], None] = lambda: None
    replugged: Callable[[], None] = lambda: None
    """Does what a host's machine does when the cable is in again."""


def over_pty(suite: Suite[Any], folder: Path) -> Transport:
    path = folder / "device"
    return Transport(PtyWire(path), port_maker(str(path), _line(suite)))


def over_tcp(suite: Suite[Any], _folder: Path) -> Transport:
    wire = TcpWire()
    return Transport(wire, port_maker(f"socket://127.0.0.1:{wire.address[1]}", _line(suite)))


def over_rfc2217(suite: Suite[Any], _folder: Path) -> Transport:
    wire = Rfc2217Wire()
    return Transport(wire, port_maker(f"rfc2217://127.0.0.1:{wire.address[1]}", _line(suite)))


def over_pipe(_suite: Suite[Any], _folder: Path) -> Transport:
    wire = PipeWire(
        lost=lambda name: PortLost(name, "gone", "Plug it in."),
        missing=lambda name: PortMissing(name, "out", "Plug it in."),
    )
    return Transport(wire, lambda: PipeHost(wire))


class PipeHost:
    """The host's end of a pipe as a port; one thread reads and writes here, so nobody wakes anybody."""

    def __init__(self, wire: PipeWire) -> None:
        host = wire.host
        self.name = host.name
        self.open, self.read, self.write, self.close = host.open, host.read, host.write, host.close

    def wake(self) -> None:
        """Nobody waits in another thread."""


def over_usb(_suite: Suite[Any], _folder: Path) -> Transport:
    wire = usb_wire("bulk", "SN1", product="Device")
    backend = SimulatedBackend()
    backend.add(wire.device)
    name = f"bulk:1209:{wire.device.function.product_id:04x}:SN1"
    return Transport(wire, lambda: UsbPort(name, backend=backend))


def over_usbip(_suite: Suite[Any], _folder: Path) -> Transport:
    wire = usb_wire("bulk", "SN1", product="Device")
    server = UsbIpServer([wire])
    backend = UsbIpBackend(server.address)
    name = f"bulk:1209:{wire.device.function.product_id:04x}:SN1"

    def attach() -> None:
        backend.attached()

    return Transport(wire, lambda: UsbPort(name, backend=backend), (server,), backend.close, attach)


TRANSPORTS: Final = {
    "pty": over_pty,
    "tcp": over_tcp,
    "rfc2217": over_rfc2217,
    "pipe": over_pipe,
    "usb": over_usb,
    "usbip": over_usbip,
}


def _line(suite: Suite[Any]) -> Any:  # noqa: ANN401  SerialSettings, whatever the family
    return suite.line({"security": "plain"} if suite.family == "tdp" else {})


@contextmanager
def connected(transport: Transport, make: Make, seed: int) -> Iterator[Bench]:
    """A device in real time at the far end, and a bench at this one."""
    clock = RealClock()
    control = make(transport.wire, clock)
    station = SimulatorThread(clock, (transport.wire, *transport.besides), "far end")
    station.start()

    def execute(line: str) -> str:
        answer = station.call(lambda: control.execute(line))
        if line == "replug":
            transport.replugged()
        return answer

    try:
        transport.replugged()
        yield Bench(transport.make_port, LineOperator("control lines", execute), seed=seed)
    finally:
        transport.close()
        station.stop()


def over_all(
    suite: Suite[Any], make: Make, only: tuple[str, ...], seed: int, folder: Path
) -> dict[str, ConformanceReport]:
    """Run the same checks over every transport at once: nearly all of it is waiting."""
    reports: dict[str, ConformanceReport] = {}
    settings = {"security": "plain"} if suite.family == "tdp" else {}

    def run(name: str) -> None:
        place = folder / name
        place.mkdir()
        with connected(TRANSPORTS[name](suite, place), make, seed) as bench:
            reports[name] = run_suite(suite, bench, settings, port=name, seed=seed, started="now", only=only)

    threads = [threading.Thread(target=run, args=(name,), name=f"run over {name}", daemon=True) for name in TRANSPORTS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(2 * PATIENCE_S)
    return reports
