"""The uplink: a process that sends the lines of a table's journals to the floor.

A process of its own, so that the table never waits. Its only key is the client certificate; it writes one file for each
journal.
"""
