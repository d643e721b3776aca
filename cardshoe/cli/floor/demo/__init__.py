"""A whole floor for a demonstration."""
