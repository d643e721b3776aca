"""The Unix socket of a running table: state, durable lines, inputs (`docs/live.md`).

`server` is the listener of the controller, on a thread of its own; `client` is for whoever connects.
"""
