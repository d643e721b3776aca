"""Simulated USB devices without any bus."""

from sim.usb.functions import BulkFunction, CdcFunction
from sim.usb.wire import UsbWire, usb_wire

__all__ = ["BulkFunction", "CdcFunction", "UsbWire", "usb_wire"]
