"""The words of screens, and their translations."""
