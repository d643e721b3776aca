"""The firmware side of a simulated device: flash, slots, boot loader, update over SMP.

Pages: ``docs/protocols/mcuboot.md``, ``docs/protocols/smp.md``, ``docs/adr/0015``.
"""
