"""Checks of USPC Bee-Tek shoes (``docs/protocols/bee-tek.md``)."""
