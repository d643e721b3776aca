"""Baccarat rounds and exact odds (55/2004 arts. 8.º, 9.º, 12.º, 13.º, 17.º, 18.º)."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm
from typing import Final, NamedTuple

from cardshoe.cli.campaign.games.played_game import Odds, PlayedGame, RoundRead, WagerRead, by_rank, pip, rank_odds
from regulations.events.cards import Card

NATURAL: Final = 8
PLAYER_STANDS: Final = 6
BANKER_DRAWS: Final[dict[int, range | tuple[int, ...]]] = {
    0: range(10),
    1: range(10),
    2: range(10),
    3: (0, 1, 2, 3, 4, 5, 6, 7, 9),
    4: range(2, 8),
    5: range(4, 8),
    6: range(6, 8),
    7: (),
}
_VALUES: Final = range(10)


class RoundWays(NamedTuple):
    outcome: str
    cards: int
    banker: int
    ways: int


class Baccarat(PlayedGame):
    game = "baccarat"
    behind = 14
    rounds = 60
    wagers = ((1, "player"), (1, "player_pair"), (2, "banker"), (2, "banker_pair"), (3, "tie"))

    def read(self, cards: Sequence[Card], strategy: str) -> RoundRead:  # noqa: ARG002  # there is nothing to decide
        player, banker = [cards[0], cards[2]], [cards[1], cards[3]]
        ours, theirs = _points(player), _points(banker)
        way = f"a natural of {max(ours, theirs)}"
        if max(ours, theirs) < NATURAL:
            third = None
            if ours < PLAYER_STANDS:
                player.append(cards[4])
                third = pip(cards[4]) % 10
            has_drawn = draws(theirs, third)
            if has_drawn:
                banker.append(cards[len(player) + 2])
            does = "draws" if has_drawn else "stands"
            way = f"the banker {does} on {theirs} after the player's {'-' if third is None else third}"
        outcome = _outcome(_points(player), _points(banker))
        taken = len(player) + len(banker)
        pairs = {side: hand[0][0] == hand[1][0] for side, hand in (("player", player), ("banker", banker))}
        wagers = []
        for seat, bet in self.wagers:
            side, _, is_pair = bet.partition("_")
            cell = ("pair" if pairs[side] else "no pair") if is_pair else outcome
            wagers.append(WagerRead(seat, bet, cell, pays(bet, cell) or Fraction(0)))
        cells = [outcome, f"{taken} cards", *(f"{side} pair" for side, has in pairs.items() if has)]
        return RoundRead(taken, [*cells, *by_rank(*cards[:2])], wagers, {}, way)

    def odds(self, strategy: str) -> Odds:  # noqa: ARG002  # there is nothing to decide
        return {**odds(self.decks), **rank_odds(2)}


def _points(hand: Sequence[Card]) -> int:
    return sum(map(pip, hand)) % 10


def draws(banker: int, third: int | None) -> bool:
    return banker < PLAYER_STANDS if third is None else third in BANKER_DRAWS[banker]


def _rounds(decks: int) -> Iterator[RoundWays]:
    copies = [16 * decks] + [4 * decks] * 9
    stack = 52 * decks
    for values in product(_VALUES, repeat=4):
        left, ways = list(copies), 1
        for value in values:
            ways *= left[value]
            left[value] -= 1
        player, banker = (values[0] + values[2]) % 10, (values[1] + values[3]) % 10
        rest = perm(stack - 4, 2)
        if max(player, banker) >= NATURAL:
            yield RoundWays(_outcome(player, banker), 4, banker, ways * rest)
            continue
        if player >= PLAYER_STANDS:
            if not draws(banker, None):
                yield RoundWays(_outcome(player, banker), 4, banker, ways * rest)
                continue
            for card in _VALUES:
                total = (banker + card) % 10
                yield RoundWays(_outcome(player, total), 5, total, ways * left[card] * (stack - 5))
            continue
        for third in _VALUES:
            after, so_far = (player + third) % 10, ways * left[third]
            left[third] -= 1
            if draws(banker, third):
                for card in _VALUES:
                    total = (banker + card) % 10
                    yield RoundWays(_outcome(after, total), 6, total, so_far * left[card])
            else:
                yield RoundWays(_outcome(after, banker), 5, banker, so_far * (stack - 5))
            left[third] += 1


def _outcome(player: int, banker: int) -> str:
    return "tie" if player == banker else "player" if player > banker else "banker"


@cache
def odds(decks: int) -> dict[str, Fraction]:
    all_ways = perm(52 * decks, 6)
    found: dict[str, int] = {}
    for one in _rounds(decks):
        for cell in (one.outcome, f"{one.cards} cards"):
            found[cell] = found.get(cell, 0) + one.ways
    chances = {cell: Fraction(ways, all_ways) for cell, ways in found.items()}
    pair = Fraction(4 * decks - 1, 52 * decks - 1)
    return {**chances, "player pair": pair, "banker pair": pair}


def pays(bet: str, cell: str) -> Fraction | None:
    """Net win of one unit (55/2004 arts. 12.º, 13.º, 17.º, 18.º); ``None``: stays or returned."""
    match bet:
        case "player" | "banker":
            if cell == "tie":
                return None
            win = Fraction(19, 20) if bet == "banker" else Fraction(1)
            return win if cell == bet else Fraction(-1)
        case "tie":
            return Fraction(8) if cell == "tie" else Fraction(-1)
        case _:
            return Fraction(11) if cell == "pair" else Fraction(-1)
