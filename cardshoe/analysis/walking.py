"""The gambler who walks through the old order card by card."""

from typing import Final

from cardshoe.analysis.gamblers import Beliefs, Gambler
from cardshoe.analysis.order import UNKNOWN, Order

ENTER: Final = 1 / 400
"""Chance per card that a kept run begins."""
LEAVE: Final = 1 / 50
BEGIN: Final = 0.2
"""Chance that the shoe is kept from its first seen card on."""
_FAINT: Final = 1e-9


class Walk(Gambler):
    """A pointer through the old order, one card per step (1 or -1), or nowhere."""

    def __init__(self, order: Order, step: int) -> None:
        super().__init__()
        self._order: Final = order
        self._step: Final = step
        self._nowhere = 1.0
        self._at: Beliefs = {}
        self._last: tuple[int, ...] = ()
        self._beside: Final = order.beside(step)
        self._next: tuple[int, ...] = ()
        self._is_new = order.known > 1

    def see(self, face: int, chance: float) -> None:
        if self._is_new:
            self._begin(face, chance)
            return
        # As `_moved` does, but only to places where the pointer can stay: a watch does this for every card.
        order, at, last, shown = self._order, self._at, self._last, self._next
        faces, size, step = order.faces, order.size, self._step
        entering = self._nowhere * ENTER if last else 0.0
        total = nowhere = self._nowhere - entering + LEAVE * (1 - self._nowhere)
        found: Beliefs = {}
        for place, belief in at.items():
            there = (place + step) % size
            if faces[there] == face or faces[there] < 0:
                found[there] = belief * (1 - LEAVE)
        if face in shown or UNKNOWN in shown:
            for place, follows in zip(last, shown, strict=True):
                if follows == face or follows < 0:
                    there = (place + step) % size
                    found[there] = found.get(there, 0.0) + entering / len(last)
        if found:
            for place, belief in found.items():
                if faces[place] >= 0:
                    found[place] = belief / chance
                total += found[place]
            found = {place: belief / total for place, belief in found.items() if belief > _FAINT * total}
        self._settle(total)
        self._nowhere = nowhere / total
        self._at = found
        self._last, self._next = order.places[face], self._beside[face]

    def _begin(self, face: int, chance: float) -> None:
        self._is_new = False
        self._last, self._next = self._order.places[face], self._beside[face]
        share = BEGIN / (self._order.known * chance)
        total = 1 - BEGIN + share * len(self._last)
        self._settle(total)
        self._nowhere = (1 - BEGIN) / total
        self._at = dict.fromkeys(self._last, share / total)

    def miss(self) -> None:
        self._at, self._nowhere = self._moved()
        self._last = self._next = ()

    def guess(self) -> int | None:
        moved, nowhere = self._moved()
        place = max(moved, key=moved.__getitem__, default=None)
        if place is None or moved[place] < nowhere or self._order.faces[place] < 0:
            return None
        return self._order.faces[place]

    def _moved(self) -> tuple[Beliefs, float]:
        size, step = self._order.size, self._step
        # With no card before it that it knows, it cannot begin.
        entering = self._nowhere * ENTER if self._last else 0.0
        moved = {(place + step) % size: belief * (1 - LEAVE) for place, belief in self._at.items()}
        for place in self._last:
            there = (place + step) % size
            moved[there] = moved.get(there, 0.0) + entering / len(self._last)
        return moved, self._nowhere - entering + LEAVE * (1 - self._nowhere)
