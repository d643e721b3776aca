"""A table in this process that judges its device, a simulated machine with a certificate."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from sim.clock import RealClock
from sim.sim_thread import SimulatorThread
from sim.tdp.hands import TdpHands, tdp_at
from sim.tdp.settings import TdpMachineSettings
from sim.wires.pty import PtyWire
from tests.cardshoe.cli.support import invoke
from tests.firmware_bridge.admission.sites import TodaysSite
from tests.kit.command import Line
from tests.kit.live_table import LiveTable
from tests.kit.running_table import write_config

TRUST: Final = """
[trust]
folder = "{folder}"
"""
DEVICE_SECTION: Final = """
[[device]]
name = "{name}"
family = "tdp"
port = "{port}"
commands = ["lock", "let_draw"]
settings = {settings}
"""


def configured(folder: Path, site: TodaysSite, *, shoe: Path | None = None, device: Path | None = None) -> Path:
    """The configuration of a table with a site, and a shoe that cannot attest, or a device that can."""
    path = write_config(folder, None if shoe is None else str(shoe))
    with path.open("a") as text:
        text.write(TRUST.format(folder=site.folder))
        if device is not None:
            settings = "{ " + ", ".join(f"{key} = {json.dumps(value)}" for key, value in site.host.items()) + " }"
            text.write(DEVICE_SECTION.format(name="shoe", port=device, settings=settings))
    return path


class Machine:
    """A simulated shoe with a key, at a terminal."""

    def __init__(self, path: Path, settings: TdpMachineSettings, *, decks: int = 8) -> None:
        clock = RealClock(200.0)
        self.wire = PtyWire(path)
        self.hands: TdpHands = tdp_at("shoe", self.wire, clock, decks, random.Random(4), settings)
        self.station = SimulatorThread(clock, [self.wire])
        self.station.start()
        self.station.call(self.hands.make_ready)

    def restart(self, told: TdpMachineSettings | None = None) -> None:
        """The power goes and comes; perhaps another firmware runs then."""

        def start() -> None:
            electronics = self.hands.device.electronics
            electronics.power_off()
            if told is not None and told.identity is not None:
                electronics.identity = told.identity
            electronics.power_on()

        self.station.call(start)

    def stop(self) -> None:
        """It is gone."""
        self.station.call(self.wire.unplug)
        self.station.stop()


@contextmanager
def machine(path: Path, settings: TdpMachineSettings) -> Iterator[Machine]:
    made = Machine(path, settings)
    try:
        yield made
    finally:
        made.station.stop()


def until(table: LiveTable, wanted: Callable[[Line], bool]) -> list[Line]:
    """The lines up to the answer to the first input that is wanted."""
    lines = table.answer()
    while not any(wanted(line) for line in lines):
        lines += table.answer()
    return lines


def is_fault(code: str) -> Callable[[Line], bool]:
    return lambda line: line["event"] == "fault" and line["code"] == code


def verdicts(lines: list[Line]) -> list[tuple[str, list[str]]]:
    """Each verdict, with the codes of what did not hold."""
    judged = [line for line in lines if line["event"] == "device_judged"]
    return [(one["verdict"], [check["code"] for check in one.get("checks", []) if not check["ok"]]) for one in judged]


def cannot_deal(table: LiveTable, lines: list[Line]) -> None:
    """The table is blocked, and looking does not help."""
    prompt = lines[-1]
    assert prompt["do"] == "resolve", prompt
    while prompt["do"] == "resolve" and "continue" in prompt["actions"]:
        number = prompt["irregularity"]
        prompt = table.tell({"event": "resolve", "irregularity": number, "action": "continue", "by": [101]})[-1]
    assert (prompt["do"], "continue" in prompt.get("actions", [])) == ("resolve", False)


def findings(config: Path, *options: str) -> list[tuple[str, str, str]]:
    done = invoke("doctor", "--json", *options, config)
    report = msgspec.json.decode(done.stdout)
    return [(one["about"], one["level"], one["what"]) for one in report["findings"]]
