"""TDP/1, the open Table Device Protocol, both ends: ``docs/protocols/tdp.md`` is normative.

From the wire upwards: ``framing`` finds and checks frames; ``channel`` makes a reliable byte stream of them (with
``timing``), ``link`` opens, watches and restarts it (with ``handshake`` and ``states``); ``tls`` may protect the
stream; ``reader`` cuts it into messages, ``codec`` turns each into bytes and back (with ``fields`` and ``rows``);
``exactly_once`` counts each event and each command once. Everything is pure: bytes, time and random numbers are
arguments.
"""
