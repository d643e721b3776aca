"""``cardshoe analyse``: were the cards of a journal shuffled? `words` for a terminal, `page` for HTML."""
