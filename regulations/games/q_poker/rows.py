"""A round of q poker as rows."""

from typing import Final

from regulations.games.q_poker.antes import AnteRules
from regulations.games.q_poker.law import ARTICLES, ROUND_ARTICLES, art
from regulations.games.q_poker.round import QPokerRound
from regulations.games.q_poker.states import CROUPIER_HIDDEN, PHASES
from regulations.games.q_poker.states import RoundState as R
from regulations.law.rows import RegulationRow, accept, irregular, move, others, refusals, refuse
from regulations.play.context.voiding import VoidRules
from regulations.play.rounds.rows import bets_rows, closing_rows, gone_wrong_rows, showing_rows, turning_rows

WITH_CARDS: Final = (*PHASES.dealing, *PHASES.decided, PHASES.void)
DEALT: Final = (R.SHOWING, R.DECIDING, R.CROUPIER)

BETS: Final = bets_rows(
    PHASES,
    ROUND_ARTICLES,
    seats=ARTICLES.seats,
    dest=R.OPENED,
    also=(art("5.º-2"), art("6.º-1"), "reading Q9"),
    first_card=art("6.º-4"),
    more=(
        (QPokerRound.too_few_cards, "not_enough_cards", art("7.º"), "the cards do not suffice for three to each hand"),
    ),
)

CARDS: Final = (
    move(
        "card",
        R.OPENED,
        R.DEALING,
        art("7.º-1"),
        when=QPokerRound.deals_one_at_a_time,
        do=QPokerRound.lay_one,
        also=art("6.º-4"),
    ),
    move("card", R.OPENED, R.DEALING, art("7.º-2"), do=QPokerRound.lay_one_of_three, also=art("6.º-4")),
    accept("card", R.DEALING, art("7.º-1"), when=QPokerRound.deals_one_at_a_time, do=QPokerRound.lay_one),
    accept("card", R.DEALING, art("7.º-2"), do=QPokerRound.lay_one_of_three),
    irregular(
        "laid",
        R.DEALING,
        "croupier_card_exposed",
        art("11.º-3"),
        "a card of the croupier's came out face up",
        when=QPokerRound.croupier_card_came_face_up,
    ),
    accept("laid", R.DEALING, art("7.º"), when=QPokerRound.hand_incomplete, also=(art("11.º-2"),)),
    move("laid", R.DEALING, R.SHOWING, art("9.º-1"), do=QPokerRound.judge_turned_hands),
    irregular("card", DEALT, "card_not_due", art("11.º-1"), "no card is due", also="reading Q10"),
    irregular("card", (R.DECIDED, R.VOID), "card_not_due", "reading G7", "no card is due"),
)

HANDS: Final = (
    refuse(
        "revealed",
        CROUPIER_HIDDEN,
        "not_now",
        art("9.º-3"),
        "the croupier's hand is opened once everybody has decided",
        when=QPokerRound.shows_the_croupier,
    ),
    *turning_rows((R.CROUPIER,), art("9.º-3")),
    *showing_rows(PHASES, (R.SHOWING,), ROUND_ARTICLES, elsewhere=(R.CROUPIER,)),
    accept("shown", R.SHOWING, art("9.º-1"), when=QPokerRound.hand_face_down),
    move(
        "shown",
        R.SHOWING,
        R.DECIDING,
        art("9.º-2"),
        when=AnteRules.somebody_decides,
        do=QPokerRound.settle_pair_plus,
        also=art("10.º"),
    ),
    move("shown", R.SHOWING, R.CROUPIER, art("9.º-1"), do=QPokerRound.settle_pair_plus, also=art("10.º")),
    move(
        "shown",
        R.CROUPIER,
        R.DECIDED,
        art("9.º-4"),
        do=QPokerRound.decide,
        also=(
            *(art(f"4.º-{n}") for n in (1, 2, 3)),
            *(art(f"8.º-{n}") for n in (1, 2, 3, 4, 5, 6)),
            art("8.º"),
            *(f"reading Q{n}" for n in (1, 3, 4, 5, 6)),
        ),
    ),
)

DECISIONS: Final = (
    *refusals(
        "decision",
        R.DECIDING,
        (
            (AnteRules.decider_unknown, "no_such_seat", ARTICLES.seats, "no such seat in this round"),
            (AnteRules.decider_without_ante, "no_wager", art("9.º-2"), "this bettor has no ante"),
            (AnteRules.decider_has_chosen, "not_now", art("9.º-3"), "this bettor has decided, once for all"),
            (AnteRules.another_seat_decides, "not_now", "reading G15", "the seats decide in their order"),
            (AnteRules.no_choice_of_the_game, "not_allowed", art("9.º-2"), "the game knows no such decision"),
            (AnteRules.another_hand, "not_allowed", art("7.º"), "a seat has one hand"),
            (AnteRules.names_money, "not_allowed", art("6.º-2"), "no money is put down once the first card is dealt"),
        ),
    ),
    accept(
        "decision",
        R.DECIDING,
        art("9.º-2"),
        when=AnteRules.asks_to_play,
        do=(QPokerRound.play, QPokerRound.judge_decision),
    ),
    accept("decision", R.DECIDING, art("9.º-3"), do=(QPokerRound.fold, QPokerRound.judge_decision)),
    refuse(
        "decision",
        others(PHASES.resting, R.DECIDING),
        "not_now",
        art("9.º-3"),
        "decisions are taken between the opening of the players' hands and of the croupier's",
    ),
    accept("chosen", R.DECIDING, art("9.º-2"), when=AnteRules.somebody_decides),
    move("chosen", R.DECIDING, R.CROUPIER, art("9.º-3")),
)

IRREGULARITIES: Final = (
    refuse("exposed", (R.IDLE, R.OPENED), "not_now", art("11.º-2"), "no card of a round lies on the table"),
    refuse("exposed", WITH_CARDS, "not_allowed", art("11.º-2"), "no cards are named", when=QPokerRound.exposes_no_hand),
    irregular(
        "exposed",
        CROUPIER_HIDDEN,
        "croupier_card_exposed",
        art("11.º-3"),
        "a card of the croupier's was seen before his hand is to be opened",
        when=QPokerRound.shows_the_croupier,
        also="reading Q11",
    ),
    accept("exposed", WITH_CARDS, art("11.º-2"), also="reading Q11"),
)

ROWS: Final[tuple[RegulationRow, ...]] = (
    *BETS,
    *CARDS,
    *HANDS,
    *DECISIONS,
    *IRREGULARITIES,
    *gone_wrong_rows(
        PHASES,
        misdeal=ARTICLES.misdeal,
        exposed=art("11.º-3"),
        own_grounds=(
            (CROUPIER_HIDDEN, VoidRules.on_exposure, art("11.º-3"), "reading Q11"),
            ((R.DEALING,), (VoidRules.on_malfunction, QPokerRound.shuffler_deals), art("11.º-5"), "reading Q12"),
        ),
    ),
    *closing_rows(PHASES, ROUND_ARTICLES.settle),
)
