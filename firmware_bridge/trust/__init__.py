"""The devices and firmware that this site trusts, and the reasons against others (``docs/trust.md``)."""
