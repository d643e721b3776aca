"""The tests of baccarat alone: its tableau, its probabilities, properties of its tables."""
