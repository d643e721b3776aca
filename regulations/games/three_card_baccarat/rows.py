"""A round of three-card baccarat as rows."""

from typing import Final

from regulations.games.three_card_baccarat.law import ANNEX, ARTICLES, ROUND_ARTICLES, art
from regulations.games.three_card_baccarat.round import ThreeCardRound
from regulations.games.three_card_baccarat.states import PHASES, SHOWING
from regulations.games.three_card_baccarat.states import RoundState as R
from regulations.law.rows import RegulationRow, accept, irregular, move, refuse
from regulations.play.rounds.rows import bets_rows, closing_rows, gone_wrong_rows, showing_rows

BETS: Final = bets_rows(
    PHASES,
    ROUND_ARTICLES,
    seats=ARTICLES.seats,
    dest=R.OPENED,
    also=("reading T5", "reading T6", "reading T7"),
    needs=art("8.º-3"),
    more=(
        (
            ThreeCardRound.too_few_cards,
            "not_enough_cards",
            art("2.º-2"),
            "the cards do not suffice for three to each hand",
        ),
    ),
)

CARDS: Final = (
    move("card", R.OPENED, R.DEALING, art("2.º-3"), when=ThreeCardRound.round_burn_due, do=ThreeCardRound.burn_first),
    move("card", R.OPENED, R.DEALING, art("2.º-2"), do=ThreeCardRound.lay_card, also="reading T14"),
    accept("card", R.DEALING, art("2.º-2"), do=ThreeCardRound.lay_card, also="reading T11"),
    accept("laid", R.DEALING, art("2.º-2"), when=ThreeCardRound.card_due),
    move("laid", R.DEALING, R.SHOW_SEATS, art("2.º-2"), when=ThreeCardRound.seat_hidden),
    move("laid", R.DEALING, R.SHOW_BANKER, art("2.º-5"), when=ThreeCardRound.banker_hidden),
    move("laid", R.DEALING, R.DECIDED, art("2.º-5"), do=ThreeCardRound.decide),
    irregular("card", (*SHOWING, R.DECIDED, R.VOID), "card_not_due", ARTICLES.undue_card, "no card is due"),
)

SHOWN: Final = (
    *showing_rows(
        PHASES,
        SHOWING,
        ROUND_ARTICLES,
        more=((ThreeCardRound.banker_before_seats, "not_now", "reading G15", "the banker's cards are turned last"),),
    ),
    accept("shown", R.SHOW_SEATS, art("6.º"), when=ThreeCardRound.seat_hidden),
    move("shown", R.SHOW_SEATS, R.SHOW_BANKER, art("6.º"), when=ThreeCardRound.banker_hidden),
    move(
        "shown",
        SHOWING,
        R.DECIDED,
        art("6.º"),
        do=ThreeCardRound.decide,
        also=(art("5.º"), ANNEX, "reading T2", "reading T3"),
    ),
)

REST: Final = (
    refuse("decision", PHASES.resting, "not_allowed", art("2.º-2"), "three-card baccarat has no decisions"),
    accept("exposed", PHASES.resting, art("2.º-5")),
)

ROWS: Final[tuple[RegulationRow, ...]] = (
    *BETS,
    *CARDS,
    *SHOWN,
    *gone_wrong_rows(PHASES, misdeal=ARTICLES.misdeal),
    *REST,
    *closing_rows(PHASES, ROUND_ARTICLES.settle),
)
