"""Simulated devices on a booted Linux: its USB stack, drivers, permissions."""
