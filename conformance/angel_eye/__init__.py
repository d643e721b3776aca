"""Checks of Angel Eye II-EX shoes (``docs/protocols/angel-eye.md``)."""
