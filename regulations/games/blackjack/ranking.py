"""Card values, and how two hands compare (56/2004 arts. 8.º–11.º, 15.º)."""

from collections.abc import Sequence
from itertools import permutations, product
from typing import Final

from regulations.events.cards import DECK, RANKS, SUITS, Card, Rank, card_of, rank_of
from regulations.games.blackjack.result import HandOutcome

TWENTY_ONE: Final = 21
CROUPIER_STANDS: Final = 17
"""Art. 6.º-1: the croupier draws below it."""
DOUBLE_ON: Final = 11
"""Art. 17.º-2."""
THIRTEEN: Final = 13
"""Art. 13.º-3."""
INITIAL_CARDS: Final = 2
FIVE_CARDS: Final = 5
"""Art. 19.º-1."""
_SPECIAL_CARDS: Final = 3
_ACE: Final = 1
_ACE_MORE: Final = 10
_PIPS: Final[dict[Rank, int]] = {rank: min(number, 10) for number, rank in enumerate(RANKS, start=1)}
"""Art. 8.º: tens and court cards 10; an ace 1 at least."""
_LOW_POINTS: Final = {card: _PIPS[rank_of(card)] for card in DECK}
_SEVENS: Final = [card_of("7", suit) for suit in SUITS]
_IN_ROW: Final[tuple[Rank, ...]] = ("6", "7", "8")
_SPECIAL: Final = {
    *product(_SEVENS, repeat=_SPECIAL_CARDS),
    *(hand for suit in SUITS for hand in permutations(card_of(rank, suit) for rank in _IN_ROW)),
}


def low_points_of(cards: Sequence[Card]) -> int:
    """Every ace as 1 (reading J1)."""
    return sum(map(_LOW_POINTS.__getitem__, cards))


def points_of(cards: Sequence[Card]) -> int:
    """An ace counts 11 unless that exceeds 21 (art. 8.º, reading J7)."""
    pips = list(map(_LOW_POINTS.__getitem__, cards))
    low = sum(pips)
    high = low + _ACE_MORE
    return high if high <= TWENTY_ONE and _ACE in pips else low


def is_ace(card: Card) -> bool:
    return rank_of(card) == "A"


def is_ten(card: Card) -> bool:
    return _LOW_POINTS[card] == _PIPS["T"]


def is_blackjack(cards: Sequence[Card]) -> bool:
    """An ace with a ten or court card, unsplit (art. 10.º-1)."""
    return len(cards) == INITIAL_CARDS and points_of(cards) == TWENTY_ONE


def is_bust(cards: Sequence[Card]) -> bool:
    """More than 21 (art. 7.º-2)."""
    return low_points_of(cards) > TWENTY_ONE


def is_special(cards: Sequence[Card]) -> bool:
    """6, 7, 8 of one suit or three sevens, in any order (art. 15.º, reading J6)."""
    return tuple(cards[:_SPECIAL_CARDS]) in _SPECIAL


def is_pair(cards: Sequence[Card]) -> bool:
    """Two cards of one rank (arts. 13.º-1(1), 16.º-1, reading J13)."""
    return len({rank_of(card) for card in cards}) == 1


def croupier_draws(cards: Sequence[Card]) -> bool:
    """With 16 points or fewer (art. 6.º-1, reading J7)."""
    return points_of(cards) < CROUPIER_STANDS


def outcome_against(hand: Sequence[Card], croupier: Sequence[Card], *, is_split: bool) -> HandOutcome:
    """Arts. 9.º to 11.º; a hand of a split has no blackjack (art. 10.º-6)."""
    natural, bank_natural = is_blackjack(hand) and not is_split, is_blackjack(croupier)
    if natural or bank_natural:
        return "stand" if natural and bank_natural else "blackjack" if natural else "lose"
    ours, theirs = points_of(hand), points_of(croupier)
    if is_bust(croupier) or ours > theirs:
        return "win"
    return "stand" if ours == theirs else "lose"
