"""A table as a service: what it tells whoever started it, and which of the installed builds plays."""
