"""One Unix socket of a running table: how it stands, each durable line, and inputs of persons (`docs/live.md`).

`server` is the listener of the controller, on a thread of its own; `client` is for whoever connects.
"""
