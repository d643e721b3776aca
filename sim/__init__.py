"""Simulated devices, croupier and players, and the faults that befall them: ``docs/simulator.md``."""
