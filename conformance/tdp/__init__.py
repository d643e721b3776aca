"""Checks of TDP devices by a careful or hostile host (``docs/protocols/tdp.md``)."""
