"""The house's staff: the signed list, and sessions at the floor."""
