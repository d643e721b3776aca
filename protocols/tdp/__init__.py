"""TDP/1, the open Table Device Protocol, both ends: ``docs/protocols/tdp.md`` is normative.

From the wire up: ``framing``, ``channel``, ``link``, ``tls``, ``reader``, ``codec``, ``exactly_once``; all
pure.
"""
