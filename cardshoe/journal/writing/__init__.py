"""Writing a journal, and signing it."""
