"""The regulation of baccarat: 55/2004, as amended by 73/2005."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from regulations.events.vocabulary import Bet, EquipmentKind
from regulations.games.baccarat.tableau import burn_value
from regulations.law.game_law import (
    EquipmentRules,
    Exclusion,
    GameLaw,
    InitialBurnLaw,
    Option,
    ShoeArticles,
    choice,
    flag,
    some_of,
    whole,
)
from regulations.law.stakes import stakes_options

EDITION: Final = "55/2004+73/2005"
CUT_CARD_BEHIND: Final = (12, 26)
"""Fewest: about twelve (art. 2.º-1); most: half a deck (reading B3)."""
DECKS: Final = (6, 12)
"""Art. 1.º-1."""
MOST_DEMONSTRATIONS: Final = 3
"""Art. 2.º-2."""
BETS: Final[tuple[Bet, ...]] = ("player", "banker", "tie", "player_pair", "banker_pair")
"""Art. 13.º, in its order."""


@cache
def art(number: str) -> str:
    return f"55/2004 art. {number}"


ARTICLES: Final = ShoeArticles(
    decks=art("1.º-1"),
    equipment=art("1.º"),
    seats=art("1.º-5"),
    authorisation=art("19.º"),
    prepare=art("2.º-1"),
    direct=art("2.º-3"),
    direct_cut_card="reading B16",
    cut_card_depth="reading B3",
    initial_burn=art("2.º-1"),
    burn_count_shown="reading B1",
    burn_count="reading B2",
    deal=art("7.º-1"),
    cut_card=art("3.º-1"),
    cut_card_end="reading B6",
    cut_card_one_more="reading B6",
    house_end="reading G15",
    reshuffle=art("3.º-1"),
    equipment_change=art("3.º-2"),
    cards_returned=art("7.º-2"),
    undue_card="reading B11",
    misdeal=art("10.º"),
    reassign="reading B11",
    face_up=art("4.º"),
    exposed=art("4.º"),
    late_bets="reading B8",
    bettor_left="reading B12",
)

_words, _is_burn = choice("per_deck", "first_card_value")
_after, _is_after = choice("end", "one_more")
_deal, _is_deal = choice("face_up", "face_down")
_win, _is_win = choice("commission", "half_on_six")
_over, _is_over = choice("burn", "next_round")
_flag, _is_flag = flag()
_ties, _is_ties = some_of("withdraw", "keep", "alter", "switch")
_depth, _is_depth = whole(*CUT_CARD_BEHIND)
_demos, _is_demos = whole(0, MOST_DEMONSTRATIONS)

OPTIONS: Final = (
    Option(
        name="initial_burn",
        default="per_deck",
        allowed=_words,
        accepts=_is_burn,
        article=art("2.º-1"),
        authorised=True,
        on=("shoe",),
    ),
    Option(
        name="demonstration_rounds",
        default=0,
        allowed=_demos,
        accepts=_is_demos,
        article=art("2.º-2"),
        authorised=True,
        on=("shoe",),
    ),
    Option(
        name="rounds_without_wagers",
        default=False,
        allowed=_flag,
        accepts=_is_flag,
        article="reading B8",
    ),
    Option(
        name="cut_card_behind",
        default=14,
        allowed=_depth,
        accepts=_is_depth,
        article=art("2.º-1"),
        bound="reading B3",
        on=("shoe",),
    ),
    Option(
        name="after_cut_card",
        default="end",
        allowed=_after,
        accepts=_is_after,
        article=art("3.º-1"),
        authorised=True,
        on=("shoe",),
    ),
    Option(name="round_burn", default=False, allowed=_flag, accepts=_is_flag, article=art("8.º"), on=("shoe",)),
    Option(name="deal", default="face_up", allowed=_deal, accepts=_is_deal, article=art("16.º"), on=("shoe",)),
    Option(
        name="tie_wagers",
        default=["withdraw"],
        allowed=_ties,
        accepts=_is_ties,
        article=art("12.º"),
        authorised=True,
        always=("keep",),
    ),
    Option(
        name="banker_win",
        default="commission",
        allowed=_win,
        accepts=_is_win,
        article=art("18.º"),
        authorised=True,
    ),
    Option(name="overdrawn_card", default="burn", allowed=_over, accepts=_is_over, article=art("10.º")),
    *stakes_options(BETS, limits=art("14.º"), difference=True),
)


def _initial_burn(options: Mapping[str, Any], decks: int, equipment: EquipmentKind) -> int | None:
    """Art. 2.º-1; from a shuffler-dealer nothing (reading B16)."""
    if equipment == "shuffler_dealer":
        return 0
    return None if options["initial_burn"] == "first_card_value" else decks


LAW: Final = GameLaw(
    cards_vary=True,
    always_corrected=True,
    game="baccarat",
    title="Baccarat",
    edition=EDITION,
    seats=7,
    equipment={
        "shoe": EquipmentRules(decks=DECKS),
        "shuffler_dealer": EquipmentRules(decks=DECKS, shuffled_by=(), cut_by=(), cut_card_from=None, authorised=True),
    },
    options=OPTIONS,
    exclusions=(Exclusion(first=("overdrawn_card", "next_round"), second=("round_burn", True), article="reading B11"),),
    articles=ARTICLES,
    cut_card_behind=CUT_CARD_BEHIND,
    cards_per_round=6,
    initial_burn=InitialBurnLaw(cards=_initial_burn, by_card=burn_value),
)
