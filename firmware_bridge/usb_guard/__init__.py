"""The USB guard: allow card devices at the table and block changed ones.

A card device is known by vendor, product, serial number and socket, and shows the interfaces of a serial port or of
bulk pipes, nothing more: one that is a disk, a keyboard or a network card as well has been tampered with, or is not
what it is taken for (design, section 4).
"""
