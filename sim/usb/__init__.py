"""Simulated USB devices: what a host sees of them, without any bus.

``descriptors``, ``setup``, ``endpoints`` and ``functions`` make up a ``device``, which answers requests and moves
packets when it is told to and never waits. ``wire`` puts a device's byte stream behind a ``Wire``. A host reaches it
in the same process (in our tests) or as a real one does, over USB/IP (``server``).
"""

from sim.usb.functions import BulkFunction, CdcFunction
from sim.usb.wire import UsbWire, usb_wire

__all__ = ["BulkFunction", "CdcFunction", "UsbWire", "usb_wire"]
