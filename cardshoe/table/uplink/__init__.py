"""The uplink: carries the lines of a table's journals to the floor. A process of its own; the table never waits for it.

It holds no key of the table but its client certificate, and writes nothing but a file for each journal.
"""
