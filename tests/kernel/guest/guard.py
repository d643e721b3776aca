"""A table at a shoe on USB that comes back with a keyboard: refused by the running table, and by the next start."""

from pathlib import Path
from typing import Final, Self

from drivers.usb_devices import UsbBus
from sim.clock import RealClock
from sim.sim_thread import SimulatorThread
from sim.usb import CdcFunction, UsbWire
from sim.usb.device import UsbDevice
from sim.usb.hostile import DISK, KEYBOARD, ExtraInterface, GrownFunction
from sim.usb.server import UsbIpServer
from tests.kernel.guest.host import PORT, USB_DEVICES, attach, found
from tests.kernel.guest.ports import use_rules
from tests.kernel.guest.telling import tell
from tests.kit.command import Line
from tests.kit.forked import started
from tests.kit.running_table import RunningTable, write_config
from tests.kit.waiting import eventually

SERIAL: Final = "SN-2"
BUS_ID: Final = "1-1"


class Shoe:
    """A serial port on the machine's bus, which a person may plug in with more than it should have."""

    def __init__(self) -> None:
        self._function = GrownFunction(CdcFunction())
        self._wire = UsbWire(UsbDevice(self._function, serial_number=SERIAL, product="Shoe"))
        self._station = SimulatorThread(RealClock(), [self._wire, UsbIpServer([self._wire], port=int(PORT))])

    def __enter__(self) -> Self:
        self._station.__enter__()
        return self

    def __exit__(self, *_error: object) -> None:
        self._station.__exit__(None, None, None)

    def pull(self) -> None:
        self._station.call(self._wire.unplug)
        eventually(lambda: found(SERIAL) is None, "it leaves sysfs")

    def plug_in(self, *guises: ExtraInterface, hidden: tuple[ExtraInterface, ...] = ()) -> None:
        self._function.wear(*guises)
        self._function.hide(*hidden)
        self._station.call(self._wire.replug)
        attach(BUS_ID, SERIAL)


def inputs(table: RunningTable, *names: str) -> list[Line]:
    """The inputs of these names as they come, whatever their order, and the last prompt."""
    waited, lines = set(names), []
    while waited:
        lines = table.answer()
        waited.remove(lines[0]["event"])
    return lines


def ran(*arguments: str | Path) -> tuple[int, str, str]:
    """How ``cardshoe`` ended, its output and its errors."""
    process = started(arguments)
    output, errors = process.communicate()
    return process.wait(), output.decode(), errors.decode()


def at_work(shoe: Shoe, config: Path) -> None:
    with RunningTable(config) as table:
        table.prompt()
        shoe.pull()
        inputs(table, "device_lost")
        shoe.plug_in(KEYBOARD)
        inputs(table, "device_back", "fault")
        table.tell("resolve 1 continue by=101,102")
        tell("continue", table.tell("resolve 2 continue by=101,102")[1]["detail"])
        table.tell("resolve 2 end_shoe by=101,102")
        again = table.answer()
        tell("said again", [again[0]["event"], again[0]["code"], again[-1]["do"]])
        shoe.pull()
        inputs(table, "device_lost", "fault_cleared")
        shoe.plug_in()
        inputs(table, "device_back")
        table.tell("resolve 3 continue by=101,102")
        tell("in the end", table.tell("resolve 4 continue by=101,102")[-1]["do"])
        tell("said to people", table.errors())
        table.say("quit")
        tell("ended", table.end())


def at_the_start(shoe: Shoe, config: Path) -> None:
    shoe.pull()
    shoe.plug_in(hidden=(DISK,))
    code, _, errors = ran("run", config)
    tell("refused", [code, errors])
    tell("ports", [line for line in ran("ports")[1].splitlines() if "in socket" in line])
    tell("doctor", ran("doctor", config)[1])
    shoe.pull()
    shoe.plug_in()


def by_udev(shoe: Shoe, config: Path) -> None:
    """The rules that are made for a site: the kernel lets no driver at the keyboard."""
    use_rules("70-site.rules", ran("usb-rules", "--udev", config)[1])
    shoe.pull()
    shoe.plug_in(KEYBOARD)
    folder = found(SERIAL)
    assert folder is not None
    interfaces = sorted(USB_DEVICES.glob(f"{folder.name}:1.*"))
    tell("authorized", [(one / "authorized").read_text().strip() for one in interfaces])
    node = Path("/dev/ttyACM0")
    tell("node", [node.group(), f"{node.stat().st_mode & 0o777:o}"])


def main() -> None:
    folder = Path("/run/table")
    folder.mkdir()
    config = write_config(folder, f"usb:1209:0002:{SERIAL}")
    with Shoe() as shoe:
        attach(BUS_ID, SERIAL)
        (facts,) = UsbBus().devices()
        tell("facts", [facts.usb_id, facts.serial_number, [str(kind) for kind in facts.kinds()], facts.unreadable])
        at_work(shoe, config)
        at_the_start(shoe, config)
        by_udev(shoe, config)


if __name__ == "__main__":
    main()
