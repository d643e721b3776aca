"""Three-card baccarat on one screen, and what its options mean."""

from typing import Final

from regulations.games.three_card_baccarat.law import art
from regulations.games.three_card_baccarat.settlement import COMMISSION
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

GUIDE: Final = Guide(
    order=(
        GuideStep(
            what="Stack",
            says="Shuffle, cut, in a shoe a cut card, load; as many cards are burned as there are decks.",
            articles=(art("2.º-1"), art("2.º-2")),
        ),
        GuideStep(
            what="Bets",
            says="They are closed before the first card; carried wagers lie there already and may be raised.",
            articles=(art("7.º-2"), art("8.º")),
        ),
        GuideStep(
            what="Deal",
            says="From a shoe, first a burn. Three cards face down to each seat, the banker's last.",
            articles=(art("2.º-2"), art("2.º-3")),
        ),
        GuideStep(
            what="Hands open",
            says="The seats show in any order, the banker last.",
            articles=(art("2.º-2"),),
        ),
        GuideStep(
            what="Result",
            says="A higher combination than the banker's wins: three figures most, else the points.",
            articles=(art("5.º"), art("6.º")),
        ),
        GuideStep(
            what="Settlement",
            says=f"{100 * COMMISSION} % commission on `main`, `odd` and `even`. Tied wagers wait for the next round.",
            articles=(art("7.º-2"), art("9.º"), art("10.º")),
        ),
        GuideStep(
            what="Last round",
            says="The one that the cut card announces. A box serves one round.",
            articles=(art("3.º-1"), art("3.º-2")),
        ),
    ),
    choices=(
        GuideStep(
            what="Bettors",
            says="decide nothing in a round; a tied wager may be raised, and not withdrawn.",
            articles=(art("7.º-2"), "reading T5"),
        ),
        BETS_TAKEN_BACK,
    ),
    trouble=(
        GuideStep(
            what="A turned card",
            says="is valid, and the round continues.",
            articles=(art("2.º-5"),),
        ),
        GuideStep(
            what="A misdeal",
            says=MISDEAL_ELSE_VOID,
            articles=(art("2.º-4"), "reading G11"),
        ),
        FAILURE,
        VOID,
    ),
    options={
        "cut_card_behind": CUT_CARD_BEHIND,
        "deal": {
            "one_at_a_time": "The places get their three cards one by one, in turns.",
            "three_at_a_time": "Each place gets its three cards at once.",
        },
        "three_figures_win_zero_points": {
            "true": "Three figures of the banker win a wager on 0 points too.",
            "false": "Three figures of the banker do not win a wager on 0 points.",
        },
        **COMMON_OPTIONS,
    },
)
