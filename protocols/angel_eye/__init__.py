"""The serial protocol of the Angel Eye II-EX shoe: ``docs/protocols/angel-eye.md``."""
