"""Acts of scripts inside as a host's administrator: start the simulator, attach its devices, look into sysfs."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Self

from tests.kit.waiting import eventually

VENDOR: Final = 0x1209
PORT: Final = "3240"
USB_DEVICES: Final = Path("/sys/bus/usb/devices")
NOBODY: Final = "65534"


class Simulator:
    """The process of ``tests.kernel.guest.simulator``; a context manager."""

    def __init__(self, *names: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.kernel.guest.simulator", PORT, *names],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.answer() == "ready"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.communicate()

    def ask(self, command: str, bus_id: str) -> None:
        """Give a command; it is done some time."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{command} {bus_id}\n")
        self._process.stdin.flush()

    def answer(self) -> object:
        """Wait for the answer."""
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def call(self, command: str, bus_id: str) -> object:
        """Give a command and wait until it is done."""
        self.ask(command, bus_id)
        return self.answer()


def failure(act: Callable[[], object]) -> list[object]:
    """Kind and number of what ``act`` raises."""
    try:
        act()
    except OSError as error:
        return [type(error).__name__, error.errno]
    return ["nothing", 0]


def run(*words: str) -> str:
    """Run a program; return what it printed."""
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout


def attach(bus_id: str, serial_number: str) -> Path:
    """Attach a device, wait until Linux has configured it and udev has seen it; return its folder in sysfs."""
    run("usbip", "--tcp-port", PORT, "attach", "--remote", "127.0.0.1", "--busid", bus_id)
    eventually(lambda: found(serial_number) is not None, f"{serial_number} in sysfs")
    run("udevadm", "settle", "--timeout=20")
    folder = found(serial_number)
    assert folder is not None
    return folder


def found(serial_number: str) -> Path | None:
    """The folder in sysfs of the configured device with this serial number."""
    for folder in USB_DEVICES.iterdir():
        try:
            serial, configuration = facts(folder, "serial", "bConfigurationValue")
        except OSError:
            continue  # has none, or went away meanwhile
        if serial == serial_number and configuration:
            return folder
    return None


def facts(folder: Path, *names: str) -> list[str]:
    """Attributes of a device in sysfs."""
    return [(folder / name).read_text().strip() for name in names]


def as_nobody(module: str, *arguments: str, groups: str = "") -> Any:  # noqa: ANN401  # whatever JSON holds
    """Run ``module`` of this package without rights but those of ``groups``; return the JSON that it prints."""
    reading = "+dac_read_search"
    nobody = (
        "setpriv",
        "--reuid",
        NOBODY,
        "--regid",
        NOBODY,
        *(("--groups", groups) if groups else ("--clear-groups",)),
    )
    limits = ("--inh-caps", reading, "--ambient-caps", reading)
    program = (sys.executable, "-m", f"tests.kernel.guest.{module}", *arguments)
    return json.loads(run(*nobody, *limits, *program))
