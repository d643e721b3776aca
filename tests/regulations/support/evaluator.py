"""Baccarat judged a second time, from the Portuguese text of arts. 5.º, 7.º-1, 9.º, 11.º and 12.º of 55/2004.

It follows the text clause by clause and shares nothing with ``regulations.games.baccarat.tableau``: the clauses of
9.º-3 (banker receives) and 9.º-4 (banker does not receive) stand here as two separate lists, as they do in the article,
and a test checks that together they leave no case open and contradict each other only where readings B4 and B5 say who
prevails.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

NO_CARD: Final = None
"""Where 9.º speaks of a card that the player did not receive."""
TEN: Final = 10
"""The article counts the player's third card from 1 to 10; tens and court cards are 10."""
THIRD_CARDS: Final = (*range(1, TEN + 1), NO_CARD)
ANY_CARD: Final = frozenset(range(1, TEN + 1))

# "recebe carta adicional": (banker's points, the card that player received)
RECEIVES: Final[dict[str, tuple[frozenset[int], frozenset[int | None]]]] = {
    "3(1)": (frozenset({0, 1, 2}), frozenset(ANY_CARD)),
    "3(2)": (frozenset({3}), frozenset({1, 2, 3, 4, 5, 6, 7, 9, 10})),
    "3(3)": (frozenset({4}), frozenset({2, 3, 4, 5, 6, 7})),
    "3(4)": (frozenset({5}), frozenset({4, 5, 6, 7})),
    "3(5)": (frozenset({6}), frozenset({6, 7})),
    "3(6)": (frozenset({0, 1, 2, 3, 4, 5}), frozenset({NO_CARD})),
}
# "não recebe carta adicional"; 9.º-4(6), the player's natural, stands by itself below
RECEIVES_NOT: Final[dict[str, tuple[frozenset[int], frozenset[int | None]]]] = {
    "4(1)": (frozenset({3}), frozenset({8})),
    "4(2)": (frozenset({4}), frozenset({1, 8, 9, 10})),
    "4(3)": (frozenset({5}), frozenset({1, 2, 3, 8, 9, 10})),
    "4(4)": (frozenset({6}), frozenset({1, 2, 3, 4, 5, 8, 9, 10, NO_CARD})),
    "4(5)": (frozenset({7, 8, 9}), frozenset(THIRD_CARDS)),
}
NATURALS: Final = (8, 9)


@dataclass(frozen=True, slots=True)
class Coup:
    """A whole round: how many cards each hand has, the points, and who wins."""

    player_cards: int
    banker_cards: int
    player: int
    banker: int
    winner: str


def clauses(
    lines: dict[str, tuple[frozenset[int], frozenset[int | None]]], banker: int, third: int | None
) -> list[str]:
    """The clauses that speak of these banker points and this third card of the player."""
    return [name for name, (points, cards) in lines.items() if banker in points and third in cards]


def coup(values: Sequence[int]) -> Coup:
    """Judges a round.

    Args:
        values: of the cards in the order in which they leave the shoe, 0 (ten or court card) to 9; at least as many as
            the round takes, at most six. Cards that the round does not take are not looked at.
    """
    player = (values[0] + values[2]) % TEN
    banker = (values[1] + values[3]) % TEN
    taken = 4
    player_third = banker_third = False
    if player < 6 and banker not in NATURALS:  # 9.º-1, 9.º-2
        player_third = True
        taken = 5
    third = (values[4] or TEN) if player_third else NO_CARD
    if player not in NATURALS and not clauses(RECEIVES_NOT, banker, third):  # 9.º-4 prevails: readings B4, B5
        banker_third = bool(clauses(RECEIVES, banker, third))
    if player_third:
        player = (player + values[4]) % TEN
    if banker_third:
        banker = (banker + values[taken]) % TEN
    winner = "tie" if player == banker else "player" if player > banker else "banker"
    return Coup(2 + player_third, 2 + banker_third, player, banker, winner)
