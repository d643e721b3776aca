"""The firmware side of a simulated device."""
