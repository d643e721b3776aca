"""The pages and the interface of a table.

Reads the live socket, has no key, and may fail without effect on play.
"""
