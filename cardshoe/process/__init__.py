"""Common parts of all processes."""
