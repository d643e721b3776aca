"""Simulated TDP devices: a card-reading shoe, a shuffler-dealer and a shuffler."""
