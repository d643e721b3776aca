"""Admission of devices to the table: judged by what the site has enrolled and approved, told to the log.

``judge`` compares, with ``firmware_bridge.trust``; ``gate`` is what stands before one device; ``seen`` is what this
table remembers of the judging. ``docs/firmware-bridge.md`` ("Before a device's first card") has the whole.
"""
