"""The simulated devices of our own families: each module has the kinds of one, which the family names."""
