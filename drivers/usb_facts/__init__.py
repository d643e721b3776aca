"""The facts of a USB device, read without opening it.

Descriptors may lie, but a kernel binds drivers by them: a device without a keyboard cannot type.
"""

from drivers.usb_facts.facts import InterfaceKind, UsbFacts, UsbInterface

__all__ = ["InterfaceKind", "UsbFacts", "UsbInterface"]
