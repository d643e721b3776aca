"""A simulated USPC Bee-Tek shoe: cards, an eye at the mouth, lines."""
