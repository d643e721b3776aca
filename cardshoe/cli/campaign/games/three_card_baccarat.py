"""Three-card baccarat rounds and exact odds (22/96/M arts. 5.º to 10.º, annex)."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import Final

from cardshoe.cli.campaign.games.played_game import Odds, PlayedGame, RoundRead, WagerRead, by_rank, pip, rank_odds
from regulations.events.cards import Card

FIGURES: Final = "JQK"
THREE_FIGURES: Final = (10, 3)
POINTS: Final = range(10)
LESS_FIVE: Final = Fraction(19, 20)
FIGURE: Final = 0
TEN: Final = 10

Height = tuple[int, int]
"""Points, then figures; higher wins."""


def height(points: int, figures: int) -> Height:
    return THREE_FIGURES if figures == len(FIGURES) else (points % 10, figures)


def _height_of(cards: Sequence[Card]) -> Height:
    return height(sum(map(pip, cards)), sum(card[0] in FIGURES for card in cards))


class ThreeCardBaccarat(PlayedGame):
    game = "three_card_baccarat"
    behind = 40
    rounds = 53
    wagers = tuple(
        (1, bet) for bet in ("main", "tie", "odd", "even", "three_figures", *(f"points_{n}" for n in POINTS))
    )

    def read(self, cards: Sequence[Card], strategy: str) -> RoundRead:  # noqa: ARG002  # there is nothing to decide
        mine, bank = _height_of(cards[0:6:2]), _height_of(cards[1:6:2])
        main = "tie" if mine == bank else "win" if mine > bank else "lose"
        points = None if bank == THREE_FIGURES else bank[0]
        house = "three figures" if points is None else f"{points} points"
        due = {
            "main": {"tie": Fraction(0), "win": LESS_FIVE}.get(main, Fraction(-1)),
            "tie": Fraction(20 if main == "tie" else -1),
            "three_figures": Fraction(16 if points is None else -1),
            **{f"points_{n}": Fraction(8 if points == n else -1) for n in POINTS},
        }
        for bet, rest in (("even", 0), ("odd", 1)):
            due[bet] = Fraction(0) if points is None else LESS_FIVE if points % 2 == rest else Fraction(-1)
        wagers = [WagerRead(1, bet, main if bet in ("main", "tie") else house, due[bet]) for _, bet in self.wagers]
        return RoundRead(6, [main, house, *by_rank(cards[0])], wagers, {}, "a seat and the banker")

    def odds(self, strategy: str) -> Odds:  # noqa: ARG002  # there is nothing to decide
        return {**_odds(self.decks), **rank_odds(1)}


@cache
def _odds(decks: int) -> dict[str, Fraction]:
    copies = [12 * decks] + [4 * decks] * 10
    hands: list[tuple[Height, dict[int, int], int]] = []
    for kinds in combinations_with_replacement(range(11), 3):
        counts = {kind: kinds.count(kind) for kind in kinds}
        ways = 1
        for kind, count in counts.items():
            ways *= comb(copies[kind], count)
        figures = counts.get(FIGURE, 0)
        hands.append((height(sum(kind % TEN for kind in kinds), figures), counts, ways))
    all_ways = comb(52 * decks, 3)
    found: dict[str, Fraction] = dict.fromkeys(
        ("win", "lose", "tie", "three figures", *(f"{n} points" for n in POINTS)), Fraction(0)
    )
    tied = 0
    for bank, taken, ways in hands:
        house = "three figures" if bank == THREE_FIGURES else f"{bank[0]} points"
        found[house] += Fraction(ways, all_ways)
        for mine, counts, _ in hands:
            if mine == bank:
                both = ways
                for kind, count in counts.items():
                    both *= comb(copies[kind] - taken.get(kind, 0), count)
                tied += both
    found["tie"] = Fraction(tied, all_ways * comb(52 * decks - 3, 3))
    found["win"] = found["lose"] = (1 - found["tie"]) / 2
    return {**found, "net main": (LESS_FIVE - 1) * found["win"]}
