"""The simulated devices of our own families."""
