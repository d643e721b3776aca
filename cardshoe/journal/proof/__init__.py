"""Proofs of a journal: the Merkle tree over its entries, signed notes, the succession of keys. Pure."""
