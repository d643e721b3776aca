"""The USB numbers, socket and interfaces that a device shows, read without opening it."""

from drivers.usb_facts.facts import InterfaceKind, UsbFacts, UsbInterface

__all__ = ["InterfaceKind", "UsbFacts", "UsbInterface"]
