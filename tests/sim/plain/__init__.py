"""Plain equipment."""
