"""Casino war on one screen, and what its options mean."""

from typing import Final

from regulations.games.casino_war.law import art
from regulations.games.casino_war.settlement import PAYOUTS
from regulations.law.guide import (
    BETS_TAKEN_BACK,
    COMMON_OPTIONS,
    CUT_CARD_BEHIND,
    FAILURE,
    MISDEAL_ELSE_VOID,
    VOID,
    Guide,
    GuideStep,
)
from regulations.law.payouts import to_one

TIE: Final = to_one(PAYOUTS, art("7.º-3"))

GUIDE: Final = Guide(
    order=(
        GuideStep(
            what="Stack",
            says="Shuffle, cut, cut card, load; no burn. A shuffler-dealer is only loaded.",
            articles=(art("2.º-1"), art("2.º-2"), "reading W5"),
        ),
        GuideStep(
            what="Bets",
            says="Closed before the first card. The prompt says how many seats the cards left can serve.",
            articles=(art("5.º-1"), "reading W6"),
        ),
        GuideStep(
            what="Deal",
            says="One card face up to each seat, from the left, then one to the croupier.",
            articles=(art("5.º-2"), art("5.º-3")),
        ),
        GuideStep(
            what="Result",
            says="The higher card wins; the ace is the highest, suits do not count.",
            articles=(art("4.º"), art("7.º-1"), art("7.º-2")),
        ),
        GuideStep(
            what="Equal cards",
            says=f"A tie wager pays {TIE}. A bettor without one surrenders half, or challenges.",
            articles=(art("7.º-3"), art("7.º-4")),
        ),
        GuideStep(
            what="Challenge",
            says="The ante is doubled; three cards are burned before each further card.",
            articles=(art("7.º-5"), "reading W4"),
        ),
        GuideStep(
            what="Cut card",
            says="The round in which it comes, or the next one if it comes between two, is the last.",
            articles=("reading W5",),
        ),
    ),
    choices=(
        GuideStep(
            what="Bettors",
            says="with cards equal to the croupier's: challenge or surrender, once.",
            articles=(art("7.º-4"),),
        ),
        BETS_TAKEN_BACK,
    ),
    trouble=(
        GuideStep(
            what="A card face up",
            says="too soon is valid, and so are the wagers; play continues.",
            articles=(art("3.º"), "reading W8"),
        ),
        GuideStep(
            what="A misdeal",
            says=MISDEAL_ELSE_VOID,
            articles=(art("6.º"), "reading W8", "reading G11"),
        ),
        FAILURE,
        VOID,
    ),
    options={
        "cut_card_behind": CUT_CARD_BEHIND,
        "croupier_war_card": {
            "shared": "One card of the croupier's stands against all challenges.",
            "per_player": "The croupier takes a further card against each challenging seat.",
        },
        **COMMON_OPTIONS,
    },
)
