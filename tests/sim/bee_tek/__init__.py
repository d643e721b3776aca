"""Tests of the simulated Bee-Tek shoe."""
