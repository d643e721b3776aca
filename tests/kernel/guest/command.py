"""``cardshoe sim`` with ``--usbip``, attached as its documentation says, and read by the shoe's driver."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Final, Self

from drivers.angel_eye import LINE, AngelEyeDevice
from drivers.discovery import port_maker
from drivers.errors import DriverError
from protocols.angel_eye.messages import CardDrawn, ShoeMessage
from tests.kernel.guest.host import PORT, attach
from tests.kernel.guest.telling import tell
from tests.kit.waiting import PATIENCE_S, Log

CARDSHOE: Final = str(Path(sys.executable).with_name("cardshoe"))
OPTIONS: Final = ("--ready-json", "--seed", "7", "--initial-burn", "none", "--speed", "20")


class Listener:
    """Keeps the cards that it hears."""

    def __init__(self) -> None:
        self.log = Log()

    def message(self, message: ShoeMessage, now_s: float) -> None:
        del now_s
        if isinstance(message, CardDrawn):
            self.log.add(message.card)

    def lost(self, error: DriverError) -> None:
        self.log.add(f"lost: {type(error).__name__}")

    def back(self) -> None:
        self.log.add("back")


class Shoe:
    """A simulated shoe's command, and what is typed into it; a context manager."""

    def __init__(self, function: str) -> None:
        self._process = subprocess.Popen(
            [CARDSHOE, "sim", "angel-eye", "--usbip", f"127.0.0.1:{PORT}", "--usb-function", function, *OPTIONS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.facts = json.loads(self._line())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.communicate()

    def type(self, command: str) -> str:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()
        return self._line()

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


def play(function: str) -> None:
    with Shoe(function) as shoe:
        serial_number = shoe.facts["port"].split(":")[-1]
        attach(shoe.facts["bus_id"], serial_number)
        listener = Listener()
        device = AngelEyeDevice("shoe", listener, port_maker(shoe.facts["port"], LINE))
        device.port.start()
        listener.log.wait_for(lambda entries: "back" in entries)
        shoe.type("load")
        first = shoe.type("draw")
        listener.log.wait_for(lambda entries: len(entries) >= 1 + 3)
        shoe.type("unplug")
        listener.log.wait_for(lambda entries: "lost: PortLost" in entries)
        shoe.type("replug")
        attach(shoe.facts["bus_id"], serial_number)
        listener.log.wait_for(lambda entries: entries.count("back") == 2)
        second = shoe.type("draw")
        listener.log.wait_for(lambda entries: len(entries) >= 1 + 3 + 2 + 3)
        tell(f"{function}: drawn", [answer.removeprefix("ok: drew ") for answer in (first, second)])
        # Each telegram comes three times.
        tell(f"{function}: heard", listener.log.entries())
        tell(f"{function}: let go", device.stop(PATIENCE_S))


if __name__ == "__main__":
    play("bulk")
    play("cdc")
