"""The exact value of a blackjack strategy, without replacement.

Seats decide by their own cards and the open one, so draws of other hands change no chance.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from cardshoe.cli.campaign.games.blackjack_strategies import STRATEGIES, DecidingHand

VALUES: Final = range(1, 11)
ACE: Final = 1
TEN: Final = 10
BUST: Final = 22
BLACKJACK: Final = 23
HOUSE_STANDS: Final = 17
TWENTY_ONE: Final = 21
ONE_SUIT: Final = 1 / 16
"""Chance that three cards of different ranks are suited."""
SPECIAL_PAYS: Final = 3.0

Pips = tuple[int, ...]


@cache
def value_of(decks: int, strategy: str) -> float:
    """Mean net of a round, in units of the main wager."""
    copies = _copies(decks)
    total = sum(copies)
    value = 0.0
    for up in VALUES:
        value += copies[up] / total * value_against(decks, strategy, up)
    return value


def value_against(decks: int, strategy: str, up: int) -> float:
    copies = _copies(decks)
    return _Table(copies, up, STRATEGIES[strategy]).value()


def _copies(decks: int) -> list[int]:
    return [0, *(4 * decks for _ in VALUES[:-1]), 16 * decks]


class _Table:
    def __init__(self, copies: Sequence[int], up: int, choose: Callable[[DecidingHand], str]) -> None:
        self._copies: Final = list(copies)
        self._copies[up] -= 1
        self._total: Final = sum(self._copies)
        self._up: Final = up
        self._choose: Final = choose
        self._house: Final = _house_hands(up)
        self._ends: dict[Pips, list[float]] = {}

    def value(self) -> float:
        copies, total, value = self._copies, self._total, 0.0
        for one in VALUES:
            for other in VALUES[one - 1 :]:
                if one == other:
                    chance = copies[one] * (copies[one] - 1) / (total * (total - 1))
                else:
                    chance = 2 * copies[one] * copies[other] / (total * (total - 1))
                value += chance * self._of_two(one, other)
        return value

    def _of_two(self, one: int, other: int) -> float:
        if (one, other) == (ACE, TEN):
            return 1.5 * (1 - self._end(tuple(sorted((one, other))))[BLACKJACK])
        # A ten-valued pair may be of two ranks: no strategy here splits it.
        hand = DecidingHand((one, other), self._up, is_pair=one == other != TEN)
        if self._choose(hand) != "split":
            return self._of_hand(hand.pips, {}, unseen=())
        # Each hand of a split begins with one card of the pair; the other one is out.
        known: dict[Pips, float] = {}
        left = self._total - 2
        return 2 * sum(
            (self._copies[value] - 2 * (value == one)) / left
            * self._of_hand(tuple(sorted((one, value))), known, unseen=(one,))
            for value in VALUES
        )  # fmt: skip

    def _of_hand(self, pips: Pips, known: dict[Pips, float], unseen: Pips) -> float:
        found = known.get(pips)
        if found is None:
            found = known[pips] = self._decided(pips, known, unseen)
        return found

    def _decided(self, pips: Pips, known: dict[Pips, float], unseen: Pips) -> float:
        if pips == (7, 7, 7):
            return SPECIAL_PAYS
        if pips == (6, 7, 8):
            return ONE_SUIT * SPECIAL_PAYS + (1 - ONE_SUIT) * self._stood(pips, unseen)
        if sum(pips) > TWENTY_ONE:
            return -1.0
        hand = DecidingHand(pips, self._up, is_split=bool(unseen))
        ends = hand.points == TWENTY_ONE or (unseen == (ACE,) and len(pips) > 1)
        wish = "stand" if ends else self._choose(hand)
        match wish:
            case "stand":
                return self._stood(pips, unseen)
            case "surrender":
                return -0.5
            case "half_pay":
                return 0.5
            case "double":
                return 2 * self._drawn(pips, unseen, lambda more: self._last(more, unseen))
            case _:
                return self._drawn(pips, unseen, lambda more: self._of_hand(more, known, unseen))

    def _drawn(self, pips: Pips, unseen: Pips, value: Callable[[Pips], float]) -> float:
        out = Counter((*pips, *unseen))
        left = self._total - len(pips) - len(unseen)
        return sum((self._copies[one] - out[one]) / left * value(tuple(sorted((*pips, one)))) for one in VALUES)

    def _last(self, pips: Pips, unseen: Pips) -> float:
        if sum(pips) > TWENTY_ONE:
            return -1.0
        return self._stood(pips, unseen)

    def _stood(self, pips: Pips, unseen: Pips) -> float:
        points = DecidingHand(pips, self._up).points
        ends = self._end(tuple(sorted((*pips, *unseen))))
        won = ends[BUST] + sum(ends[HOUSE_STANDS:points])
        lost = ends[BLACKJACK] + sum(ends[max(points + 1, HOUSE_STANDS) : BUST])
        return won - lost

    def _end(self, out: Pips) -> list[float]:
        found = self._ends.get(out)
        if found is None:
            copies = list(self._copies)
            for value in out:
                copies[value] -= 1
            found = self._ends[out] = [0.0] * (BLACKJACK + 1)
            left = self._total - len(out)
            for end, counts, ways, size in self._house:
                chance = float(ways)
                for value, count in counts:
                    have = copies[value]
                    for taken in range(count):
                        chance *= have - taken
                for taken in range(size):
                    chance /= left - taken
                found[end] += chance
            found[BUST] = 1 - sum(found)
        return found


@cache
def _house_hands(up: int) -> list[tuple[int, tuple[tuple[int, int], ...], int, int]]:
    found: Counter[tuple[int, Pips]] = Counter()

    def draw(cards: Pips) -> None:
        low = sum(cards)
        points = low + 10 if low <= 11 and ACE in cards else low  # noqa: PLR2004  # an ace counts 11
        if len(cards) > 1 and points >= HOUSE_STANDS:
            if points <= TWENTY_ONE:
                is_blackjack = len(cards) == 2 and points == TWENTY_ONE  # noqa: PLR2004  # art. 10.º-1
                found[BLACKJACK if is_blackjack else points, tuple(sorted(cards[1:]))] += 1
            return
        for value in VALUES:
            draw((*cards, value))

    draw((up,))
    return [(end, tuple(Counter(cards).items()), ways, len(cards)) for (end, cards), ways in found.items()]
