"""The regulation of blackjack: 56/2004."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from regulations.events.vocabulary import Bet, EquipmentKind
from regulations.law.game_law import (
    ONE_DECK,
    EquipmentRules,
    Exclusion,
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

EDITION: Final = "56/2004"
CUT_CARD_BEHIND: Final = (30, 104)
"""Fewest: art. 2.º-1(1) (reading J19); most: two decks."""
SPLIT_HANDS: Final = (4, 8)
"""As the house says: at least four (art. 16.º-1); most: reading J24."""
MOST_BETTORS: Final = 3
"""On one seat (art. 20.º-1(2)); the house may allow fewer."""
CARDS_PER_ROUND: Final = 120
"""Six seats of four hands with five cards: more than any real round."""
SIDE_BETS: Final[tuple[Bet, ...]] = ("any_pair", "sevens", "over_13", "under_13")
BETS: Final[frozenset[Bet]] = frozenset({"main", *SIDE_BETS})


@cache
def art(number: str) -> str:
    return f"56/2004 art. {number}"


ARTICLES: Final = ShoeArticles(
    decks=art("1.º-2"),
    decks_in=art("1.º-3"),
    most_decks="reading J24",
    equipment=art("1.º-3"),
    material=(art("1.º-1"), art("1.º-4")),
    seats=art("3.º-1"),
    prepare=art("2.º-1(1)"),
    direct=art("2.º-1(2)"),
    shuffled_by=art("2.º-1(1)"),
    no_cut_card="reading J20",
    cut_card_depth="reading J19",
    one_round=art("2.º-2(3)"),
    one_round_shoe="reading J20",
    initial_burn=art("4.º-1"),
    deal=art("5.º-1"),
    cut_card=art("2.º-2(1)"),
    cut_card_end=art("2.º-2(1)"),
    house_end=art("2.º-2(2)"),
    reshuffle=art("2.º-2(1)"),
    cards_returned=art("2.º-2(4)"),
    undue_card=art("5.º-1(2)"),
    misdeal=art("5.º-1(2)"),
    reassign="reading J23",
    face_up="reading J9",
)
ROUND_ARTICLES: Final = RoundArticles(
    bets=art("13.º"),
    bets_end=art("13.º-2"),
    wagered=art("5.º-1"),
    show=art("5.º-2"),
    settle=art("7.º-1"),
    round_burn=art("4.º-2"),
)

_burn, _is_burn = choice("per_deck", "one")
_round, _is_round = choice("none", "start", "start_and_before_second_croupier_card")
_procedure, _is_procedure = choice("first", "second")
_depth, _is_depth = whole(*CUT_CARD_BEHIND)
_flag, _is_flag = flag()
_double, _is_double = choice("any_two", "eleven_only")
_hands, _is_hands = whole(*SPLIT_HANDS)
_against, _is_against = choice("loses_all", "loses_original")
_before, _is_before = choice("any_card", "own_card")
_bettors, _is_bettors = whole(1, MOST_BETTORS)
_asked, _is_asked = choice("in_turn", "together")
_decider, _is_decider = choice("seated", "nearest_or_seated", "highest")
_insurance, _is_insurance = choice("half_to_full", "half", "full")

OPTIONS: Final = (
    Option(name="initial_burn", default="per_deck", allowed=_burn, accepts=_is_burn, article=art("4.º-1")),
    Option(
        name="round_burn",
        default="none",
        allowed=_round,
        accepts=_is_round,
        article=art("4.º-2"),
        on=("shoe", "shuffler_dealer"),
    ),
    Option(name="procedure", default="first", allowed=_procedure, accepts=_is_procedure, article=art("5.º-2")),
    Option(
        name="cut_card_behind",
        default=30,
        allowed=_depth,
        accepts=_is_depth,
        article=art("2.º-1(1)"),
        bound="reading J19",
        on=("shoe",),
    ),
    Option(name="first_face_up_card_valid", default=False, allowed=_flag, accepts=_is_flag, article=art("5.º-1(1)")),
    Option(
        name="unshown_extra_croupier_card_valid", default=False, allowed=_flag, accepts=_is_flag, article=art("6.º-1")
    ),
    Option(name="double", default="any_two", allowed=_double, accepts=_is_double, article=art("17.º")),
    Option(
        name="max_split_hands",
        default=4,
        allowed=_hands,
        accepts=_is_hands,
        article=art("16.º-1"),
        bound="reading J24",
        least=True,
    ),
    Option(name="resplit_aces", default=True, allowed=_flag, accepts=_is_flag, article=art("16.º-3")),
    Option(
        name="croupier_blackjack_against_double",
        default="loses_all",
        allowed=_against,
        accepts=_is_against,
        article=art("10.º-7"),
    ),
    Option(name="surrender_before", default="any_card", allowed=_before, accepts=_is_before, article=art("18.º-2")),
    Option(name="resplit", default=True, allowed=_flag, accepts=_is_flag, article=art("16.º-5")),
    Option(
        name="bettors_at_most",
        default=MOST_BETTORS,
        allowed=_bettors,
        accepts=_is_bettors,
        article=art("20.º-1(2)"),
    ),
    Option(name="drawn_card_is_hit", default=True, allowed=_flag, accepts=_is_flag, article=art("6.º-3")),
    Option(name="insurance_asked", default="in_turn", allowed=_asked, accepts=_is_asked, article=art("12.º-1")),
    Option(name="decider", default="seated", allowed=_decider, accepts=_is_decider, article=art("20.º")),
    Option(name="insurance", default="half_to_full", allowed=_insurance, accepts=_is_insurance, article=art("12.º-1")),
    *stakes_options(BETS),
)


def _initial_burn(options: Mapping[str, Any], decks: int, equipment: EquipmentKind) -> int:  # noqa: ARG001  # on all
    return 1 if options["initial_burn"] == "one" else decks


LAW: Final = GameLaw(
    cards_vary=True,
    cards_decide=True,
    game="blackjack",
    title="Blackjack",
    edition=EDITION,
    seats=6,
    equipment={
        "shoe": EquipmentRules(decks=(1, 8), shuffled_by=("croupier",), cut_card_from=2, one_round_to=1),
        "box": EquipmentRules(
            decks=(ONE_DECK, ONE_DECK), shuffled_by=("croupier",), cut_card_from=None, one_round_to=ONE_DECK
        ),
        "shuffler_dealer": EquipmentRules(decks=(1, 8), shuffled_by=(), cut_by=(), cut_card_from=None),
    },
    options=OPTIONS,
    exclusions=(
        Exclusion(first=("equipment", "box"), second=("procedure", "second"), article=art("5.º-2(2)")),
        Exclusion(first=("equipment", "box"), second=("round_burn", "start"), article=art("4.º-2")),
        Exclusion(
            first=("equipment", "box"),
            second=("round_burn", "start_and_before_second_croupier_card"),
            article=art("4.º-2"),
        ),
        *(
            Exclusion(first=("decider", decider), second=("bettors_at_most", most), article=art("20.º-1(2)"))
            for decider in ("seated", "highest")
            for most in range(1, MOST_BETTORS)
        ),
    ),
    articles=ARTICLES,
    cut_card_behind=CUT_CARD_BEHIND,
    cards_per_round=CARDS_PER_ROUND,
    initial_burn=InitialBurnLaw(cards=_initial_burn),
)
