"""``cardshoe campaign``: many shoes through the law, and their totals against exact odds."""
