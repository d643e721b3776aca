"""Felt, bets, buttons and board as drawings need them."""
