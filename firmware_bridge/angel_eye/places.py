"""What the shoe has said of the cards of its open round, and how many it must have told in between."""

from typing import Final

from protocols.angel_eye.messages import Target
from regulations.cards import Card

Place = tuple[Target, int]

_ROUND_ORDER: Final[tuple[Place, ...]] = (
    (Target.PLAYER, 1),
    (Target.BANKER, 1),
    (Target.PLAYER, 2),
    (Target.BANKER, 2),
    (Target.PLAYER, 3),
    (Target.BANKER, 3),
)
FIRST_PLACE: Final = _ROUND_ORDER[0]
_THIRDS: Final = 4
"""From here on a place may be left out: banker can draw where player stood."""


class Places:
    """The places of the shoe's open round; ``None`` stands for a card that was not read."""

    def __init__(self) -> None:
        self._told: dict[Place, Card | None] = {}
        self._last: Place | None = None
        self.known = False
        """Whether a round's beginning, or a boundary between rounds, has been seen: else the round is partial."""

    def clear(self) -> None:
        """A round is over; the next card begins another."""
        self._told.clear()
        self._last = None
        self.known = True

    def begins_round(self, place: Place) -> bool:
        """Whether a card at this place begins another round: player 1 once a whole deal has been told."""
        return place == FIRST_PLACE and len(self._told) >= _THIRDS

    def is_told(self, place: Place, card: Card | None) -> bool:
        """Whether this very card has been told for this place: a repeat, however long ago."""
        return place in self._told and self._told[place] == card

    def tell(self, place: Place, card: Card | None) -> None:
        """Notes what the shoe told."""
        self._told[place] = card
        self._last = place
        if place == FIRST_PLACE:
            self.known = True

    def lost_before(self, place: Place) -> int:
        """How many cards the shoe must have told between the last one and this place, by the order of the deal.

        Only what is certain counts: a third card of player may never have been, and across two rounds nothing is.
        """
        if self._last is None or place not in _ROUND_ORDER or self._last not in _ROUND_ORDER:
            return self._lost_burns(place)
        here, last = _ROUND_ORDER.index(place), _ROUND_ORDER.index(self._last)
        if here >= _THIRDS and last < _THIRDS:
            return max(min(here, _THIRDS) - last - 1, 0)
        return max(here - last - 1, 0)

    def _lost_burns(self, place: Place) -> int:
        if self._last is None or self._last[0] is not place[0]:
            return 0
        return max(place[1] - self._last[1] - 1, 0)
