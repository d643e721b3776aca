"""The USB numbers, socket and interfaces that a device shows, read without opening it.

Descriptors may lie, but a kernel binds drivers by them: a device that shows no keyboard cannot type.
"""

from drivers.usb_facts.facts import InterfaceKind, UsbFacts, UsbInterface

__all__ = ["InterfaceKind", "UsbFacts", "UsbInterface"]
