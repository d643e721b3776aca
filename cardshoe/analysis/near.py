"""The gambler who bets that the next card lay near the last one."""

from functools import cache
from itertools import accumulate
from typing import Final, NamedTuple

from cardshoe.analysis.gamblers import Beliefs, Gambler, copies, use_up
from cardshoe.analysis.order import UNKNOWN, Order

ENTER: Final = 1 / 40
LEAVE: Final = 1 / 60
_FAINT: Final = 1e-7
_LEVELS: Final = ((0.6, 0.3), (1.6, 0.4), (3.5, 0.3))

Windows = tuple[tuple[int, float], ...]


class StepModel(NamedTuple):
    mean: int
    turns: float
    is_even: bool = False


class RemainingOrder:
    def __init__(self, order: Order) -> None:
        self.order: Final = order
        self.chances: Final = [float(face >= 0) for face in order.faces]
        self.sums: list[float] = []
        self.last: Beliefs = {}
        self._cards = 0
        self._came: tuple[int, Beliefs] = (UNKNOWN, {})
        self._face: int | None = None
        self._told: Beliefs = {}
        self._weight = 0.0

    def turn_to(self, card: int) -> None:
        if card == self._cards:
            return
        self._cards = card
        if self._face is not None:
            places = self.order.places[self._face]
            self.last = self.copies_of(self._face)
            self._came = (UNKNOWN, {})
            thought = {place: told / self._weight for place, told in self._told.items()}
            use_up(places, self.chances, thought)
        self.sums = list(accumulate(self.chances + self.chances, initial=0.0))
        self._told, self._weight = {}, 0.0

    def copies_of(self, face: int) -> Beliefs:
        """How likely each copy of the card that came is the one; not to be changed."""
        if self._came[0] != face:
            places = self.order.places[face]
            self._came = (face, copies(places, self.chances) if places else {})
        return self._came[1]

    def count_card(self, face: int | None, thought: Beliefs, wealth: float) -> None:
        self._face = face
        self._weight += wealth
        told = self._told
        for place, belief in thought.items():
            told[place] = told.get(place, 0.0) + belief * wealth


class NearGambler(Gambler):
    def __init__(self, waiting: RemainingOrder, steps: StepModel) -> None:
        super().__init__()
        self._shared: Final = waiting
        self._turns: Final = steps.turns
        reach = waiting.order.size // 2
        levels = ((1.0, 1.0), (1.0, 0.0), (1.0, 0.0)) if steps.is_even else _LEVELS
        self._windows: Final[Windows] = tuple(
            (min(reach, max(1, round(steps.mean * width))), weight / min(reach, max(1, round(steps.mean * width))))
            for width, weight in levels
        )
        self._steps: Final = _steps(waiting.order.size, self._windows)
        self._cards = 0
        self._nowhere = 1.0
        self._up: Beliefs = {}
        self._down: Beliefs = {}

    def see(self, face: int, chance: float) -> None:
        shared = self._shared
        self._cards += 1
        shared.turn_to(self._cards)
        nowhere = 1.0
        last, size, chances = shared.last, shared.order.size, shared.chances
        places = shared.order.places[face]
        up, down = [0.0] * len(places), [0.0] * len(places)
        if last:
            nowhere = self._nowhere * (1 - ENTER) + LEAVE * (1 - self._nowhere)
            entering = self._nowhere * ENTER / 2
            # Spelled out for three windows: a watch does this for each card of all tables.
            sums, steps = shared.sums, self._steps
            (near, some), (far, more), (most, rest) = self._windows
            whole = some + more + rest
            keep, turn = (1 - LEAVE) * (1 - self._turns), (1 - LEAVE) * self._turns
            for place, copy in last.items():
                was_up, was_down = self._up.get(place, 0.0), self._down.get(place, 0.0)
                upwards = keep * was_up + turn * was_down + entering * copy
                downwards = keep * was_down + turn * was_up + entering * copy
                if upwards + downwards < _FAINT:
                    continue
                ahead, back = place + 1, place + size
                above = some * sums[ahead + near] + more * sums[ahead + far] + rest * sums[ahead + most]
                above -= whole * sums[ahead]
                below = some * sums[back - near] + more * sums[back - far] + rest * sums[back - most]
                below = whole * sums[back] - below
                upwards = upwards / (above * chance) if above > _FAINT else 0.0
                downwards = downwards / (below * chance) if below > _FAINT else 0.0
                for index, there in enumerate(places):
                    dense = steps[there - place]  # a negative index closes the circle
                    if dense:
                        up[index] += upwards * dense[0]
                        down[index] += downwards * dense[1]
            for index, there in enumerate(places):
                up[index] *= chances[there]
                down[index] *= chances[there]
        total = nowhere + sum(up) + sum(down)
        self._settle(total)
        self._nowhere = nowhere = nowhere / total
        self._up = {place: belief / total for place, belief in zip(places, up, strict=True) if belief}
        self._down = {place: belief / total for place, belief in zip(places, down, strict=True) if belief}
        ups, downs = self._up, self._down
        thought = {
            place: nowhere * copy + ups.get(place, 0.0) + downs.get(place, 0.0)
            for place, copy in shared.copies_of(face).items()
        }
        shared.count_card(face, thought, self.wealth)

    def miss(self) -> None:
        self._cards += 1
        self._shared.turn_to(self._cards)
        self._shared.last = {}
        self._shared.count_card(None, {}, 1.0)
        self._nowhere = 1.0
        self._up, self._down = {}, {}


@cache
def _steps(size: int, windows: Windows) -> tuple[tuple[float, float] | None, ...]:
    """For each distance onwards in a circle, the weight of a step up and of one down; ``None``: neither reaches it."""

    def weight(away: int) -> float:
        return sum(weight for width, weight in windows if 0 < away <= width)

    found = [(weight(away), weight(size - away)) for away in range(size)]
    return tuple(one if any(one) else None for one in found)
