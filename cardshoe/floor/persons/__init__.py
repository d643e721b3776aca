"""The casino's staff: the signed list, and sessions at the floor."""
