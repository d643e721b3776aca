"""The pages and the interface of a table.

It reads the live socket, has no key, and may die at any time without effect on play.
"""
