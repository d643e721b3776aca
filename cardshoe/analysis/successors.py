"""The gambler who bets on neighbours of one of the last cards."""

from typing import Final

from cardshoe.analysis.gamblers import FAINT, Gambler
from cardshoe.analysis.order import Order

ENTER: Final = 1 / 50
LEAVE: Final = 1 / 50
_FAINT: Final = 1e-9
_SCALE_MAX: Final = 1e30


class Successors(Gambler):
    """Bets on unseen neighbours of the last cards.

    Args:
        step: 1: the card behind, -1: the card before.
        memory: cards looked back, above 1.
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
        fresh = [waiting[place] for place in places]
        wins = [seen[place + back] * waits for place, waits in zip(places, fresh, strict=True)]
        won, all_fresh = sum(wins), sum(fresh)
        if self._total > _FAINT * self._scale:
            factor = nowhere + (1 - nowhere) * won / (self._total * chance)
            self._settle(factor)
            self._nowhere = nowhere / factor
        else:
            self._nowhere = 1.0
        scale = self._scale = self._scale / self._fading
        share = (1 - self._nowhere) / won if won > 0 else 0.0
        # As `copies` does; spelled out, since a watch does this for each card of all tables.
        if all_fresh > FAINT:
            likely = [self._nowhere * waits / all_fresh for waits in fresh]
        else:
            likely = [self._nowhere / len(places)] * len(places) if places else []
        total = self._total
        for place, copy, waits, win in zip(places, likely, fresh, wins, strict=True):
            belief = copy + share * win
            left = waiting[place] = waits * max(0.0, 1 - belief)
            belief *= scale
            total += seen[place + back] * (left - waits) + belief * waiting[place + ahead]
            seen[place] += belief
        self._total = total
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
