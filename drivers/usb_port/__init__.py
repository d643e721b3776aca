"""``UsbPort``: the port contract over the bulk pipes of a USB device's vendor-class interface, by pyusb.

``docs/protocols/tdp.md``, section 2, says what such a device offers: one interface of class FF with bulk OUT, bulk IN
and perhaps interrupt IN. Which endpoints these are is read from its descriptors, never assumed.
"""

from drivers.usb_port.backend import libusb
from drivers.usb_port.finding import list_bulk_devices
from drivers.usb_port.port import UsbPort

__all__ = ["UsbPort", "libusb", "list_bulk_devices"]
