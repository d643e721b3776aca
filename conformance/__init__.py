"""Checks of devices, real or simulated, against their protocol pages, a suite per family: ``docs/conformance.md``."""
