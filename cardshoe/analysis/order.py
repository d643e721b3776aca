"""An old order as a circle, and the unseen cards of a stack.

Faces are 0 to 51, indexes of `regulations.events.cards.DECK`.
"""

from collections.abc import Sequence
from typing import Final

from regulations.events.cards import CARDS_PER_DECK

UNKNOWN: Final = -1


class Order:
    """Order before a shuffle; ``faces`` 0 to 51 or `UNKNOWN`, at least two."""

    def __init__(self, faces: Sequence[int]) -> None:
        self.faces: Final = tuple(faces)
        self.size: Final = len(self.faces)
        places: list[list[int]] = [[] for _ in range(CARDS_PER_DECK)]
        for place, face in enumerate(self.faces):
            if face >= 0:
                places[face].append(place)
        self.places: Final = tuple(map(tuple, places))
        self.known: Final = sum(map(len, self.places))
        self._beside: Final[dict[int, tuple[tuple[int, ...], ...]]] = {}

    def beside(self, step: int) -> tuple[tuple[int, ...], ...]:
        """For each face, the faces that follow its places: 1 forwards, -1 backwards; in the order of the places."""
        if step not in self._beside:
            faces, size = self.faces, self.size
            self._beside[step] = tuple(
                tuple(faces[(place + step) % size] for place in several) for several in self.places
            )
        return self._beside[step]


class UnseenCards:
    """The unseen cards of a stack; a card that left unseen stays among them."""

    def __init__(self, counts: Sequence[int]) -> None:
        self.counts: Final = list(counts)
        self.left = sum(self.counts)

    @classmethod
    def of_decks(cls, decks: int) -> "UnseenCards":
        return cls([decks] * CARDS_PER_DECK)

    def chance(self, face: int) -> float:
        """The chance that a random next card has this face; 0 if all copies were seen."""
        return self.counts[face] / self.left if self.left else 0.0

    def see(self, face: int) -> None:
        """Remove a seen card."""
        if not self.counts[face]:
            raise ValueError(f"face {face}: one copy more than the decks have")
        self.counts[face] -= 1
        self.left -= 1

    def put_back(self, face: int) -> None:
        self.counts[face] += 1
        self.left += 1
