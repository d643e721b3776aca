"""Q poker judged a second time, from the text of arts. 4.º, 8.º, 9.º, 10.º of 89/2004 and readings Q1 to Q5.

Interface:
    * `category`: ``"straight_flush"`` … ``"odd_cards"``, as in the table log.
    * `order`: a key; of two hands the greater key wins. Two hands of one deck that lie side by side never share a key
      (hands that do share one have a card in common: a test shows it for all).
    * `qualifies`: may the croupier play.
    * `ante_outcome`, `ante_net`: of an ``ante`` that was played or folded. A folded one needs no croupier's hand.
    * `pair_plus_net`: of a ``pair_plus``.
    * `category_counts`, `qualifying_hands`, `pair_plus_expectation`: over the 22 100 hands. `ante_figures`: over all
      407 170 400 ordered pairs of hands, by counting; a second or two.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal

from tests.regulations.support.evaluators.deck import OTHERS, THREES, Three, standings

Category = Literal["straight_flush", "three_of_a_kind", "straight", "flush", "pair", "odd_cards"]
Decision = Literal["play", "fold"]
Outcome = Literal["win", "lose", "folded", "not_qualified"]

CATEGORIES: Final[tuple[Category, ...]] = (
    "odd_cards",
    "pair",
    "flush",
    "straight",
    "three_of_a_kind",
    "straight_flush",
)
"""8.º, the lowest first."""
FACES: Final = "23456789TJQKA"
"""4.º-2, the lowest first."""
SUITS_UPWARDS: Final = "DCHS"
"""4.º-1, the lowest first."""
SEQUENCES: Final = ("32A", "432", "543", "654", "765", "876", "987", "T98", "JT9", "QJT", "KQJ", "AKQ")
"""4.º-3, the lowest first, each written from its top card down: of the ace, 2 and 3 that is the 3 (reading Q3)."""
HALF: Final = Fraction(1, 2)
ANTE_PAYS: Final[dict[Category, Fraction]] = {  # 9.º-7
    "straight_flush": Fraction(3),
    "three_of_a_kind": Fraction(2),
    "straight": Fraction(3, 2),
    "flush": Fraction(1),
    "pair": Fraction(1),
    "odd_cards": Fraction(1),
}
PAIR_PLUS_PAYS: Final[dict[Category, Fraction]] = {  # 10.º, 9.º-1
    "straight_flush": Fraction(40),
    "three_of_a_kind": Fraction(30),
    "straight": Fraction(6),
    "flush": Fraction(4),
    "pair": Fraction(1),
    "odd_cards": Fraction(-1),
}


def _downwards(cards: Sequence[str]) -> list[str]:
    ordered = sorted(cards, key=lambda card: FACES.index(card[0]), reverse=True)
    if _faces(ordered) == "A32":
        return [*ordered[1:], ordered[0]]
    return ordered


def _faces(cards: Sequence[str]) -> str:
    return "".join(card[0] for card in cards)


def category(cards: Sequence[str]) -> Category:
    """The combination of three cards (8.º)."""
    first, second, third = _downwards(cards)
    different = len({first[0], second[0], third[0]})
    if different == 1:
        return "three_of_a_kind"
    if different == 2:
        return "pair"
    of_one_suit = first[1] == second[1] == third[1]
    if _faces((first, second, third)) in SEQUENCES:
        return "straight_flush" if of_one_suit else "straight"
    return "flush" if of_one_suit else "odd_cards"


def order(cards: Sequence[str]) -> tuple[int, ...]:
    """The place of a hand among all hands; the greater wins (8.º, readings Q3 to Q5)."""
    kind = category(cards)
    ordered = _downwards(cards)
    faces = [FACES.index(card[0]) for card in ordered]
    suits = [SUITS_UPWARDS.index(card[1]) for card in ordered]
    own: tuple[int, ...]
    match kind:
        case "straight_flush" | "straight":
            own = (SEQUENCES.index(_faces(ordered)), suits[0])
        case "three_of_a_kind":
            own = (faces[0],)
        case "flush" | "odd_cards":
            own = (*faces, suits[0])
        case "pair":
            odd = next(index for index in range(3) if faces.count(faces[index]) == 1)
            own = (faces[1], faces[odd], suits[odd])  # the middle one of three always belongs to the pair
    return (CATEGORIES.index(kind), *own)


def qualifies(cards: Sequence[str]) -> bool:
    """9.º-4 and reading Q1."""
    return category(cards) != "odd_cards" or _downwards(cards)[0][0] in "QKA"


def ante_outcome(player: Sequence[str], croupier: Sequence[str] | None, decision: Decision) -> Outcome:
    """The outcome of an ante, in the words of the table log (9.º-3 to 9.º-7).

    Raises:
        ValueError: an ante was played, but the croupier's hand is missing, or the hands are equal.
    """
    if decision == "fold":
        return "folded"
    if croupier is None:
        raise ValueError("the croupier's hand is needed")
    if not qualifies(croupier):
        return "not_qualified"
    own, theirs = order(player), order(croupier)
    if own == theirs:
        raise ValueError("these hands cannot come from one deck")
    return "win" if own > theirs else "lose"


def ante_net(
    player: Sequence[str], croupier: Sequence[str] | None, decision: Decision, stake: Fraction | int = 1
) -> Fraction:
    match ante_outcome(player, croupier, decision):
        case "folded":
            return -HALF * stake
        case "not_qualified":
            return HALF * stake
        case "lose":
            return Fraction(-1) * stake
        case "win":
            return ANTE_PAYS[category(player)] * stake


def pair_plus_net(player: Sequence[str], stake: Fraction | int = 1) -> Fraction:
    """The net of a wager on pair and winning combinations (9.º-1, 10.º); the croupier's hand says nothing about it."""
    return PAIR_PLUS_PAYS[category(player)] * stake


def category_counts() -> dict[Category, int]:
    """How many of the 22 100 hands are of each category."""
    found = Counter(map(category, THREES))
    return {kind: found[kind] for kind in CATEGORIES}


def qualifying_hands() -> int:
    """How many of the 22 100 hands let the croupier play."""
    return sum(map(qualifies, THREES))


def pair_plus_expectation() -> Fraction:
    """The mean net of a ``pair_plus`` of 1."""
    return sum(map(pair_plus_net, THREES), Fraction(0)) / len(THREES)


@dataclass(frozen=True, slots=True)
class AnteFigures:
    """The mean net of an ante of 1 under three strategies, the croupier's hand from the 49 cards not seen.

    Attributes:
        always_play: never folds.
        best_folds: how many of the 22 100 hands ``best`` folds.
    """

    always_play: Fraction
    queen_high: Fraction
    best: Fraction
    best_folds: int
    best_lowest_played: Three
    best_is_a_threshold: bool


@lru_cache(maxsize=1)
def ante_figures() -> AnteFigures:
    """The exact figures of the ante."""
    ordered = sorted({order(hand) for hand in THREES})
    played: list[tuple[Three, Fraction]] = []
    for standing in standings(order, ordered, qualifies):
        unqualified = OTHERS - standing.lower - standing.equal - standing.higher
        net = ANTE_PAYS[category(standing.cards)] * standing.lower + HALF * unqualified - standing.higher
        played.append((standing.cards, net / OTHERS))
    hands = len(played)
    folds = [net < -HALF for _, net in played]
    return AnteFigures(
        always_play=sum((net for _, net in played), Fraction(0)) / hands,
        queen_high=sum((net if qualifies(hand) else -HALF for hand, net in played), Fraction(0)) / hands,
        best=sum((max(net, -HALF) for _, net in played), Fraction(0)) / hands,
        best_folds=sum(folds),
        best_lowest_played=played[folds.index(False)][0],
        best_is_a_threshold=not any(folds[folds.index(False) :]),
    )
