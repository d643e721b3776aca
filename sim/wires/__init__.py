"""Lines between a simulated device and the host, at the device's end: ``wire`` is what they have in common.

``direct`` calls straight through (virtual time), ``pipe`` is a port inside the process, ``pty`` a terminal with a
stable name, ``tcp`` a socket, ``faulty`` puts link faults before any of them.
"""
