"""Cards for tests of the analysis."""

import random


def mixed(seed: int) -> list[int]:
    """Eight decks in some order, as faces."""
    cards = list(range(52)) * 8
    random.Random(seed).shuffle(cards)
    return cards
