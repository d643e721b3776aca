"""Which devices and which firmware this site trusts, and why not the others (``docs/trust.md``)."""
