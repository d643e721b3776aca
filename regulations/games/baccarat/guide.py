"""Baccarat on one screen, and what its options mean."""

from typing import Final

from regulations.games.baccarat.law import art
from regulations.games.baccarat.settlement import COMMISSION, PAYOUTS
from regulations.law.guide import (
    BETS_TAKEN_BACK,
    BURN_PER_DECK,
    COMMON_OPTIONS,
    CUT_CARD_BEHIND,
    FAILURE,
    VOID,
    Guide,
    GuideStep,
)
from regulations.law.payouts import to_one

WINS: Final = to_one(PAYOUTS, art("17.º-1"))

GUIDE: Final = Guide(
    order=(
        GuideStep(
            what="Stack",
            says="Shuffle, cut, cut card, load, initial burn. A shuffler-dealer is only loaded.",
            articles=(art("2.º-1"), art("2.º-3")),
        ),
        GuideStep(
            what="Bets",
            says="Closed before the first card; without stakes, or in a free hand, by it.",
            articles=(art("13.º"), "reading B8"),
        ),
        GuideStep(
            what="Deal",
            says="Player, banker, player, banker; player shows first.",
            articles=(art("7.º-1"),),
        ),
        GuideStep(
            what="Third cards",
            says="Player draws below 6, then banker by fixed rules; no card against a natural.",
            articles=(art("9.º"), art("9.º-1"), art("9.º-2")),
        ),
        GuideStep(
            what="Result",
            says="More points win. A tie holds what lies on player and banker for the next round.",
            articles=(art("11.º"), art("12.º")),
        ),
        GuideStep(
            what="Settlement",
            says="By the payouts below; then the cards are collected and the round is closed.",
            articles=(art("17.º"), art("18.º")),
        ),
        GuideStep(
            what="Last round",
            says="The one in which the cut card comes, or one more.",
            articles=(art("3.º-1"), "reading B6"),
        ),
    ),
    choices=(
        GuideStep(
            what="Bettors",
            says="decide nothing while cards are dealt; after a tie what `tie_wagers` allows.",
            articles=(art("12.º"), "reading B12"),
        ),
        BETS_TAKEN_BACK,
    ),
    trouble=(
        GuideStep(
            what="A card too many",
            says="is burned; unseen, it begins the next round if `overdrawn_card` says so.",
            articles=(art("9.º"), art("10.º"), "reading B11"),
        ),
        GuideStep(
            what="A card before the bets",
            says="is burned, or croupier and supervisor enter the wagers that lay there.",
            articles=(art("2.º-2"), "reading B8"),
        ),
        GuideStep(
            what="A misdeal",
            says="Two persons say which cards do not count, or what one is; the shoe's order rules.",
            articles=(art("10.º"), "reading G11"),
        ),
        FAILURE,
        VOID,
    ),
    options={
        "initial_burn": {
            "per_deck": BURN_PER_DECK,
            "first_card_value": "The first card is shown and burned, then as many more face down as its value.",
        },
        "demonstration_rounds": {
            "0": "No demonstration rounds are dealt.",
            "": "Up to {} rounds without wagers at the beginning of a shoe.",
        },
        "rounds_without_wagers": {
            "true": "Free hands: rounds without wagers are dealt at any time, and the first card closes the bets.",
            "false": "A round without wagers is a demonstration; where stakes are recorded, bets come first.",
        },
        "cut_card_behind": CUT_CARD_BEHIND,
        "after_cut_card": {
            "end": "The round in which the cut card comes is the last of the shoe.",
            "one_more": "One more round follows the one in which the cut card comes.",
        },
        "round_burn": {
            "true": "A card is burned at the start of every round but a shoe's first.",
            "false": "No card is burned at the start of a round.",
        },
        "deal": {
            "face_up": "All cards are dealt face up.",
            "face_down": "Cards are dealt face down and turned hand by hand, player first.",
        },
        "tie_wagers": {
            "": "After a tie what lies on player and banker may be {}; to keep it is always allowed.",
            "withdraw": "withdrawn",
            "keep": "kept",
            "alter": "altered in its amount",
            "switch": "changed over to the other hand",
        },
        "banker_win": {
            "commission": f"A banker win pays {WINS} less {100 * COMMISSION} % commission.",
            "half_on_six": f"A banker win pays {WINS}, and {to_one(PAYOUTS, art('18.º-2'))} with six points.",
        },
        "overdrawn_card": {
            "burn": "A card that was drawn when none was due is burned.",
            "next_round": "A card that was drawn when none was due is the next round's first if it was not seen.",
        },
        **COMMON_OPTIONS,
        "limits": (
            "Limits of each bet, and with `difference` of the difference between new money on player and banker: "
            "{}. Without `difference` only the limits of single wagers bound what the house covers."
        ),
    },
)
