"""Checks of Angel Eye II-EX shoes (``docs/protocols/angel-eye.md``); what the page leaves open is only observed."""
