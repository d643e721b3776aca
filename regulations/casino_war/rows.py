"""A round of casino war as rows: bets, a card each, the croupier's, decisions, challenges, verdict."""

from typing import Final

from regulations import stakes
from regulations.casino_war.law import ARTICLES, art
from regulations.casino_war.states import BURNING, COMPARED, PHASES, UNCOMPARED
from regulations.casino_war.states import RoundState as R
from regulations.round.rows import bets_rows, closing_rows, gone_wrong_rows
from regulations.round.seat_round import RoundArticles
from regulations.rows import Row, irregular, move, refusals, refuse, take

ROUND_ARTICLES: Final = RoundArticles(
    deal=art("5.º-2"), bets=art("5.º-1"), wagered=art("5.º-1"), show=art("5.º-2"), void=art("6.º"), settle=art("7.º")
)

BETS: Final = bets_rows(
    PHASES,
    ROUND_ARTICLES,
    seats=ARTICLES.seats,
    dest=R.OPENED,
    needs="reading W3",
    more=(
        (
            "too_few_cards",
            "not_enough_cards",
            "reading W6",
            "too few cards are left for the round's worst case: end the shoe game and shuffle",
        ),
    ),
)

CARDS: Final = (
    move("card", R.OPENED, R.SEATS, art("5.º-3"), do="lay_card"),
    take("card", (R.SEATS, R.CROUPIER), art("5.º-2"), do="lay_card"),
    take("laid", R.SEATS, art("5.º-2"), when="seat_without_card"),
    move("laid", R.SEATS, R.CROUPIER, art("5.º-2"), also=art("5.º-3")),
    move("laid", R.CROUPIER, R.DECIDING, art("7.º-4"), when="somebody_decides", do="settle_decided", also=art("4.º")),
    move("laid", R.CROUPIER, R.DECIDED, art("7.º"), do="decide", also=art("4.º")),
    irregular("card", (R.DECIDING, R.DECIDED, R.VOID), "card_not_due", ARTICLES.undue_card, "no card is due"),
)

DECISIONS: Final = (
    *refusals(
        "decision",
        COMPARED,
        (
            ("decider_unknown", "no_such_seat", ARTICLES.seats, "there is no such seat"),
            ("decider_without_ante", "no_wager", art("7.º-4"), "this bettor has no ante"),
            ("decider_not_tied", "not_allowed", art("7.º-4"), "only who has the croupier's rank decides"),
            ("decider_stands", "not_allowed", "reading W2", "with a tie wager the ante stands on equal cards"),
        ),
    ),
    *refusals(
        "decision",
        R.DECIDING,
        (
            ("decider_has_chosen", "not_now", art("7.º-4"), "this bettor has decided, once for all"),
            ("another_seat_decides", "not_now", art("5.º-2"), "the seats decide in their order"),
            ("no_choice_of_the_game", "not_allowed", art("7.º-4"), "the game knows no such decision"),
            ("another_hand", "not_allowed", art("5.º-2"), "a seat has one hand"),
            ("amount_told", "not_allowed", stakes.OURS, stakes.NOT_TOLD),
            ("not_the_ante", "not_allowed", art("7.º-5"), "the raise equals the ante"),
        ),
    ),
    take(
        "decision",
        R.DECIDING,
        art("7.º-4(2)"),
        when="asks_to_challenge",
        do=("raise_ante", "go_on"),
        also=art("7.º-5"),
    ),
    take("decision", R.DECIDING, art("7.º-4(1)"), do=("surrender", "go_on")),
    refuse(
        "decision",
        (*UNCOMPARED, *(state for state in COMPARED if state is not R.DECIDING)),
        "not_now",
        art("7.º-4"),
        "decisions are taken once the croupier's card lies, before the first card on a challenge",
    ),
    take("chosen", R.DECIDING, art("7.º-4"), when="somebody_decides", do="settle_decided"),
    move("chosen", R.DECIDING, R.SEAT_BURN, art("7.º-5"), when="somebody_challenges", do="settle_decided"),
    move("chosen", R.DECIDING, R.DECIDED, art("7.º-4(1)"), do="decide"),
)

WAR: Final = (
    take("card", BURNING, art("7.º-5"), when="more_to_burn", do="burn_for_war"),
    move("card", R.SEAT_BURN, R.SEAT_WAR, art("7.º-5"), do="burn_for_war"),
    move("card", R.CROUPIER_BURN, R.CROUPIER_WAR, art("7.º-5"), do="burn_for_war"),
    take("card", (R.SEAT_WAR, R.CROUPIER_WAR), art("7.º-5"), do="lay_war_card"),
    move("laid", R.SEAT_WAR, R.SEAT_BURN, "reading W4", when="one_card_for_all"),
    move("laid", R.SEAT_WAR, R.CROUPIER_BURN, art("7.º-5")),
    move("laid", R.CROUPIER_WAR, R.SEAT_BURN, "reading W4", when="somebody_challenges", do="settle_decided"),
    move("laid", R.CROUPIER_WAR, R.DECIDED, art("7.º-5"), do="decide"),
)

REST: Final = (
    refuse("revealed", PHASES.resting, "not_now", ROUND_ARTICLES.show, "all cards are dealt face up"),
    take("exposed", PHASES.resting, ARTICLES.face_up, also="reading W8"),
)

ROWS: Final[tuple[Row, ...]] = (
    *BETS,
    *CARDS,
    *DECISIONS,
    *WAR,
    move("void_round", R.OPENED, R.VOID, "reading W5", when="cut_card_came", do="void_round"),
    *gone_wrong_rows(PHASES, void=ROUND_ARTICLES.void, misdeal=ARTICLES.misdeal),
    *REST,
    *closing_rows(PHASES, ROUND_ARTICLES.settle),
)
"""The rule table of a round of casino war."""
