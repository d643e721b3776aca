"""``cardshoe campaign``: many shoes through the law, compared with exact odds."""
