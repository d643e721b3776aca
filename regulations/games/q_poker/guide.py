"""Q poker on one screen, and what its options mean."""

from typing import Final

from regulations.games.q_poker.law import art
from regulations.law.guide import BETS_TAKEN_BACK, COMMON_OPTIONS, VOID, Guide, GuideStep

GUIDE: Final = Guide(
    order=(
        GuideStep(
            what="Stack",
            says="One deck for each round. The croupier shuffles and cuts, or a shuffler.",
            articles=(art("3.º-1"), art("3.º-2"), "reading Q6"),
        ),
        GuideStep(
            what="Bets",
            says="Ante, a pair or better, or both; none once the first card is dealt.",
            articles=(art("5.º-1"), art("5.º-2"), art("6.º-2")),
        ),
        GuideStep(
            what="Deal",
            says="Three cards face down to each hand with a wager, from the left, the croupier last.",
            articles=(art("7.º"),),
        ),
        GuideStep(
            what="Hands open",
            says="The players' hands decide the wager on a pair or better, which is settled at once.",
            articles=(art("9.º-1"), art("10.º")),
        ),
        GuideStep(
            what="Decisions",
            says="Each ante plays against the croupier, or gives up and loses half.",
            articles=(art("9.º-2"), art("9.º-3")),
        ),
        GuideStep(
            what="Croupier",
            says="The hand is opened. It plays with a queen or better; else antes win half.",
            articles=(art("9.º-4"), art("9.º-5")),
        ),
        GuideStep(
            what="Settlement",
            says="The higher hand wins; then the cards are collected and shuffled again.",
            articles=(art("8.º"), art("9.º"), "reading Q6"),
        ),
    ),
    choices=(
        GuideStep(
            what="Bettors",
            says="play or fold, before the croupier's hand is opened, once for all.",
            articles=(art("9.º-2"), art("9.º-3")),
        ),
        BETS_TAKEN_BACK,
    ),
    trouble=(
        GuideStep(
            what="A misdeal",
            says="Wrong order or number of cards: void. A hand without a wager is burned.",
            articles=(art("11.º-1"), art("11.º-4"), "reading Q10"),
        ),
        GuideStep(
            what="A card seen",
            says="A player's changes nothing; the croupier's, before it is due, voids the round.",
            articles=(art("11.º-2"), art("11.º-3")),
        ),
        GuideStep(
            what="A fault",
            says="A shuffler fault in a deal voids the round; other faults block the table.",
            articles=(art("11.º-5"), "reading Q12", "reading G7"),
        ),
        VOID,
    ),
    options=COMMON_OPTIONS,
)
