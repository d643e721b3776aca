"""A table at play under its regulation."""
