"""Devices and firmware that this site trusts, and reasons against others (``docs/trust.md``)."""
