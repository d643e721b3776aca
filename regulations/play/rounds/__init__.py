"""Parts that the rounds of the seat games share."""
