"""Checks of devices against their protocol pages, a suite per family: ``docs/conformance.md``."""
