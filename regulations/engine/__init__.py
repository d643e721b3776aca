"""Rule tables and their machine."""
