"""Proofs of a journal: Merkle tree, signed notes, key succession. Pure."""
