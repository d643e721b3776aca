"""Cards reported for the open round, and the number certainly lost."""

from typing import Final

from protocols.angel_eye.messages import Target
from regulations.events.cards import Card

Place = tuple[Target, int]

DEAL: Final[tuple[Place, ...]] = (
    (Target.PLAYER, 1),
    (Target.BANKER, 1),
    (Target.PLAYER, 2),
    (Target.BANKER, 2),
    (Target.PLAYER, 3),
    (Target.BANKER, 3),
)
FIRST_PLACE: Final = DEAL[0]
LAST_SURE_PLACE: Final = DEAL[3]
"""Every round fills it; a place behind it may stay empty."""
HIGHEST_INDEX: Final = 10
_BEFORE_DEAL: Final = -1
_RESULT: Final = 1
_ORDER: Final[dict[Place, int]] = {place: at for at, place in enumerate(DEAL)}
_SURE: Final = _ORDER[LAST_SURE_PLACE]


class ShoeRound:
    def __init__(self) -> None:
        self._told: dict[Place, Card | None] = {}
        self._ahead: dict[Place, Card | None] = {}
        self._last: Place | None = None
        self._unplaced = 0
        self.is_known = False

    def new_shoe(self) -> None:
        self._ahead = {}
        self.round_over()

    def round_over(self) -> None:
        self._told, self._ahead = self._ahead, {}
        self._last = next(reversed(self._told), None)
        self._unplaced = 0
        self.is_known = True

    def begins_round(self, place: Place) -> bool:
        """Also player 1 after a whole deal, and any card after an overdrawn one."""
        return bool(self._ahead) or (place == FIRST_PLACE and self._is_whole)

    def is_told(self, place: Place, card: Card | None) -> bool:
        return place[1] < HIGHEST_INDEX and place in self._told and self._told[place] == card

    def may_be_next_round(self, place: Place, missing: int) -> bool:
        if place not in _ORDER or self._last not in _ORDER:
            return False
        rest = max(_SURE - _ORDER[self._last], 0)
        return missing >= rest + _RESULT + _ORDER[place]

    def record(self, place: Place, card: Card | None) -> None:
        """Notes what the shoe told."""
        here = _stage(place)
        self._told = {other: known for other, known in self._told.items() if _stage(other) < here}
        self._told[place] = card
        self._last = place
        self._unplaced = 0
        if place == FIRST_PLACE or place not in _ORDER:
            self.is_known = True

    def record_ahead(self, place: Place, card: Card | None) -> None:
        if self._is_behind(place):
            self._ahead[place] = card
        else:
            self.record(place, card)

    def is_told_ahead(self, place: Place, card: Card | None) -> bool:
        told = self._ahead if self._is_behind(place) else self._told
        return place in told and told[place] == card

    def _is_behind(self, place: Place) -> bool:
        # True if an overdrawn card's place is of a round to come: else that round is the open one, just
        # begun.
        return self._is_whole or (self._last is not None and _stage(place) < _stage(self._last))

    def record_unplaced(self) -> None:
        self._unplaced += 1

    def lost_before(self, place: Place) -> int:
        """Optional third cards and whole rounds cannot be counted."""
        skipped = self._dealt_before(place) if place in _ORDER else self._burned_before(place)
        return max(skipped - self._unplaced, 0)

    @property
    def _is_whole(self) -> bool:
        return LAST_SURE_PLACE in self._told

    def _dealt_before(self, place: Place) -> int:
        if self._last is None and not self.is_known:
            return 0
        last = _BEFORE_DEAL if self._last is None else _ORDER.get(self._last, _BEFORE_DEAL)
        here = _ORDER[place]
        # From one of the first four to a third card: sure are the first four alone.
        sure = min(here, _SURE + 1) if last <= _SURE else here
        return sure - last - 1

    def _burned_before(self, place: Place) -> int:
        target, index = place
        if self._last is None:
            # Whether the first burned card has index 0 or 1 is not known (Q16): sure are those from 1 on.
            return index - 1 if self.is_known else 0
        if self._last[0] is target:
            return index - self._last[1] - 1
        return index - 1 if self._last[0] is Target.BURN_COUNT_FIXING else 0


def _stage(place: Place) -> int:
    if place in _ORDER:
        return _ORDER[place]
    return place[1] - (2 if place[0] is Target.BURN_BY_COUNT else 3) * (HIGHEST_INDEX + 1)
