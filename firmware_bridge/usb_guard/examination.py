"""One poll of a card device: identify it and list the objections."""

from collections.abc import Sequence

from drivers.usb_devices import UsbBus
from drivers.usb_facts.facts import UsbFacts
from firmware_bridge.usb_guard.policy import UsbPolicy
from firmware_bridge.usb_guard.refusals import FailedUsbCheck
from firmware_bridge.usb_guard.verdict import chosen, judge


def examine(
    bus: UsbBus, allowed: UsbPolicy, there: Sequence[UsbFacts], approved: UsbFacts | None = None
) -> tuple[UsbFacts | None, tuple[FailedUsbCheck, ...]]:
    device = chosen(allowed, bus.behind(allowed.port, there), there, approved)
    return device, () if device is None else judge(allowed, device, there, approved)
