"""Demonstrations: real tables with simulated equipment, croupiers and players."""
