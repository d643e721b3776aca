"""Ports and the devices behind them: the only package in which bytes move.

From the wire upwards: ``serial_port`` opens a line and implements the contract of ``port``, ``usb_port`` does so over
a USB device's bulk pipes; ``discovery`` turns a stable name into a port; ``port_thread`` owns one port, reopens it
after a loss, at a hint from ``hotplug``, and is its only reader and writer; ``port_device`` is common to all devices;
``angel_eye``, ``bee_tek`` and ``tdp`` decode what a device says.
``docs/drivers.md`` is the page for people, ``docs/adr/0003-one-owner-thread-per-port.md`` says why it is built so.
"""
