"""A shoe and a table with a bad line between them, and somebody who knows what was really told."""
