"""Tests of the simulated croupier."""
