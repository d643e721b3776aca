"""The shoe game: everything between two shuffles, with the rounds inside it."""
