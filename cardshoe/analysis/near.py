"""The gambler who bets that the next card lay near the last one.

A shuffle onto ``m`` shelves puts a card beside one that lay 1 to about 6 ``m`` cards away.
"""

from itertools import accumulate
from typing import Final, NamedTuple

from cardshoe.analysis.gamblers import Beliefs, Gambler, copies, use_up
from cardshoe.analysis.order import Order

ENTER: Final = 1 / 40
LEAVE: Final = 1 / 60
_FAINT: Final = 1e-7
_LEVELS: Final = ((0.6, 0.3), (1.6, 0.4), (3.5, 0.3))

Windows = tuple[tuple[int, float], ...]


class StepModel(NamedTuple):
    """How far apart neighbours lay in the old order.

    Attributes:
        turns: the chance, a card, that the direction changes, 0 to 1.
    """

    mean: int
    turns: float
    is_even: bool = False


class RemainingOrder:
    """The cards of an old order that have not come yet, as several gamblers think together."""

    def __init__(self, order: Order) -> None:
        self.order: Final = order
        self.chances: Final = [float(face >= 0) for face in order.faces]
        """How likely the card of each place has not come yet."""
        self.sums: list[float] = []
        """Their sums up to each place, twice around."""
        self.last: Beliefs = {}
        """How likely each copy of the last card is the one that came, if nothing but ``chances`` tells."""
        self._cards = 0
        self._face: int | None = None
        self._told: Beliefs = {}
        self._weight = 0.0

    def turn_to(self, card: int) -> None:
        """Begin with a card, unless that was done.

        Args:
            card: its number, from 1.
        """
        if card == self._cards:
            return
        self._cards = card
        if self._face is not None:
            places = self.order.places[self._face]
            self.last = copies(places, self.chances) if places else {}
            thought = {place: told / self._weight for place, told in self._told.items()}
            use_up(places, self.chances, thought)
        self.sums = list(accumulate(self.chances + self.chances, initial=0.0))
        self._told, self._weight = {}, 0.0

    def count_card(self, face: int | None, thought: Beliefs, wealth: float) -> None:
        """Take what a gambler thinks of a card.

        Args:
            face: of the card; ``None``: it was not seen.
        """
        self._face = face
        self._weight += wealth
        told = self._told
        for place, belief in thought.items():
            told[place] = told.get(place, 0.0) + belief * wealth


class NearGambler(Gambler):
    """Bets on the cards that lay within some steps of the last one and have not come yet."""

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
        longest = self._windows[-1][0]
        self._density: Final = [0.0] + [
            sum(weight for width, weight in self._windows if step <= width) for step in range(1, longest + 1)
        ]
        self._cards = 0
        self._nowhere = 1.0
        self._up: Beliefs = {}
        self._down: Beliefs = {}

    def see(self, face: int, chance: float) -> None:
        shared = self._shared
        self._cards += 1
        shared.turn_to(self._cards)
        up: Beliefs = {}
        down: Beliefs = {}
        nowhere = 1.0
        last, size, chances = shared.last, shared.order.size, shared.chances
        places = shared.order.places[face]
        if last:
            nowhere = self._nowhere * (1 - ENTER) + LEAVE * (1 - self._nowhere)
            entering = self._nowhere * ENTER / 2
            # Spelled out for three windows: a watch does this for each card of all tables.
            sums, density = shared.sums, self._density
            (near, some), (far, more), (most, rest) = self._windows
            whole = some + more + rest
            longest = len(density)
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
                for there in places:
                    away = (there - place) % size
                    if away < longest:
                        up[there] = up.get(there, 0.0) + upwards * density[away] * chances[there]
                    if size - away < longest:
                        down[there] = down.get(there, 0.0) + downwards * density[size - away] * chances[there]
        total = nowhere + sum(up.values()) + sum(down.values())
        self._settle(total)
        self._nowhere = nowhere / total
        self._up = {place: belief / total for place, belief in up.items()}
        self._down = {place: belief / total for place, belief in down.items()}
        thought = copies(places, chances) if places else {}
        for place, copy in thought.items():
            thought[place] = self._nowhere * copy + self._up.get(place, 0.0) + self._down.get(place, 0.0)
        shared.count_card(face, thought, self.wealth)

    def miss(self) -> None:
        self._cards += 1
        self._shared.turn_to(self._cards)
        self._shared.last = {}
        self._shared.count_card(None, {}, 1.0)
        self._nowhere = 1.0
        self._up, self._down = {}, {}
