"""Simulated players."""
