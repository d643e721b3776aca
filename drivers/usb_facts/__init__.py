"""The USB numbers, socket and interfaces that a device shows, read without opening it.

``descriptors`` decodes the device's own bytes (USB 2.0, chapter 9), ``sysfs`` reads Linux's list,
``drivers.usb_port.listing`` asks libusb. Descriptors may lie, but a kernel binds drivers by them: a device that shows
no keyboard cannot type.
"""

from drivers.usb_facts.facts import InterfaceKind, UsbFacts, UsbInterface

__all__ = ["InterfaceKind", "UsbFacts", "UsbInterface"]
