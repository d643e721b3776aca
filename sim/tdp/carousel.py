"""Shelves that turn: cards go to random ones, a whole shelf comes out."""

import random
from typing import Final

from regulations.events.cards import Card


class Carousel:
    """Not even the device knows the shelf of a card."""

    def __init__(self, shelves: int, shelf_cards: int, rng: random.Random) -> None:
        self._shelves: Final[list[list[Card]]] = [[] for _ in range(shelves)]
        self._shelf_cards: Final = shelf_cards
        self._rng: Final = rng

    @property
    def capacity(self) -> int:
        """Cards that it takes at most."""
        return len(self._shelves) * self._shelf_cards

    @property
    def cards(self) -> list[Card]:
        return [card for shelf in self._shelves for card in shelf]

    @property
    def is_empty(self) -> bool:
        return not any(self._shelves)

    def put(self, card: Card) -> None:
        """A random place, since cards put on top would come out in order."""
        free = [shelf for shelf in self._shelves if len(shelf) < self._shelf_cards]
        if not free:
            raise ValueError(f"all {len(self._shelves)} shelves are full, with {self._shelf_cards} cards each")
        shelf = self._rng.choice(free)
        shelf.insert(self._rng.randrange(len(shelf) + 1), card)

    def exchange(self, card: Card, other: Card) -> None:
        shelf = next(shelf for shelf in self._shelves if card in shelf)
        shelf[shelf.index(card)] = other

    def eject(self) -> list[Card]:
        """Push out all cards of a random filled shelf; none if all are empty."""
        filled = [shelf for shelf in self._shelves if shelf]
        if not filled:
            return []
        shelf = self._rng.choice(filled)
        cards = list(shelf)
        shelf.clear()
        return cards

    def remove_cards(self) -> list[Card]:
        cards = self.cards
        for shelf in self._shelves:
            shelf.clear()
        return cards
