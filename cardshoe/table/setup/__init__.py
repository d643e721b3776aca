"""The setup of a table before it runs."""
