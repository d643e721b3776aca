"""The application at a table and in the back office."""
