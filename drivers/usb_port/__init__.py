"""``UsbPort``: the port contract over the bulk pipes of a USB device's vendor-class interface, by pyusb.

The only place of the package that imports pyusb. ``docs/protocols/tdp.md``, section 2, says what such a device offers:
one interface of class FF with bulk OUT, bulk IN and perhaps interrupt IN. Which endpoints these are is read from its
descriptors, never assumed. The interrupt endpoint is not used: a bulk read is always pending, which wakes as soon.

Bytes move one packet at a time, in both directions. That is slower than it could be (64 kB/s at full speed; a table
says some hundred bytes a second) and exact: whatever ends a transfer of one packet, the packet went over or did not, so
that a read that ends with an error has lost nothing, and a write may be repeated after a stall.

A system call of libusb cannot be ended from outside, so all of them are short, and closing waits for the one under way.

``backend`` has the library, ``finding`` which devices there are, ``line`` a claimed one, ``port`` the contract over it.
"""

from drivers.usb_port.backend import libusb
from drivers.usb_port.finding import list_bulk_devices
from drivers.usb_port.port import UsbPort

__all__ = ["UsbPort", "libusb", "list_bulk_devices"]
