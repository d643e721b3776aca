"""Rule tables and their machine, for the law and for firmware updates."""
