"""``cardshoe doctor``: check the needs of a table before it opens."""
