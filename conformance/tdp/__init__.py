"""Checks of TDP devices, by a host that is careful or hostile as a check wants it (``docs/protocols/tdp.md``)."""
