"""Ports and the devices behind them: the only package in which bytes move (``docs/drivers.md``).

``port`` is the contract of ``serial_port`` and ``usb_port``; ``discovery`` finds a port by name; ``port_thread`` owns
and reopens it (ADR 3); ``port_device`` is the base of ``angel_eye``, ``bee_tek`` and ``tdp``.
"""
