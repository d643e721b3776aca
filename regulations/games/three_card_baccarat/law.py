"""The regulation of three-card baccarat: 22/96/M with 219/96/M."""

from functools import cache
from typing import Final

from regulations.events.vocabulary import Bet
from regulations.law.game_law import (
    ONE_DECK,
    EquipmentRules,
    GameLaw,
    InitialBurnLaw,
    Option,
    RoundArticles,
    ShoeArticles,
    choice,
    flag,
    whole,
)
from regulations.law.stakes import stakes_options

EDITION: Final = "22/96/M+219/96/M"
"""219/96/M changed 22/96/M; articles are cited in that version."""
BOX_DECKS: Final = (ONE_DECK, ONE_DECK)
"""Art. 1.º-2: a single deck in a box."""
SHOE_DECKS: Final = (2, None)
"""Art. 1.º-2: two or more in a shoe; no article gives a maximum."""
ANNEX: Final = "22/96/M annex"
CUT_CARD_BEHIND: Final = (30, 40)
"""Art. 2.º-1, both included (reading T12)."""
POSITIONS: Final = (1, 2, 3)
"""Art. 2.º-2."""
CARDS_OF_A_HAND: Final = len(POSITIONS)
POINT_BETS: Final[tuple[Bet, ...]] = tuple(f"points_{points}" for points in range(10))
BANKER_BETS: Final[tuple[Bet, ...]] = ("odd", "even", "three_figures", *POINT_BETS)
BETS: Final[frozenset[Bet]] = frozenset({"main", "tie", *BANKER_BETS})


@cache
def art(number: str) -> str:
    return f"22/96/M art. {number}"


ARTICLES: Final = ShoeArticles(
    decks=art("1.º-1"),
    decks_in=art("1.º-2"),
    equipment=art("1.º-2"),
    seats=art("4.º-1"),
    prepare=art("2.º-1"),
    shuffled_by=art("2.º-1"),
    no_cut_card=art("1.º-2"),
    cut_card_depth=art("2.º-1"),
    cut_card=art("3.º-1"),
    cut_card_end=art("3.º-1"),
    one_round=art("3.º-2"),
    initial_burn=art("2.º-2"),
    house_end=art("3.º-1"),
    reshuffle=art("3.º-1"),
    deal=art("2.º-2"),
    undue_card=art("2.º-4"),
    misdeal=art("2.º-4"),
    reassign=art("2.º-4"),
    face_up=art("2.º-5"),
    exposed=art("2.º-5"),
)
ROUND_ARTICLES: Final = RoundArticles(
    deal=art("2.º-2"),
    bets=art("8.º"),
    wagered="reading T14",
    show=art("6.º"),
    settle=art("9.º"),
    round_burn=art("2.º-3"),
    carried=art("7.º-2"),
    carried_back="reading T5",
    no_demonstrations="reading G15",
    bets_end="reading G15",
)

_depth, _is_depth = whole(*CUT_CARD_BEHIND)
_deal, _is_deal = choice("one_at_a_time", "three_at_a_time")
_flag, _is_flag = flag()

OPTIONS: Final = (
    Option(
        name="cut_card_behind",
        default=40,
        allowed=_depth,
        accepts=_is_depth,
        article=art("2.º-1"),
        bound="reading T12",
        on=("shoe",),
    ),
    Option(name="deal", default="one_at_a_time", allowed=_deal, accepts=_is_deal, article=art("2.º-2")),
    Option(name="three_figures_win_zero_points", default=False, allowed=_flag, accepts=_is_flag, article=art("8.º-2")),
    *stakes_options(BETS),
)

LAW: Final = GameLaw(
    always_corrected=True,
    game="three_card_baccarat",
    title="Three-card baccarat",
    edition=EDITION,
    # Art. 4.º-1 leaves the number of places to the table, so one player's is enough.
    seats=1,
    equipment={
        "box": EquipmentRules(decks=BOX_DECKS, shuffled_by=("croupier",), cut_card_from=None, one_round_to=ONE_DECK),
        "shoe": EquipmentRules(decks=SHOE_DECKS, shuffled_by=("croupier",)),
    },
    options=OPTIONS,
    articles=ARTICLES,
    numbering=(
        "The articles of 22/96/M have no numbered headings of their own but the 10.º, which cites the 9.º: the numbers "
        "1.º to 9.º are inferred, by counting back from it."
    ),
    cut_card_behind=CUT_CARD_BEHIND,
    # The burned card, and the hands of one player and the banker.
    cards_per_round=1 + 2 * CARDS_OF_A_HAND,
    cards_per_seat=CARDS_OF_A_HAND,
    initial_burn=InitialBurnLaw(cards=lambda _options, decks, _equipment: decks),
)
