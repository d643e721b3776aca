"""``cardshoe floor``, imported by name (``cardshoe.cli.group``)."""
