"""The uplink: a process that sends a table's journals to the floor.

Its only key is the client certificate; the table never waits for it.
"""
