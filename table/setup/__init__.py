"""What stands before a table runs: its configuration, and who and what may be at it."""
