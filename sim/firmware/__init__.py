"""The firmware side of a simulated device: flash, slots, boot loader, update over SMP.

``flash`` is the chip, ``records`` what survives power cuts in it, ``slots`` how it is divided, ``judge`` which images
may run, ``loader`` which one runs, ``server`` and ``lines`` how it is updated, ``board`` all of it together. The pages
are ``docs/protocols/mcuboot.md`` and ``docs/protocols/smp.md``; why it is so, ``docs/adr/0015``.
"""
