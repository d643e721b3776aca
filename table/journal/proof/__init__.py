"""What proves a journal to others: the Merkle tree over its entries, signed notes, the succession of keys. Pure."""
