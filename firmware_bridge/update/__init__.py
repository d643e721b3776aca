"""A device gets another firmware: by rules that are data, each step recorded before it is done (``docs/update.md``).

``rows`` are the rules, ``machine`` runs them. What it acts on is never what was hoped: before each act it looks at the
device (``observations``), through the service port (``service``) and by a fresh attestation (``attester``).
"""
