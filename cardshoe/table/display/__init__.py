"""The pages and the interface of a table."""
