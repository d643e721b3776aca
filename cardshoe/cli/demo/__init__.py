"""Demonstrations: tables with simulated equipment, croupiers and players, where all else is the real thing."""
