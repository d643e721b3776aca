"""The known cards between two shuffles."""

from dataclasses import dataclass, field, replace
from typing import Final

from cardshoe.analysis.order import UNKNOWN

RETURNED: Final = -2
"""In an endless stack: all cards that are out return."""


STREAM: Final = 420
"""Cards of an endless stack that are compared with as many before them."""


@dataclass(frozen=True, slots=True)
class CardSpot:
    """The place of a card in a round.

    Attributes:
        seat: from 1; 0 for all others.
        hand: of the seat, from 1.
        face: 0 to 51, or `UNKNOWN`.
    """

    to: str
    seat: int
    hand: int
    face: int


@dataclass(slots=True)
class Shoe:
    """The cards between two shuffles, in drawing order; unknown ``device``, ``card_set``, ``pick_up`` are empty."""

    table: str
    decks: int
    number: int
    at: str = ""
    rounds: list[list[CardSpot]] = field(default_factory=list)
    device: str = ""
    card_set: str = ""
    pick_up: str = ""
    croupiers: tuple[str, ...] = ()
    is_over: bool = False
    is_endless: bool = False

    @property
    def stack(self) -> int:
        """The number of its cards."""
        return self.decks * 52

    def faces(self) -> list[int]:
        """Faces in drawing order; in an endless stack with `RETURNED` after each round."""
        found: list[int] = []
        for spots in self.rounds:
            found += [spot.face for spot in spots]
            if self.is_endless:
                found.append(RETURNED)
        return found

    def parts(self) -> list["Shoe"]:
        """Itself; an endless stack in pieces of whole rounds with at least `STREAM` cards."""
        if not self.is_endless:
            return [self]
        found: list[Shoe] = []
        rounds: list[list[CardSpot]] = []
        for spots in self.rounds:
            rounds.append(spots)
            if sum(map(len, rounds)) >= STREAM:
                found.append(replace(self, rounds=rounds))
                rounds = []
        return found

    @property
    def known(self) -> int:
        """Number of cards with a known face."""
        return sum(spot.face != UNKNOWN for spots in self.rounds for spot in spots)
