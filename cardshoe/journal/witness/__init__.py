"""Witnesses of a journal: their service, and those who ask it."""
