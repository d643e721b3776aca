"""Three-card baccarat judged a second time, from the text of 22/96/M with 219/96/M and readings T2 to T9.

Interface:
    * `combination`: 1 (three figures) to 31 (zero without figure), as in the annex; the smaller wins.
    * `points`: 0 to 9, ``None`` of three figures.
    * `seat_outcome`: ``"win"``, ``"lose"``, ``"tie"`` of a seat against the banker.
    * `net`: of any wager: ``main`` and ``tie`` need the seat's cards, the others look at the banker's alone.
    * `combination_counts` (for any number of decks), `banker_side_figures`, `seat_side_figures` (one deck; the latter
      takes about a second).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import Final, Literal

from tests.regulations.support.evaluators.deck import OTHERS, RANKS, THREES, standings

FIGURES: Final = "KQJ"
"""A ten is none (reading T3)."""
COMBINATIONS: Final = 31
PER_HAND: Final = 3
LESS_COMMISSION: Final = Fraction(95, 100)  # 10.º
THREE_FIGURES_PAY: Final = Fraction(16)  # 9.º-3
POINTS_PAY: Final = Fraction(8)  # 9.º-4
TIE_PAYS: Final = Fraction(20)  # 9.º-5
LOST: Final = Fraction(-1)
CARRIED: Final = "carried"
Carried = Literal["carried"]
Net = Fraction | Carried
Outcome = Literal["win", "lose", "tie"]
POINTS_BETS: Final = tuple(f"points_{points}" for points in range(10))
BANKER_BETS: Final = ("odd", "even", "three_figures", *POINTS_BETS)


def _figures(cards: Sequence[str]) -> int:
    return sum(card[0] in FIGURES for card in cards)


def points(cards: Sequence[str]) -> int | None:
    """The points of a hand (5.º, reading T2)."""
    if _figures(cards) == PER_HAND:
        return None
    return sum(0 if card[0] in "TJQK" else "A23456789".index(card[0]) + 1 for card in cards) % 10


def combination(cards: Sequence[str]) -> int:
    """The number of a hand in the annex."""
    if len(cards) != PER_HAND:
        raise ValueError(f"a hand has three cards, not {len(cards)}")
    total = points(cards)
    if total is None:
        return 1
    # Nine stands in lines 2, 3, 4 with two figures, one, none; each point less is three lines lower.
    return 2 + 3 * (9 - total) + (2 - _figures(cards))


def seat_outcome(seat: Sequence[str], banker: Sequence[str]) -> Outcome:
    """6.º and 7.º-1."""
    own, theirs = combination(seat), combination(banker)
    if own == theirs:
        return "tie"
    return "win" if own < theirs else "lose"


def _seat_net(bet: str, seat: Sequence[str], banker: Sequence[str]) -> Net:
    outcome = seat_outcome(seat, banker)
    if bet == "tie":
        return TIE_PAYS if outcome == "tie" else LOST
    if outcome == "tie":
        return CARRIED  # 7.º-2
    return LESS_COMMISSION if outcome == "win" else LOST


def _banker_net(bet: str, banker: Sequence[str], *, three_figures_win_zero_points: bool) -> Net:
    total = points(banker)
    if bet == "three_figures":
        return THREE_FIGURES_PAY if total is None else LOST
    if bet in POINTS_BETS:
        by_option = total is None and three_figures_win_zero_points and bet == "points_0"  # 8.º-2, reading T4
        return POINTS_PAY if by_option or bet == f"points_{total}" else LOST
    if bet not in {"odd", "even"}:
        raise ValueError(f"no such wager: {bet}")
    if total is None:
        return CARRIED  # 8.º-1
    return LESS_COMMISSION if bet == ("odd" if total % 2 else "even") else LOST


def net(
    bet: str,
    banker: Sequence[str],
    seat: Sequence[str] | None = None,
    *,
    stake: Fraction | int = 1,
    three_figures_win_zero_points: bool = False,
) -> Net:
    """The net win of a wager.

    Args:
        three_figures_win_zero_points: the option of 8.º-2.
    """
    if bet in {"main", "tie"}:
        if seat is None:
            raise ValueError(f"the wager {bet} needs the seat's cards")
        found = _seat_net(bet, seat, banker)
    else:
        found = _banker_net(bet, banker, three_figures_win_zero_points=three_figures_win_zero_points)
    return CARRIED if isinstance(found, str) else found * stake


def _ways(ranks: Sequence[str], decks: int) -> int:
    ways = 1
    for copies in Counter(ranks).values():
        ways *= comb(4 * decks, copies)
    return ways


def _hands_by_rank(decks: int) -> Iterator[tuple[tuple[str, ...], int]]:
    for ranks in combinations_with_replacement(RANKS, PER_HAND):
        yield ranks, _ways(ranks, decks)


def combination_counts(decks: int = 1) -> dict[int, int]:
    """How many of the hands that the decks can give are of each combination of the annex."""
    counts = dict.fromkeys(range(1, COMBINATIONS + 1), 0)
    for ranks, ways in _hands_by_rank(decks):
        counts[combination(ranks)] += ways
    return counts


@dataclass(frozen=True, slots=True)
class Figures:
    """The probabilities of a wager and its mean net.

    Attributes:
        per_round: mean net of a wager of 1 in a round, a carried one counted 0.
    """

    win: Fraction
    lose: Fraction
    carried: Fraction
    per_round: Fraction

    @property
    def per_decision(self) -> Fraction:
        return self.per_round / (1 - self.carried)


def _figures_of(nets: Counter[Net]) -> Figures:
    hands = nets.total()
    amounts = {amount: ways for amount, ways in nets.items() if isinstance(amount, Fraction)}
    return Figures(
        win=Fraction(sum(ways for amount, ways in amounts.items() if amount > 0), hands),
        lose=Fraction(sum(ways for amount, ways in amounts.items() if amount < 0), hands),
        carried=Fraction(nets[CARRIED], hands),
        per_round=sum((amount * ways for amount, ways in amounts.items()), Fraction(0)) / hands,
    )


def banker_side_figures(*, three_figures_win_zero_points: bool = False, decks: int = 1) -> dict[str, Figures]:
    """The exact figures of the wagers on the banker's hand."""
    found: dict[str, Figures] = {}
    for bet in BANKER_BETS:
        nets: Counter[Net] = Counter()
        for ranks, ways in _hands_by_rank(decks):
            nets[net(bet, ranks, three_figures_win_zero_points=three_figures_win_zero_points)] += ways
        found[bet] = _figures_of(nets)
    return found


@lru_cache(maxsize=1)
def seat_side_figures() -> dict[str, Figures]:
    """The exact figures of ``main`` and ``tie`` with one deck, over all pairs of hands."""
    main: Counter[Net] = Counter()
    tie: Counter[Net] = Counter()
    for standing in standings(combination, range(COMBINATIONS, 0, -1)):
        main.update({LESS_COMMISSION: standing.lower, CARRIED: standing.equal, LOST: standing.higher})
        tie.update({TIE_PAYS: standing.equal, LOST: standing.lower + standing.higher})
    if main.total() != len(THREES) * OTHERS:
        raise AssertionError("pairs of hands were lost in counting")
    return {"main": _figures_of(main), "tie": _figures_of(tie)}
