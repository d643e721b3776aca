"""``cardshoe doctor``: check everything that a table needs before it opens, and name each remedy."""
