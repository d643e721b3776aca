"""Firmware updates by rules as data; each step is recorded first (``docs/update.md``)."""
