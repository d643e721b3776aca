"""The games that this edition enforces, a folder each."""
