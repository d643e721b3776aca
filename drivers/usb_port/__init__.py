"""``UsbPort``: the port contract over bulk pipes (``docs/protocols/tdp.md``, section 2).

Bytes move one packet at a time: a failed read loses none, and a write may be repeated after a stall.
"""

from drivers.usb_port.backend import libusb
from drivers.usb_port.finding import list_bulk_devices
from drivers.usb_port.port import UsbPort

__all__ = ["UsbPort", "libusb", "list_bulk_devices"]
