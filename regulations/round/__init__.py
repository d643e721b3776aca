"""Parts that the rounds of the seat games share: blackjack, casino war, q poker and three-card baccarat."""
