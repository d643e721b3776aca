"""Casino war rounds and exact odds (74/2005 arts. 4.º, 5.º, 7.º)."""

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar, Final

from cardshoe.cli.campaign.games.played_game import Odds, PlayedGame, RoundRead, WagerRead, by_rank, rank_odds
from regulations.events.cards import Card

RANKS: Final = "23456789TJQKA"
ANTES: Final = (1, 2)
"""Seats with a choice on equal cards; seat 3 with a tie wager has none (reading W2)."""
WITH_TIE: Final = 3
BURNED: Final = 3
UNITS: Final = {"win": 1, "lose": -1, "war win": 1, "war tie": 2, "war lose": -2}
"""Net units of an ante (reading W1)."""


class CasinoWar(PlayedGame):
    game = "casino_war"
    decks = 1
    behind = 12
    rounds = 2
    wagers = ((1, "ante"), (2, "ante"), (3, "ante"), (3, "tie"))
    strategies: ClassVar[tuple[str, ...]] = ("challenge", "surrender")

    def read(self, cards: Sequence[Card], strategy: str) -> RoundRead:
        dealt, house = cards[:WITH_TIE], cards[WITH_TIE]
        tied = [seat for seat in ANTES if dealt[seat - 1][0] == house[0]]
        taken = WITH_TIE + 1
        at_war: dict[int, Card] = {}
        answer = house
        if tied and strategy == "challenge":
            for seat in tied:
                at_war[seat] = cards[taken + BURNED]
                taken += BURNED + 1
            answer = cards[taken + BURNED]
            taken += BURNED + 1
        wagers: list[WagerRead] = []
        for seat in ANTES:
            if seat not in tied:
                cell = "win" if _above(dealt[seat - 1], house) else "lose"
            elif seat in at_war:
                mine = at_war[seat]
                cell = "war tie" if mine[0] == answer[0] else "war win" if _above(mine, answer) else "war lose"
            else:
                cell = "surrendered"
            wagers.append(WagerRead(seat, "ante", cell, Fraction(UNITS.get(cell, Fraction(-1, 2)))))
        last = dealt[WITH_TIE - 1]
        is_tie = last[0] == house[0]
        cell = "stands" if is_tie else "win" if _above(last, house) else "lose"
        wagers.append(WagerRead(WITH_TIE, "ante", f"{cell} beside a tie wager", Fraction(UNITS.get(cell, 0))))
        wagers.append(WagerRead(WITH_TIE, "tie", "tie" if is_tie else "no tie", Fraction(10 if is_tie else -1)))
        cells = [one.cell for one in wagers[: len(ANTES)]] + (["tie"] if is_tie else [])
        return RoundRead(
            taken, [*cells, *by_rank(house)], wagers, {(seat, 1): [strategy] for seat in tied}, f"{len(tied)} tied"
        )

    def odds(self, strategy: str) -> Odds:
        # Which seat: any two cards of a deck are as good as any two others.
        tie = Fraction(3, 51)
        # Of the 50 cards behind a tie, 12 ranks have four cards and one has two.
        again = Fraction(12 * 6 + 1, 50 * 49 // 2)
        war = {"war win": (1 - again) / 2, "war tie": again, "war lose": (1 - again) / 2}
        chances = {"win": (1 - tie) / 2, "lose": (1 - tie) / 2}
        if strategy == "challenge":
            chances |= {cell: tie * chance for cell, chance in war.items()}
            net = sum(chance * UNITS[cell] for cell, chance in chances.items())
        else:
            chances["surrendered"] = tie
            net = -tie / 2
        both = {cell: len(ANTES) * chance for cell, chance in chances.items()}
        return {**both, "tie": tie, **rank_odds(1), "net ante": len(ANTES) * net}


def _above(card: Card, other: Card) -> bool:
    return RANKS.index(card[0]) > RANKS.index(other[0])
