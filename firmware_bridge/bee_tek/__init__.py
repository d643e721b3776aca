"""The bridge between a table and a Bee-Tek shoe, which takes no commands."""
