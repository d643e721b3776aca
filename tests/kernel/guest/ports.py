"""The drivers' own ports over a real kernel: permissions by udev, finding, losing and finding again."""

import queue
import re
from pathlib import Path
from typing import Final

from drivers.discovery import list_everything, port_by_name
from drivers.errors import DriverError
from drivers.hotplug import HotplugWatcher, PlugEvent, UdevSource
from drivers.port import Port
from tests.kernel.guest.host import Simulator, as_nobody, attach, found, run
from tests.kernel.guest.telling import tell
from tests.kit.waiting import PATIENCE_S, eventually

ROOT: Final = Path(__file__).resolve().parent.parent.parent.parent
RULES: Final = Path("/run/udev/rules.d")
BULK: Final = "bulk:1209:0001:SN-1"
SERIAL: Final = "usb:1209:0002:SN-2"
Events = queue.SimpleQueue[PlugEvent]
EVERY_BYTE: Final = bytes(range(256))


def use_rules(name: str, text: str) -> None:
    """Install a rules file, for what is there already too."""
    (RULES / name).write_text(text)
    run("udevadm", "control", "--reload")
    run("udevadm", "trigger", "--subsystem-match=usb", "--subsystem-match=tty")
    run("udevadm", "settle", "--timeout=20")


def permissions() -> None:
    """The line that the error names is the line that helps."""
    kind, text = as_nobody("opening", BULK)
    tell("forbidden", kind)
    line = re.search(r'SUBSYSTEM=="usb".*?MODE="\d+"', text)
    assert line is not None, text
    use_rules("90-as-told.rules", line[0] + "\n")
    tell("as told, in no group", as_nobody("opening", BULK)[0])
    tell("as told, in its group", as_nobody("opening", BULK, groups="plugdev"))
    (RULES / "90-as-told.rules").unlink()


def rules() -> None:
    """The rules file that is shipped."""
    use_rules("70-cardshoe.rules", (ROOT / "packaging" / "udev" / "70-cardshoe.rules").read_text())
    for name in ("1209-0001-SN-1", "1209-0002-SN-2"):
        node = Path("/dev/cardshoe") / name
        tell(f"node {name}", [node.is_symlink(), node.group(), f"{node.stat().st_mode & 0o777:o}"])
    tell("bulk in plugdev", as_nobody("opening", BULK, groups="plugdev"))
    tell("serial in dialout", as_nobody("opening", SERIAL, groups="dialout"))
    tell("serial in no group", as_nobody("opening", SERIAL)[0])


def echoed(port: Port, data: bytes) -> bool:
    port.write(data)
    heard = b""
    while len(heard) < len(data):
        more = port.read(PATIENCE_S)
        assert more, f"only {heard!r} came back"
        heard += more
    return heard == data


def failure(port: Port, *, reads: bool) -> str:
    """The kind of error that ends a read, or an opening."""
    try:
        if reads:
            while not port.read(PATIENCE_S):
                pass
        else:
            port.open()
    except DriverError as error:
        return type(error).__name__
    return "nothing"


def used(simulator: Simulator, name: str, bus_id: str, serial_number: str, events: Events) -> None:
    """Open, use, lose, miss, hear of it, open again."""
    port = port_by_name(name)
    port.open()
    tell(f"{name}: echo", echoed(port, EVERY_BYTE))
    tell(f"{name}: a second one", failure(port_by_name(name), reads=False))
    simulator.ask("unplug-during-read", bus_id)
    tell(f"{name}: unplugged", failure(port, reads=True))
    simulator.answer()
    port.close()
    eventually(lambda: found(serial_number) is None, "it leaves sysfs")
    try:
        tell(f"{name}: looked for", failure(port_by_name(name), reads=False))
    except DriverError as error:
        tell(f"{name}: looked for", type(error).__name__)
    while events.get(timeout=PATIENCE_S).what != "unplugged":
        pass
    simulator.call("replug", bus_id)
    attach(bus_id, serial_number)
    while (event := events.get(timeout=PATIENCE_S)).what != "plugged":
        pass
    tell(f"{name}: heard of", event.device.startswith(("/dev/", "/sys/")))
    again = port_by_name(name)
    again.open()
    tell(f"{name}: again", echoed(again, b"again"))
    again.close()


def main() -> None:
    events: Events = queue.SimpleQueue()
    # Long before anything is pulled: the watcher begins to listen on a thread of its own, some time.
    end = HotplugWatcher(UdevSource()).subscribe(events.put)
    with Simulator("bulk:SN-1", "cdc:SN-2") as simulator:
        attach("1-1", "SN-1")
        permissions()
        attach("1-2", "SN-2")
        rules()
        tell("names", sorted(one.best_name() for one in list_everything() if one.vid is not None))
        used(simulator, BULK, "1-1", "SN-1", events)
        used(simulator, SERIAL, "1-2", "SN-2", events)
    end()


if __name__ == "__main__":
    main()
