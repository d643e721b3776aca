"""Ports and the devices behind them: the only package in which bytes move.

From the wire upwards: ``serial_port`` opens a line and implements the contract of ``port``; ``discovery`` turns a
stable name into a port; ``port_thread`` owns one port, reopens it after a loss and is its only reader and writer;
``angel_eye`` and ``bee_tek`` decode what a shoe says; ``families`` lists the device families, ours and third parties'.
``docs/drivers.md`` is the page for people, ``docs/adr/0003-one-owner-thread-per-port.md`` says why it is built so.
"""
