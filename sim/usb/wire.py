"""A line whose far end is a USB port."""

from collections.abc import Callable, Sequence
from typing import Literal

from sim.usb.device import UsbDevice
from sim.usb.functions import BulkFunction, CdcFunction, Function
from sim.usb.hostile import ExtraInterface, GrownFunction
from sim.wires.wire import Sink, was_quiet

Kind = Literal["bulk", "cdc"]


class UsbWire:
    """A ``Wire`` over USB: give ``device`` to a pyusb backend, or the wire to a ``UsbIpServer``.

    Acknowledged bytes of the host are never lost. Sent bytes are lost and counted while no host has configured
    the device, and above 16 kB unread.
    """

    def __init__(self, device: UsbDevice) -> None:
        self.device = device
        self._sink: Sink = was_quiet

    @property
    def is_plugged(self) -> bool:
        return self.device.is_plugged

    @property
    def lost_bytes(self) -> int:
        return self.device.lost_bytes

    def listen(self, sink: Sink) -> None:
        """Pass the host's bytes to ``sink``."""
        self._sink = sink

    def send(self, data: bytes) -> None:
        """Send to the host."""
        self.device.send(data)

    def unplug(self) -> None:
        """Pull the cable: transfers under way end with ENODEV."""
        self.device.unplug()

    def replug(self) -> None:
        """Put the cable in."""
        self.device.plug()

    def fds(self) -> Sequence[int]:
        """Empty: the host's transfers wake instead."""
        return ()

    def pump(self) -> None:
        """Deliver the host's bytes."""
        data, is_more = self.device.consume()
        if data:
            self._sink(data)
        if is_more:
            # The host filled the room that taking made; others get their turn first.
            self.device.on_received()

    def on_wake(self, wake: Callable[[], None]) -> None:
        self.device.on_received = wake

    def close(self) -> None:
        """Unplug."""
        self.unplug()


def usb_wire(kind: Kind, serial_number: str, *, product: str, extra: ExtraInterface | None = None) -> UsbWire:
    function: Function = BulkFunction() if kind == "bulk" else CdcFunction()
    if extra is not None:
        function = GrownFunction(function)
        function.wear(extra)
    return UsbWire(UsbDevice(function, serial_number=serial_number, product=product))
