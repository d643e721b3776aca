"""The bridge between a table and a Bee-Tek shoe: its lines become events. It takes no commands."""
