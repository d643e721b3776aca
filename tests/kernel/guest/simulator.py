"""Simulated USB devices that send back what they get, served over USB/IP by a process of their own."""

import json
import sys
from typing import Final, Literal

from sim.clock import RealClock
from sim.sim_thread import SimulatorThread
from sim.usb import CdcFunction, UsbWire, usb_wire
from sim.usb.functions import BULK_IN
from sim.usb.server import UsbIpServer
from tests.kit.waiting import eventually

KINDS: Final[dict[str, Literal["bulk", "cdc"]]] = {"bulk": "bulk", "cdc": "cdc"}


def made(name: str) -> UsbWire:
    kind, serial_number = name.split(":")
    wire = usb_wire(KINDS[kind], serial_number, product=f"echo {kind}")
    wire.listen(wire.send)
    return wire


def done(station: SimulatorThread, wire: UsbWire, command: str) -> object:
    match command:
        case "unplug":
            station.call(wire.unplug)
        case "replug":
            station.call(wire.replug)
        case "unplug-during-read":
            eventually(lambda: wire.device.is_awaited(BULK_IN), "a host reads")
            station.call(wire.unplug)
        case "line":
            function = wire.device.function
            assert isinstance(function, CdcFunction)
            coding = function.line_coding
            return {
                "baud": coding.baud,
                "data bits": coding.data_bits,
                "parity": coding.parity,
                "stop bits": coding.stop_bits,
                "dtr": function.dtr,
                "rts": function.rts,
            }
    return command


def main(port: str, *names: str) -> None:
    wires = {f"1-{at}": made(name) for at, name in enumerate(names, 1)}
    server = UsbIpServer(list(wires.values()), port=int(port))
    with SimulatorThread(RealClock(), [*wires.values(), server]) as station:
        print(json.dumps("ready"), flush=True)  # noqa: T201  # the answers are for whoever started this
        for line in sys.stdin:
            command, bus_id = line.split()
            print(json.dumps(done(station, wires[bus_id], command)), flush=True)  # noqa: T201  # as above


if __name__ == "__main__":
    main(*sys.argv[1:])
