"""``cardshoe analyse``: were the cards of a journal shuffled?"""
