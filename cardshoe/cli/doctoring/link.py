"""Diagnose a device's link: connected, bytes, frames, events.

The last stage reached names the fault.
"""

import threading
import time
from collections.abc import Mapping
from typing import Final

from cardshoe.cli.doctoring.findings import Finding, fine, problem, warning
from cardshoe.process.exits import Exit
from drivers.errors import DriverError
from drivers.link_health import ADVICE, LinkHealth, LinkStage
from firmware_bridge.families import family_named

STOP_S: Final = 6.0
"""A silent TCP address takes 5."""


LOOK_S: Final = 0.2


class _Ear:
    def __init__(self) -> None:
        self.enough = threading.Event()

    def message(self, _message: object, _now_s: float) -> None:
        self.enough.set()

    def lost(self, _error: DriverError) -> None:
        self.enough.set()

    def back(self) -> None:
        """Do nothing: connected is not yet an event."""


def listen(about: str, family_name: str, port: str, settings: Mapping[str, object], seconds: float) -> Finding:
    """Listen to a device and report the last stage. Sends no bytes."""
    ear = _Ear()
    try:
        device = family_named(family_name).part("open")(port, settings, ear)
    except DriverError as error:
        return problem(about, f"{error.port}: {error.problem}", error.remedy)
    device.port.start()
    end_s = time.monotonic() + seconds
    while not ear.enough.wait(min(LOOK_S, max(end_s - time.monotonic(), 0))) and time.monotonic() < end_s:
        if device.health().makes_no_frames(time.monotonic()):
            break
    health = device.health()
    device.stop(STOP_S)
    return judged(about, health, seconds)


def judged(about: str, health: LinkHealth, seconds: float) -> Finding:
    counted = f"{health.bytes_in} bytes, {health.frames} frames, {health.events} events"
    match health.rung:
        case LinkStage.DISCONNECTED:
            error = health.last_error
            what = "not open yet" if error is None else f"{error.port}: {error.problem}"
            remedy = f"Listen longer than {seconds:g} s." if error is None else error.remedy
            return problem(about, what, remedy, Exit.DEVICE)
        case LinkStage.CONNECTED:
            remedy = f"If a card was drawn meanwhile: {ADVICE[LinkStage.CONNECTED]}"
            return warning(about, f"connected, and silent for {seconds:g} s", remedy)
        case LinkStage.BYTES:
            return problem(about, f"connected, {counted}", ADVICE[LinkStage.BYTES])
        case _:
            return fine(about, f"heard: {counted}, {health.garbage_bytes} bytes of noise")
