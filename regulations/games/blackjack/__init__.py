"""Blackjack by 56/2004."""
