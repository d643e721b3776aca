"""The regulation of casino war: 74/2005 («Desafio ao Casino»)."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from regulations.events.vocabulary import Bet
from regulations.law.game_law import EquipmentRules, GameLaw, Option, RoundArticles, ShoeArticles, choice, whole
from regulations.law.stakes import stakes_options

EDITION: Final = "74/2005"
DECKS: Final = (1, 1)
"""Art. 1.º-1."""
CUT_CARD_BEHIND: Final = (12, 14)
"""About twelve by art. 2.º-1 (reading W9)."""
COPIES_OF_A_RANK: Final = 4
MOST_TIED_SEATS: Final = COPIES_OF_A_RANK - 1
"""In one deck: the fourth of the rank is the croupier's."""
BURNED_BEFORE_A_WAR_CARD: Final = 3
"""Art. 7.º-5."""
CARDS_OF_A_WAR_HAND: Final = BURNED_BEFORE_A_WAR_CARD + 1
SEATS: Final = 7
"""Art. 1.º-5: seven or more."""
BETS: Final[frozenset[Bet]] = frozenset({"ante", "tie"})


@cache
def art(number: str) -> str:
    return f"74/2005 art. {number}"


@cache
def most_cards(seats: int, *, per_player: bool) -> Sequence[int]:
    tied = [min(MOST_TIED_SEATS, dealt) for dealt in range(1, seats + 1)]
    hands = [one + (one if per_player else 1) for one in tied]
    return [dealt + 1 + CARDS_OF_A_WAR_HAND * war for dealt, war in enumerate(hands, start=1)]


ARTICLES: Final = ShoeArticles(
    decks=art("1.º-1"),
    equipment=art("1.º-2"),
    material=(art("1.º-3"), art("1.º-4")),
    seats=art("1.º-5"),
    prepare=art("2.º-1"),
    direct=art("2.º-2"),
    cut_card_depth="reading W9",
    cut_card="reading W5",
    cut_card_end="reading W5",
    house_end="reading G15",
    reshuffle=art("2.º-1"),
    cards_returned="reading W10",
    deal=art("5.º-2"),
    undue_card=art("6.º"),
    misdeal=art("6.º"),
    reassign="reading W8",
    face_up=art("3.º"),
    exposed=art("3.º"),
    too_few_cards="reading W6",
)
ROUND_ARTICLES: Final = RoundArticles(
    deal=art("5.º-2"), bets=art("5.º-1"), wagered=art("5.º-1"), show=art("5.º-2"), settle=art("7.º")
)

_depth, _is_depth = whole(*CUT_CARD_BEHIND)
_card, _is_card = choice("shared", "per_player")

OPTIONS: Final = (
    Option(
        name="cut_card_behind",
        default=12,
        allowed=_depth,
        accepts=_is_depth,
        article=art("2.º-1"),
        bound="reading W9",
        on=("shoe",),
    ),
    Option(name="croupier_war_card", default="shared", allowed=_card, accepts=_is_card, article=art("7.º-5")),
    *stakes_options(BETS),
)

LAW: Final = GameLaw(
    cards_vary=True,
    game="casino_war",
    title="Casino war",
    edition=EDITION,
    seats=SEATS,
    equipment={
        "shoe": EquipmentRules(decks=DECKS),
        "shuffler_dealer": EquipmentRules(decks=DECKS, shuffled_by=(), cut_by=(), cut_card_from=None),
    },
    options=OPTIONS,
    articles=ARTICLES,
    cut_card_behind=CUT_CARD_BEHIND,
    cut_card_widened=6,
    cards_per_round=most_cards(SEATS, per_player=True)[-1],
    cards_per_seat=1,
)
