"""The USB guard of a table that opens."""

import contextlib
from collections.abc import Mapping, Sequence
from typing import Final

from cardshoe.process.exits import Exit, Stop
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.setup.usb_section import DeviceOnUsb, allowed_of
from drivers.errors import DriverError
from drivers.usb_devices import UsbBus, UsbFacts, pattern_of
from firmware_bridge.usb_guard.examination import examine
from firmware_bridge.usb_guard.guard import UsbGuard
from firmware_bridge.usb_guard.policy import UsbPolicy
from firmware_bridge.usb_guard.refusals import FailedUsbCheck
from regulations.events.inputs import Resolve, Void

RUNBOOK: Final = "docs/drivers.md, under The USB guard, explains each refusal."


class UsbRefused(Stop):
    def __init__(self, refusals: Mapping[str, Sequence[FailedUsbCheck]]) -> None:
        said = [f"device {name}: {one.code}: {one.problem}" for name, ones in refusals.items() for one in ones]
        first = next(one for ones in refusals.values() for one in ones)
        super().__init__(
            "\ncardshoe: ".join(said),
            f"{first.remedy} Who can resolve it: {first.resolver}. {RUNBOOK}",
            Exit.DEVICE,
        )
        self.refusals = refusals


def check_usb(guard: UsbGuard) -> None:
    """Check that each USB device of the table is permitted.

    Raises:
        DriverError: the machine's USB devices cannot be listed.
        UsbRefused: a device is not permitted.
    """
    refusals = guard.approve()
    if refusals:
        raise UsbRefused(refusals)


def found_on_usb(devices: Sequence[DeviceOnUsb], bus: UsbBus) -> list[tuple[UsbPolicy, UsbFacts | None]]:
    on_usb = [
        allowed_of(one) for one in devices if bus.leads_to_usb(one.port) or one.usb is not None or _names_usb(one)
    ]
    there: list[UsbFacts] = []
    with contextlib.suppress(DriverError, OSError):  # the configuration may say it all
        there = bus.devices() if on_usb else []
    examined = [(one, *examine(bus, one, there)) for one in on_usb]
    refused = {one.device: refusals for one, _, refusals in examined if refusals}
    if refused:
        raise UsbRefused(refused)
    return [(one, found) for one, found, _ in examined]


def _names_usb(device: DeviceOnUsb) -> bool:
    return pattern_of(device.port) is not None or "/by-id/usb-" in device.port


class Reminder:
    def __init__(self, guard: UsbGuard) -> None:
        self._guard: Final = guard

    def __call__(self, taken: LoggedInput) -> None:
        if isinstance(taken.event, Resolve | Void) and taken.prompt.do != "resolve":
            self._guard.settled()
