"""Firmware updates of devices by rules that are data; each step is recorded before it is done (``docs/update.md``).

``rows`` are the rules, ``machine`` executes them, after an observation of the device (``observations``) through its
service port (``service``) and a fresh attestation (``attester``).
"""
