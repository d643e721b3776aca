"""The facts that a USB device shows of itself: numbers, socket, and every interface of every configuration.

Known without opening the device: ``facts`` says what is known, ``descriptors`` reads it from the device's own bytes
(USB 2.0, chapter 9), ``sysfs`` from what Linux keeps of each device. Other systems are asked by libusb
(``drivers.usb_port.listing``), and ``drivers.usb_devices`` knows which of the two to ask.

A device may lie: its descriptors are what it says it is. What counts is that a kernel binds its drivers to what the
device says, so that a device that shows no keyboard cannot type.
"""

from drivers.usb_facts.facts import InterfaceKind, UsbFacts, UsbInterface

__all__ = ["InterfaceKind", "UsbFacts", "UsbInterface"]
