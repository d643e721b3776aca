"""A simulated Angel Eye II-EX baccarat shoe: cards, firmware and serial protocol."""
