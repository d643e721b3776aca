"""Two devices that echo, and unmodified pyusb, libusb and pyserial at Linux's own drivers."""

import json
import re
import sys
from pathlib import Path

import serial
import usb.core
import usb.util

from tests.kernel.guest.host import VENDOR, Simulator, as_nobody, attach, facts, failure, found, run
from tests.kernel.guest.telling import tell
from tests.kit.waiting import eventually

IDENTITY = ("idVendor", "idProduct", "bcdDevice", "manufacturer", "product", "serial", "speed", "bNumInterfaces")
READ_MS = 20_000


def listed() -> list[str]:
    """Bus ids and numbers of the devices that may be attached."""
    found = re.findall(r"(1-\d): .*\((1209:\d{4})\)", run("usbip", "list", "--remote", "127.0.0.1"))
    return [" ".join(one) for one in found]


def bulk(simulator: Simulator) -> None:
    folder = attach("1-1", "SN-1")
    tell("bulk identity", facts(folder, *IDENTITY))
    tell("bulk interface", facts(folder / f"{folder.name}:1.0", "bInterfaceClass", "bNumEndpoints"))
    tell("binary object store", (folder / "bos_descriptors").read_bytes().hex())
    tell("without permission", as_nobody("nobody"))
    tell("packaged libusb", json.loads(run(sys.executable, "-m", "tests.kernel.guest.packaged")))
    device = usb.core.find(idVendor=VENDOR, idProduct=1)
    device.set_configuration()
    for data in (b"card", b"p" * 64, b"q" * 200):
        written = device.write(1, data)
        heard = bytes(device.read(0x81, 4096, READ_MS))
        tell(f"echo {len(data)}", [written, len(heard), heard == data])
    tell("notice while nothing waits", failure(lambda: device.read(0x82, 8, 50)))
    device.write(1, b"notice")
    tell("notice", list(device.read(0x82, 8, READ_MS)))
    tell("after the notice", bytes(device.read(0x81, 64, READ_MS)).decode())
    tell("timeout", failure(lambda: device.read(0x81, 64, 50)))
    # The read that was given up has eaten nothing of what comes next.
    device.write(1, b"next")
    tell("after the timeout", bytes(device.read(0x81, 64, READ_MS)).decode())
    tell("unknown request", failure(lambda: device.ctrl_transfer(0xC0, 0x55, 0, 0, 16, READ_MS)))
    tell("microsoft", bytes(device.ctrl_transfer(0xC0, 0x20, 0, 7, 512, READ_MS)).hex())
    before = device.address
    simulator.ask("unplug-during-read", "1-1")
    tell("unplugged in a read", failure(lambda: device.read(0x81, 64, READ_MS)))
    simulator.answer()
    eventually(lambda: found("SN-1") is None, "the device leaves sysfs")
    tell("after the unplugging", failure(lambda: device.write(1, b"x")))
    usb.util.dispose_resources(device)
    simulator.call("replug", "1-1")
    attach("1-1", "SN-1")
    again = usb.core.find(idVendor=VENDOR, idProduct=1)
    tell("another address", again.address != before)
    again.set_configuration()
    again.write(1, b"again")
    tell("after the replug", bytes(again.read(0x81, 64, READ_MS)).decode())


def cdc(simulator: Simulator) -> None:
    folder = attach("1-2", "SN-2")
    tell("cdc identity", facts(folder, *IDENTITY))
    eventually(Path("/dev/ttyACM0").exists, "a terminal")
    tell("drivers", [(folder / f"{folder.name}:1.{at}" / "driver").resolve().name for at in (0, 1)])
    with serial.Serial("/dev/ttyACM0", 9600, serial.SEVENBITS, serial.PARITY_EVEN, timeout=READ_MS / 1000) as port:
        every = bytes(range(256))
        port.write(every)
        tell("serial echo", port.read(256) == every)
        tell("line", simulator.call("line", "1-2"))
        simulator.ask("unplug-during-read", "1-2")
        tell("serial unplugged", failure(lambda: port.read(1)))
        simulator.answer()
        simulator.call("replug", "1-2")
        attach("1-2", "SN-2")
        # The old one is still open: its name is taken.
        eventually(Path("/dev/ttyACM1").exists, "another terminal")
    with serial.Serial("/dev/ttyACM1", timeout=READ_MS / 1000) as port:
        port.write(b"again")
        tell("serial after the replug", port.read(5).decode())


def main() -> None:
    with Simulator("bulk:SN-1", "cdc:SN-2") as simulator:
        tell("listed", listed())
        bulk(simulator)
        cdc(simulator)


if __name__ == "__main__":
    main()
