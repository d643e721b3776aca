"""Firmware updates of devices by rules that are data; each step is recorded before it is done (``docs/update.md``)."""
