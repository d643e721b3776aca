"""Check the table's USB devices, and other dangerous ones."""

from collections.abc import Iterator, Sequence

from cardshoe.cli.doctoring.findings import Finding, fine, problem, warning
from cardshoe.process.exits import Exit
from cardshoe.table.setup.usb_section import DeviceOnUsb, allowed_of
from drivers.errors import DriverError
from drivers.usb_devices import UsbBus, UsbFacts
from firmware_bridge.usb_guard.examination import examine
from firmware_bridge.usb_guard.kinds import dangers
from firmware_bridge.usb_guard.verdict import words


def usb(devices: Sequence[DeviceOnUsb], bus: UsbBus | None = None) -> Iterator[Finding]:
    """Findings of the USB guard for a table that starts now. Opens no device."""
    bus = bus or UsbBus()
    on_usb = [one for one in devices if bus.leads_to_usb(one.port)]
    if not on_usb:
        return
    try:
        there = bus.devices()
    except DriverError as error:
        yield problem("usb", error.problem, error.remedy, Exit.DEVICE)
        return
    except OSError as error:
        yield problem("usb", f"USB devices cannot be listed: {error}", "Make /sys readable for this user.", Exit.DEVICE)
        return
    cards = []
    for one in on_usb:
        about = f"usb {one.name}"
        found, refusals = examine(bus, allowed_of(one), there)
        for refusal in refusals:
            remedy = f"{refusal.remedy} Who can resolve it: {refusal.resolver}."
            yield problem(about, f"{refusal.code}: {refusal.problem}", remedy, Exit.DEVICE)
        if found is not None:
            cards.append(found)
            if not refusals:
                yield fine(about, f"{found}, interfaces {words(found.kinds())}: nothing more than a card device")
    yield from _strangers([one for one in there if one not in cards])


def _strangers(others: Sequence[UsbFacts]) -> Iterator[Finding]:
    for one in others:
        found = [danger for danger in dangers((one.device_kind, *one.kinds())) if danger != "hub"]
        if found and not one.is_fixed:
            yield warning(
                "usb",
                f"not a card device: {one} ({', '.join(found)})",
                "Unplug it if it is not needed; packaging/usbguard blocks such devices.",
            )
