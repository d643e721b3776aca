"""A simulated TDP shoe behind a real kernel: sessions, commands and cards, through the cable being pulled and put back.

The shoe and its USB/IP server live on a thread of this process; the kernel is between them and the driver.
"""

import faulthandler
import random
from collections.abc import Callable
from typing import Final

from drivers.discovery import port_maker
from drivers.errors import DriverError
from drivers.tdp import TdpDevice
from drivers.tdp_settings import TdpSettings
from protocols.tdp.commands import Unlock
from protocols.tdp.events import CardDrawn, DeviceEvent
from protocols.tdp.handshake import Security, Terms
from protocols.tdp.messages import Done, Message
from sim.sim_thread import SimulatorThread
from sim.tdp.hands import TdpHands, tdp_at
from sim.usb import UsbWire, usb_wire
from sim.usb.server import UsbIpServer
from tests.kernel.guest.host import PORT, attach
from tests.kernel.guest.telling import tell
from tests.kit.waiting import PATIENCE_S, Log
from tests.scenarios.linked import UNTROUBLED_S, LinkClock

SETTINGS: Final = TdpSettings(terms=Terms(security=Security.PLAIN))
CARDS: Final = 3


class Listener:
    """Keeps what it hears, and acknowledges events at once."""

    def __init__(self) -> None:
        self.log = Log()
        self.acknowledge: Callable[[DeviceEvent], None] = lambda _event: None

    def message(self, message: Message, now_s: float) -> None:
        del now_s
        self.log.add(message)
        if isinstance(message, DeviceEvent):
            self.acknowledge(message)

    def lost(self, error: DriverError) -> None:
        self.log.add(f"lost: {type(error).__name__}")

    def back(self) -> None:
        self.log.add("back")

    def wait_for_line(self, entry: str, times: int) -> None:
        self.log.wait_for(lambda entries: entries.count(entry) == times)

    def wait_for_cards(self, count: int) -> None:
        self.log.wait_for(lambda entries: len(cards(entries)) == count)


def cards(entries: list[object]) -> list[CardDrawn]:
    """Each event once: a device tells again what was not acknowledged in time."""
    return list({one.key: one for one in entries if isinstance(one, CardDrawn)}.values())


def play(name: str, wire: UsbWire, bus_id: str, station: SimulatorThread, hands: TdpHands, clock: LinkClock) -> None:
    """Cards before and after the cable was out."""
    serial_number = wire.device.serial_number
    listener = Listener()
    device = TdpDevice(name, listener, port_maker(name, SETTINGS.line), SETTINGS, clock=clock.link_s)
    listener.acknowledge = lambda event: device.acknowledge(event.key)
    attach(bus_id, serial_number)
    device.port.start()
    for round_number in (1, 2):
        listener.wait_for_line("back", round_number)
        tell(f"{name}: answer {round_number}", draw(device, station, hands))
        listener.wait_for_cards(CARDS * round_number)
        if round_number == 1:
            station.call(wire.unplug)
            listener.wait_for_line("lost: PortLost", 1)
            station.call(wire.replug)
            attach(bus_id, serial_number)
    entries = listener.log.entries()
    tell(f"{name}: line", [one for one in entries if isinstance(one, str)])
    tell(f"{name}: cards", [one.card for one in cards(entries)])
    tell(f"{name}: counts", [one.count for one in cards(entries)])
    tell(f"{name}: on the table", station.call(lambda: list(hands.felt.laid)))
    tell(f"{name}: let go", device.stop(PATIENCE_S))


def draw(device: TdpDevice, station: SimulatorThread, hands: TdpHands) -> list[object]:
    """Unlock for three cards and draw four: the fourth finds the mouth locked."""
    answer = device.send_command(lambda number: Unlock(number, CARDS)).result(PATIENCE_S)
    pulled = [len(station.call(hands.draw).cards) for _ in range(CARDS + 1)]
    return [isinstance(answer, Done), pulled]


def main() -> None:
    wires = [usb_wire("bulk", "TDP-1", product="Shoe"), usb_wire("cdc", "TDP-2", product="Shoe")]
    # A loss is told once: where a busy machine stands still for 1.5 s, the link's silence must not be told for it.
    clock = LinkClock(1.0, UNTROUBLED_S)
    tables = [tdp_at("shoe", wire, clock, 1, random.Random(7)) for wire in wires]
    server = UsbIpServer(wires, port=int(PORT))
    with SimulatorThread(clock, [*wires, server]) as station:
        for hands in tables:
            station.call(hands.make_ready)
            station.call(hands.load)
        try:
            play("bulk:1209:0001:TDP-1", wires[0], "1-1", station, tables[0], clock)
            play("usb:1209:0002:TDP-2", wires[1], "1-2", station, tables[1], clock)
        except AssertionError:
            # Once a port did not notice for 30 s that its cable was out: where each thread stands tells why.
            faulthandler.dump_traceback(all_threads=True)
            raise


if __name__ == "__main__":
    main()
