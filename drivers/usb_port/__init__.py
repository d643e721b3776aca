"""``UsbPort``: the port contract over the bulk pipes of a USB device's vendor-class interface, by pyusb.

``docs/protocols/tdp.md``, section 2, says what such a device offers: one interface of class FF with bulk OUT, bulk IN
and perhaps interrupt IN. Which endpoints these are is read from its descriptors, never assumed.

Bytes move one packet at a time, both ways: slower (64 kB/s at full speed) and exact. A packet went over or did not, so
a failed read has lost no bytes, and a write may be repeated after a stall. A libusb call cannot be ended from outside,
so all are short, and closing waits for the current one.
"""

from drivers.usb_port.backend import libusb
from drivers.usb_port.finding import list_bulk_devices
from drivers.usb_port.port import UsbPort

__all__ = ["UsbPort", "libusb", "list_bulk_devices"]
