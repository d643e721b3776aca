"""The gambler who bets on the cards that lay beside one of the last cards.

``k`` riffles leave 2^k rising sequences; each waits for its next card.
"""

from typing import Final

from cardshoe.analysis.gamblers import Gambler, copies
from cardshoe.analysis.order import Order

ENTER: Final = 1 / 50
LEAVE: Final = 1 / 50
_FAINT: Final = 1e-9
_SCALE_MAX: Final = 1e30


class Successors(Gambler):
    """Bets on the neighbours of the last cards that have not come yet.

    Args:
        step: 1: on what lay behind a card, -1: before it.
        memory: how many cards back it looks, above 1.
    """

    def __init__(self, order: Order, step: int, memory: float) -> None:
        super().__init__()
        self._order: Final = order
        self._step: Final = step
        self._fading: Final = 1 - 1 / memory
        self._seen = [0.0] * order.size
        self._waiting = [float(face >= 0) for face in order.faces]
        self._scale = 1.0
        self._total = 0.0
        self._nowhere = 1.0

    def see(self, face: int, chance: float) -> None:
        size, step, seen, waiting = self._order.size, self._step, self._seen, self._waiting
        places = self._order.places[face]
        nowhere = self._nowhere * (1 - ENTER) + LEAVE * (1 - self._nowhere)
        # Indexes from the end, so that the circle closes.
        back, ahead = (-1, 1 - size) if step > 0 else (1 - size, -1)
        wins = [seen[place + back] * waiting[place] for place in places]
        won = sum(wins)
        if self._total > _FAINT * self._scale:
            factor = nowhere + (1 - nowhere) * won / (self._total * chance)
            self._settle(factor)
            self._nowhere = nowhere / factor
        else:
            self._nowhere = 1.0
        self._scale /= self._fading
        by_chance = copies(places, waiting) if places else {}
        scale, share = self._scale, (1 - self._nowhere) / won if won > 0 else 0.0
        for (place, copy), win in zip(by_chance.items(), wins, strict=True):
            belief = self._nowhere * copy + share * win
            fresh, before = waiting[place], seen[place + back]
            left = waiting[place] = fresh * max(0.0, 1 - belief)
            belief *= scale
            self._total += before * (left - fresh) + belief * waiting[place + ahead]
            seen[place] += belief
        if self._scale > _SCALE_MAX:
            self._rescale()

    def guess(self) -> int | None:
        seen, faces = self._seen, self._order.faces
        before = [*seen[-1:], *seen[:-1]] if self._step > 0 else [*seen[1:], *seen[:1]]
        scores: dict[int, float] = {}
        for face, score, waits in zip(faces, before, self._waiting, strict=True):
            if score and waits:
                scores[face] = scores.get(face, 0.0) + score * waits
        return max(scores, key=scores.__getitem__, default=None)

    def _rescale(self) -> None:
        size, step = self._order.size, self._step
        self._seen = [value / self._scale for value in self._seen]
        self._scale = 1.0
        self._total = sum(value * self._waiting[(place + step) % size] for place, value in enumerate(self._seen))
