"""What is known of the cards between two shuffles."""

from dataclasses import dataclass, field, replace
from typing import Final

from cardshoe.analysis.order import UNKNOWN

RETURNED: Final = -2
"""In the cards of a stack that is dealt from without an end: all that are out go back."""


STREAM: Final = 420
"""Cards of an endless stack that are compared with as many before them."""


@dataclass(frozen=True, slots=True)
class CardSpot:
    """Where a card of a round lay.

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
    """The cards between two shuffles, in the order in which they left.

    Attributes:
        number: of the shoe game in its log, from 1.
        device: the shuffler; empty if unknown, like ``card_set`` and ``pick_up``.
    """

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
        """The cards in the order in which they left; in an endless stack with `RETURNED` behind each round."""
        found: list[int] = []
        for spots in self.rounds:
            found += [spot.face for spot in spots]
            if self.is_endless:
                found.append(RETURNED)
        return found

    def parts(self) -> list["Shoe"]:
        """Itself; of an endless stack pieces of whole rounds that show at least `STREAM` cards, without the rest."""
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
        """How many cards have a known face."""
        return sum(spot.face != UNKNOWN for spots in self.rounds for spot in spots)
