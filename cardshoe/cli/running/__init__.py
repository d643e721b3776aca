"""Parts of a running table for ``cardshoe run``."""
