"""The setup of a table before it runs: its configuration, and who and what may be at it."""
