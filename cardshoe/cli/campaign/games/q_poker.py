"""Q poker rounds and exact odds (89/2004 arts. 4.º, 7.º to 10.º)."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import ClassVar, Final, NamedTuple

from cardshoe.cli.campaign.games.played_game import Odds, PlayedGame, RoundRead, WagerRead, by_rank, rank_odds
from regulations.events.cards import DECK, Card

RANKS: Final = "23456789TJQKA"
SUITS: Final = "DCHS"
CATEGORIES: Final = ("odd cards", "pair", "flush", "straight", "three of a kind", "straight flush")
"""Art. 8.º, the lowest first."""
PAIR_PLUS: Final = (-1, 1, 4, 6, 30, 40)
HIGHER: Final = (Fraction(1), Fraction(1), Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3))
"""Net units of a higher hand, by category (art. 9.º-7)."""
FOLDED: Final = Fraction(-1, 2)
NOT_QUALIFIED: Final = Fraction(1, 2)
QUEEN: Final = RANKS.index("Q")
SEATS: Final = (1, 2)


class HandRead(NamedTuple):
    category: int
    tie_break: tuple[int, ...]

    @property
    def plays(self) -> bool:
        """True if queen-high or better (reading Q1)."""
        return self.category > 0 or self.tie_break[0] >= QUEEN


def hand_read(cards: Sequence[Card]) -> HandRead:
    """The value of three cards (arts. 4.º, 8.º, readings Q3 to Q5)."""
    ordered = sorted(cards, key=lambda card: RANKS.index(card[0]), reverse=True)
    ranks = [RANKS.index(card[0]) for card in ordered]
    suits = [SUITS.index(card[1]) for card in ordered]
    high, middle, low = ranks
    if high == low:
        return HandRead(4, (high,))
    if middle in (high, low):
        odd = 0 if middle == low else 2
        return HandRead(1, (middle, ranks[odd], suits[odd]))
    is_flush = len(set(suits)) == 1
    is_low = ranks == [RANKS.index("A"), 1, 0]
    if is_low or high - low == len(cards) - 1:
        return HandRead(5 if is_flush else 3, (ranks[is_low], suits[is_low]))
    return HandRead(2 if is_flush else 0, (*ranks, suits[0]))


def _played(hand: HandRead, strategy: str) -> bool:
    return strategy == "always_play" or hand.plays


class QPoker(PlayedGame):
    """One deck and one round per shuffle; two seats with ante and pair plus."""

    game = "q_poker"
    decks = 1
    behind = 0
    cut_by = "croupier"
    rounds = 1
    wagers = tuple((seat, bet) for seat in SEATS for bet in ("ante", "pair_plus"))
    strategies: ClassVar[tuple[str, ...]] = ("queen_high", "always_play")

    def read(self, cards: Sequence[Card], strategy: str) -> RoundRead:
        hands = [hand_read(cards[at:9:3]) for at in range(3)]
        house = hands.pop()
        wagers: list[WagerRead] = []
        decisions: dict[tuple[int, int], list[str]] = {}
        cells: list[str] = []
        for seat, hand in zip(SEATS, hands, strict=True):
            category = CATEGORIES[hand.category]
            cell, units = _ante(hand, house, strategy)
            decisions[seat, 1] = ["fold" if cell == "folded" else "play"]
            wagers.append(WagerRead(seat, "ante", cell, units))
            wagers.append(WagerRead(seat, "pair_plus", category, Fraction(PAIR_PLUS[hand.category])))
            cells += [category, cell.partition(" with ")[0]]
        return RoundRead(9, [*cells, *by_rank(cards[0])], wagers, decisions, "two seats and the croupier")

    def odds(self, strategy: str) -> Odds:
        both = {cell: len(SEATS) * chance for cell, chance in _odds(strategy).items()}
        return {**both, **rank_odds(1)}


def _ante(hand: HandRead, house: HandRead, strategy: str) -> tuple[str, Fraction]:
    if not _played(hand, strategy):
        return "folded", FOLDED
    if not house.plays:
        return "not qualified", NOT_QUALIFIED
    if hand < house:
        return "lose", Fraction(-1)
    return f"win with {CATEGORIES[hand.category]}", HIGHER[hand.category]


@cache
def _odds(strategy: str) -> dict[str, Fraction]:
    hands = sorted((hand_read(cards), cards) for cards in combinations(DECK, 3))
    lower_playing, playing = _CountedHands(), _CountedHands()
    for hand, cards in hands:
        if hand.plays:
            playing.add(cards)
    others, pairs = comb(49, 3), comb(52, 3) * comb(49, 3)
    found: Counter[str] = Counter()
    net = Fraction(0)
    for hand, cards in hands:
        found[CATEGORIES[hand.category]] += others
        if not _played(hand, strategy):
            found["folded"] += others
            net += FOLDED * others
        else:
            qualified, lower = playing.apart_from(cards), lower_playing.apart_from(cards)
            found["not qualified"] += others - qualified
            found["win"] += lower
            found["lose"] += qualified - lower
            net += NOT_QUALIFIED * (others - qualified) + HIGHER[hand.category] * lower - (qualified - lower)
        if hand.plays:
            lower_playing.add(cards)
    return {**{cell: Fraction(count, pairs) for cell, count in found.items()}, "net ante": net / pairs}


class _CountedHands:
    def __init__(self) -> None:
        self._hands: Final[Counter[tuple[Card, ...]]] = Counter()

    def add(self, cards: tuple[Card, ...]) -> None:
        for size in range(4):
            self._hands.update(combinations(cards, size))

    def apart_from(self, cards: tuple[Card, ...]) -> int:
        return sum((-1) ** size * self._hands[part] for size in range(4) for part in combinations(cards, size))
