"""The serial protocol of the Angel Eye II-EX baccarat shoe, both directions: ``docs/protocols/angel-eye.md``."""
