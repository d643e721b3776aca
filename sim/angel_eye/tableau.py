"""The shoe's own baccarat rules, independent of ``regulations.games.baccarat``."""

from collections.abc import Sequence
from typing import Final

from protocols.angel_eye.messages import Outcome
from regulations.events.cards import DECK, Card, rank_of

_LETTERS: Final = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0}
_PIPS: Final[dict[Card, int]] = {
    card: _LETTERS[rank_of(card)] if rank_of(card) in _LETTERS else int(rank_of(card)) for card in DECK
}
_CHART: Final = (
    #   player's third card:
    #   0123456789 none
    "DDDDDDDDDD D",  # banker 0
    "DDDDDDDDDD D",  # 1
    "DDDDDDDDDD D",  # 2
    "DDDDDDDD.D D",  # 3
    "..DDDDDD.. D",  # 4
    "....DDDD.. D",  # 5
    "......DD.. .",  # 6
    ".......... .",  # 7
    ".......... .",  # 8
    ".......... .",  # 9
)
_NONE: Final = 11
_NATURAL: Final = ("8", "9")
_PLAYER_STANDS_FROM: Final = 6


def pips(card: Card) -> int:
    return _PIPS[card]


def points(cards: Sequence[Card]) -> int:
    return int(str(sum(map(_PIPS.__getitem__, cards)))[-1])


def player_draws(player: Sequence[Card], banker: Sequence[Card]) -> bool:
    if _is_natural(player) or _is_natural(banker):
        return False
    return points(player[:2]) < _PLAYER_STANDS_FROM


def banker_draws(player: Sequence[Card], banker: Sequence[Card]) -> bool:
    if _is_natural(player) or _is_natural(banker):
        return False
    column = pips(player[2]) if len(player) > len(player[:2]) else _NONE
    return _CHART[points(banker[:2])][column] == "D"


def winner(player: Sequence[Card], banker: Sequence[Card]) -> Outcome:
    difference = points(player) - points(banker)
    if difference == 0:
        return Outcome.TIE
    return Outcome.PLAYER if difference > 0 else Outcome.BANKER


def is_pair(hand: Sequence[Card | None]) -> bool:
    first, second = hand[0], hand[1]
    return first is not None and second is not None and rank_of(first) == rank_of(second)


def burn_value(card: Card) -> int:
    return pips(card) or 10


def _is_natural(hand: Sequence[Card]) -> bool:
    return str(points(hand[:2])) in _NATURAL
