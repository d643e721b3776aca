"""Checks of USPC Bee-Tek shoes (``docs/protocols/bee-tek.md``); what the page leaves open is only observed."""
