"""A simulated Angel Eye II-EX baccarat shoe."""
