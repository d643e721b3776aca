"""One round as facts, folded from its lines: the same everywhere."""
