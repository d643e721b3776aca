"""The uplink: a process that sends the lines of a table's journals to the floor."""
