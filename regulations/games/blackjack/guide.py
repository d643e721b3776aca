"""Blackjack on one screen, and what its options mean."""

from typing import Final

from regulations.games.blackjack.law import art
from regulations.games.blackjack.settlement import PAYOUTS
from regulations.law.guide import (
    BETS_TAKEN_BACK,
    BURN_PER_DECK,
    COMMON_OPTIONS,
    CUT_CARD_BEHIND,
    FAILURE,
    MISDEAL_ELSE_VOID,
    VOID,
    Guide,
    GuideStep,
)
from regulations.law.payouts import to_one

BLACKJACK: Final = to_one(PAYOUTS, art("10.º-2"))

GUIDE: Final = Guide(
    order=(
        GuideStep(
            what="Stack",
            says="Shuffle, cut, second cut card with more than one deck, load, initial burn.",
            articles=(art("2.º-1(1)"), art("4.º-1")),
        ),
        GuideStep(
            what="Bets",
            says="They are closed before the first card; each seat that plays has a main wager.",
            articles=(art("5.º-1"), art("13.º")),
        ),
        GuideStep(
            what="Deal",
            says="Two cards to each seat with a wager and one to the croupier, one at a time, from the left.",
            articles=(art("5.º-1"), art("5.º-2")),
        ),
        GuideStep(
            what="Decisions",
            says="Seat by seat, hand by hand. A bust hand is shown at once and loses.",
            articles=(art("6.º-2"), art("6.º-3"), art("6.º-5")),
        ),
        GuideStep(
            what="Croupier",
            says="Once all have decided the croupier draws to 16 and stands on 17.",
            articles=(art("6.º-1"), art("7.º-1")),
        ),
        GuideStep(
            what="Settlement",
            says=f"More points win; equal points win nothing; blackjack wins {BLACKJACK}.",
            articles=(art("9.º"), art("10.º-2"), art("11.º-2")),
        ),
        GuideStep(
            what="Last round",
            says="The one in which the second cut card comes. A box serves one round.",
            articles=(art("2.º-2(1)"), art("2.º-2(3)")),
        ),
    ),
    choices=(
        GuideStep(
            what="Bettors",
            says="hit, stand, double, split or surrender; insurance, even money, half pay.",
            articles=(art("6.º-5"), art("12.º-1"), art("18.º-1"), art("19.º-1")),
        ),
        BETS_TAKEN_BACK,
    ),
    trouble=(
        GuideStep(
            what="A wrong card",
            says="One not due, or turned, is burned, or taken where an option allows it.",
            articles=(art("5.º-1(1)"), art("6.º-1")),
        ),
        GuideStep(
            what="A misdeal",
            says=MISDEAL_ELSE_VOID,
            articles=(art("5.º-1(2)"), "reading J23"),
        ),
        FAILURE,
        VOID,
    ),
    options={
        "initial_burn": {
            "per_deck": BURN_PER_DECK,
            "one": "Before the first round one card is burned.",
        },
        "round_burn": {
            "none": "No card is burned in later rounds.",
            "start": "A card is burned at the start of every round but a shoe's first.",
            "start_and_before_second_croupier_card": (
                "A card is burned at the start of every round but a shoe's first, and one before the croupier's second."
            ),
        },
        "procedure": {
            "first": "The seats' first two cards lie face down.",
            "second": "The seats' first two cards lie face up.",
        },
        "cut_card_behind": CUT_CARD_BEHIND,
        "first_face_up_card_valid": {
            "true": "The first card dealt to a seat in a shoe game's first round counts if it comes out face up.",
            "false": "A card that comes out face up never counts.",
        },
        "unshown_extra_croupier_card_valid": {
            "true": "A card too many of the croupier's may be taken as valid if it was not shown.",
            "false": "A card too many of the croupier's never counts.",
        },
        "double": {
            "any_two": "A hand may be doubled on any first two cards.",
            "eleven_only": "A hand may be doubled on eleven points only.",
        },
        "max_split_hands": "A seat may split into {} hands at most.",
        "resplit_aces": {
            "true": "Aces may be split again.",
            "false": "Aces may be split once only.",
        },
        "croupier_blackjack_against_double": {
            "loses_all": "The croupier's blackjack takes the whole of a doubled wager.",
            "loses_original": "The croupier's blackjack takes the original half of a doubled wager only.",
        },
        "surrender_before": {
            "any_card": "A hand is given up before the round's first additional card, also out of turn.",
            "own_card": "A hand is given up in its turn, before its own third card.",
        },
        "resplit": {
            "true": "A further pair of a split hand, not of aces, may be split again.",
            "false": "Pairs other than aces may be split once only.",
        },
        "bettors_at_most": "At most {} bettors on a seat, where the nearest or seated one decides.",
        "drawn_card_is_hit": {
            "true": "A card that leaves while a hand decides, and may hit, is its hit.",
            "false": "A card that leaves while a hand decides left too early.",
        },
        "insurance_asked": {
            "in_turn": "Insurance is taken in the seat's turn, before the seat decides.",
            "together": "Insurance is taken at all seats before the first decision.",
        },
        "decider": {
            "seated": "The seated bettor decides.",
            "nearest_or_seated": "The seated bettor, or the nearest wager's, decides on cards; each on the own wager.",
            "highest": "The bettor with the highest wager decides.",
        },
        "insurance": {
            "half_to_full": "An insurance is half to the whole of the wager.",
            "half": "An insurance is half of the wager.",
            "full": "An insurance is as much as the wager.",
        },
        **COMMON_OPTIONS,
    },
)
