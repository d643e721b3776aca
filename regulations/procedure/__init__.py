"""The regulation at work on one table."""
