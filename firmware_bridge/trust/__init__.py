"""Which devices and which firmware this site trusts, and why not the others (``docs/trust.md``).

``judging.verdict`` is what a table asks; ``site`` is what persons do; ``approved`` is what comes on a stick.
"""
