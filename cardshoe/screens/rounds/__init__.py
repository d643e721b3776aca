"""One round as facts, folded from its lines alone: the same for table, floor, terminal and report."""
