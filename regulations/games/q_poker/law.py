"""The regulation of q poker: 89/2004."""

from functools import cache
from typing import Final

from regulations.events.vocabulary import Bet
from regulations.law.game_law import ONE_DECK, EquipmentRules, GameLaw, Option, RoundArticles, ShoeArticles
from regulations.law.stakes import stakes_options

EDITION: Final = "89/2004"
DECKS: Final = (ONE_DECK, ONE_DECK)
"""Art. 1.º-1: «um baralho ou mais»; one (reading Q6)."""
SEATS: Final = 7
"""Art. 2.º-1: eight or more with the croupier's."""
POSITIONS: Final = (1, 2, 3)
"""Art. 7.º."""
HAND_CARDS: Final = len(POSITIONS)
BETS: Final[frozenset[Bet]] = frozenset({"ante", "pair_plus"})


@cache
def art(number: str) -> str:
    return f"89/2004 art. {number}"


def cards_for(seats: int) -> int:
    """Art. 7.º."""
    return HAND_CARDS * (seats + 1)


ARTICLES: Final = ShoeArticles(
    decks=art("1.º-1"),
    decks_in="reading Q6",
    equipment=art("1.º-2"),
    material=(art("1.º-3"),),
    seats=art("2.º-1"),
    prepare=art("3.º-1"),
    mixed=art("3.º-2"),
    cut_by=art("3.º-1"),
    shuffled_by=art("3.º-2"),
    cut_spared=art("3.º-2"),
    cut_card_depth=art("3.º-1"),
    cut_card=art("3.º-1"),
    cut_card_end=art("3.º-1"),
    one_round="reading Q6",
    house_end="reading G15",
    reshuffle=art("3.º"),
    deal=art("7.º"),
    undue_card="reading G7",
    misdeal=art("11.º-1"),
    reassign=art("11.º-4"),
    put_right=art("11.º-4"),
    face_up=art("11.º-2"),
)
ROUND_ARTICLES: Final = RoundArticles(
    bets=art("5.º-1"),
    wagered=art("5.º-1"),
    bets_end=art("6.º-2"),
    show=art("9.º-1"),
    settle=art("9.º"),
)

OPTIONS: Final[tuple[Option, ...]] = stakes_options(BETS)

LAW: Final = GameLaw(
    named_again=False,
    game="q_poker",
    title="Q poker",
    edition=EDITION,
    seats=SEATS,
    equipment={
        "shoe": EquipmentRules(
            decks=DECKS, cut_by=("croupier",), cut_spared_after=("shuffler",), one_round_to=ONE_DECK
        ),
        "shuffler": EquipmentRules(
            decks=DECKS, shuffled_by=("shuffler",), cut_by=(), cut_card_from=None, one_round_to=ONE_DECK
        ),
    },
    options=OPTIONS,
    articles=ARTICLES,
    cut_card_behind=(0, 0),
    cards_per_round=cards_for(SEATS),
    cards_per_seat=HAND_CARDS,
)
