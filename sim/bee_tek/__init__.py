"""A simulated USPC Bee-Tek shoe: physical cards, an eye at the mouth, and lines of text."""
