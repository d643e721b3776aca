"""The uplink: a process that sends the lines of a table's journals to the floor. The table never waits for it."""
