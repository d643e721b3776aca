"""Firmware updates by rules as data; each step is recorded first (``docs/update.md``).

``rows`` are the rules, ``machine`` executes them, after an observation of the device (``observations``) through its
service port (``service``) and a fresh attestation (``attester``).
"""
