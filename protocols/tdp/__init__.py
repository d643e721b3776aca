"""TDP/1, the open Table Device Protocol, both ends: ``docs/protocols/tdp.md`` is normative."""
