"""Seeds by shoe index alone: any partition deals the same cards."""

import hashlib

from regulations.events.cards import DECK, Card

WORD = 8


def stream_of(seed: int, game: str, profile: str, index: int, purpose: str) -> bytes:
    """The key of a shoe's stream: 128 bits of SHA-256 over its origin."""
    text = f"{seed}\n{game}\n{profile}\n{index}\n{purpose}"
    return hashlib.sha256(text.encode()).digest()[:16]


def shuffled(key: bytes, decks: int) -> list[Card]:
    cards = list(DECK) * decks
    numbers = hashlib.shake_256(key).digest(WORD * len(cards))
    for last in range(len(cards) - 1, 0, -1):
        at = int.from_bytes(numbers[WORD * last : WORD * last + WORD], "big") % (last + 1)
        cards[last], cards[at] = cards[at], cards[last]
    return cards
