"""A blackjack round as rows: bets, deal, seats, croupier, verdict."""

from typing import Final

from regulations.engine.rows import ParameterizedGuard
from regulations.games.blackjack.decision_rules import DecisionRules
from regulations.games.blackjack.decisions import OBJECTIONS
from regulations.games.blackjack.law import ROUND_ARTICLES, art
from regulations.games.blackjack.round import BlackjackRound
from regulations.games.blackjack.states import PHASES, RESTING
from regulations.games.blackjack.states import RoundState as R
from regulations.games.blackjack.wagers import WagerRules
from regulations.law import stakes
from regulations.law.rows import RegulationRow, accept, irregular, move, others, refusals, refuse
from regulations.play.rounds.rows import bets_rows, closing_rows, gone_wrong_rows, showing_rows

BETS: Final = bets_rows(
    PHASES,
    ROUND_ARTICLES,
    seats=art("3.º-1"),
    dest=R.OPENED,
    also=(art("3.º-3"), "reading J4"),
    needs="reading J4",
    more=(
        (WagerRules.fourth_bettor, "not_allowed", art("20.º-1(2)"), "too many bettors bet on one seat"),
        (
            BlackjackRound.too_few_cards,
            "not_enough_cards",
            art("5.º-2"),
            "the cards do not suffice for two to each seat",
        ),
    ),
)

TURNED: Final = "a card that comes out of the device face up is invalid"
CARDS: Final = (
    move(
        "card",
        R.OPENED,
        R.DEALING,
        art("4.º-2"),
        when=BlackjackRound.round_burn_due,
        do=BlackjackRound.burn_first,
        also="reading J18",
    ),
    irregular(
        "card",
        R.OPENED,
        "card_turned",
        art("5.º-1(1)"),
        TURNED,
        dest=R.DEALING,
        when=BlackjackRound.card_turned,
        also=("reading J9", "reading J12"),
    ),
    irregular(
        "card",
        (R.DEALING, R.DECIDING, R.DRAWING, R.CROUPIER),
        "card_turned",
        art("5.º-1(1)"),
        TURNED,
        when=BlackjackRound.card_turned,
        also="reading J9",
    ),
    move("card", R.OPENED, R.DEALING, art("5.º-1"), do=BlackjackRound.lay_card),
    accept("card", R.DEALING, art("5.º-1"), do=BlackjackRound.lay_card, also=art("5.º-2")),
    accept(
        "card", R.DRAWING, art("6.º-4"), do=BlackjackRound.lay_card, also=(art("16.º-3"), art("16.º-4"), art("16.º-5"))
    ),
    accept("card", R.CROUPIER, art("6.º-1"), do=BlackjackRound.lay_card),
    move("card", R.BURNING, R.CROUPIER, art("4.º-2"), do=BlackjackRound.burn_second, also="reading J18"),
    move(
        "card",
        R.DECIDING,
        R.DRAWING,
        "reading J30",
        when=BlackjackRound.card_is_hit,
        do=(BlackjackRound.treat_as_hit, WagerRules.settle_decided, BlackjackRound.lay_card),
        also=(art("6.º-3"), art("6.º-4")),
    ),
    irregular(
        "card",
        R.DECIDING,
        "card_not_due",
        art("5.º-1(2)"),
        "the card left before the hand had decided",
        also="reading J30",
    ),
    irregular(
        "card",
        R.DECIDED,
        "card_not_due",
        art("6.º-1"),
        "the croupier takes no more cards",
        when=BlackjackRound.bank_has_played,
        also="reading J23",
    ),
    irregular(
        "card", (R.SHOWING, R.CROUPIER_SHOWS, R.DECIDED, R.VOID), "card_not_due", art("5.º-1(2)"), "no card is due"
    ),
    move(
        "extra_card",
        R.DECIDED,
        R.CROUPIER,
        art("6.º-1"),
        do=(BlackjackRound.reverse_result, BlackjackRound.lay_card),
    ),
)

LAID: Final = (
    accept("laid", R.DEALING, art("5.º-1"), when=BlackjackRound.more_to_deal, do=WagerRules.settle_decided),
    move("laid", R.DEALING, R.TURNS, art("6.º-5"), do=(WagerRules.settle_decided, BlackjackRound.judge)),
    move("laid", R.DRAWING, R.TURNS, art("6.º-3"), do=(WagerRules.settle_decided, BlackjackRound.judge)),
    move("laid", R.CROUPIER, R.DECIDED, "reading J11", when=BlackjackRound.only_insured, do=BlackjackRound.decide),
    accept(
        "laid",
        R.CROUPIER,
        art("6.º-1"),
        when=BlackjackRound.bank_draws,
        do=WagerRules.settle_decided,
        also=("reading J7", art("8.º")),
    ),
    move("laid", R.CROUPIER, R.DECIDED, art("6.º-1"), do=BlackjackRound.decide, also=("reading J7", art("7.º-1"))),
)

TURNS: Final = (
    move("judge", R.TURNS, R.SHOWING, art("6.º-2"), when=BlackjackRound.hand_to_show_at_once, also=art("15.º")),
    move("judge", R.TURNS, R.DRAWING, "reading J13", when=BlackjackRound.second_card_due, also=art("16.º-1")),
    move("judge", R.TURNS, R.DECIDING, art("6.º-3"), when=BlackjackRound.hand_to_ask, also=art("6.º-5")),
    move("judge", R.TURNS, R.SHOWING, art("7.º-1"), when=BlackjackRound.seat_hidden),
    move(
        "judge", R.TURNS, R.CROUPIER_SHOWS, "reading J12", when=BlackjackRound.croupier_hidden, also=art("5.º-2(1)(2)")
    ),
    move("judge", R.TURNS, R.DECIDED, "reading J11", when=BlackjackRound.no_hand_left, do=BlackjackRound.decide),
    move("judge", R.TURNS, R.DECIDED, "reading G11", when=BlackjackRound.bank_stands, do=BlackjackRound.decide),
    move("judge", R.TURNS, R.BURNING, art("4.º-2"), when=BlackjackRound.burn_before_second, also="reading J18"),
    move("judge", R.TURNS, R.CROUPIER, art("7.º-1"), also=(art("5.º-2(1)(1)"), art("5.º-2(2)(2)"))),
)

ASKED: Final = (R.DECIDING, R.DRAWING)
SAME_AMOUNT: Final = "a split or doubled wager takes what the first was"
WHO_DECIDES: Final = refusals(
    "decision",
    ASKED,
    (
        (DecisionRules.action_of_another_game, "not_allowed", art("6.º-5"), "blackjack knows no such decision"),
        (DecisionRules.decides_for_no_seat, "no_such_seat", art("3.º-1"), "there is no such seat"),
        (DecisionRules.bettor_without_wager, "no_wager", art("20.º-1"), "this bettor has no wager on this seat"),
        (DecisionRules.decides_for_no_hand, "not_allowed", art("16.º-1"), "the seat has no such hand"),
        (DecisionRules.has_surrendered, "not_allowed", art("18.º-2"), "a hand that was given up is not played"),
        (DecisionRules.wager_has_ended, "no_wager", "reading J22", "this bettor's wager on the hand is decided"),
        (DecisionRules.not_the_seated, "not_allowed", art("20.º-1(1)"), "who sits on this seat decides"),
        (DecisionRules.not_the_highest, "not_allowed", art("20.º-1(3)"), "the highest wager on this seat decides"),
        (DecisionRules.not_the_decider, "not_allowed", "reading J22", "another bettor decides on this seat"),
        (DecisionRules.insures_out_of_turn, "not_now", "reading J28", "an insurance is taken in the seat's turn"),
        (DecisionRules.not_its_turn, "not_now", art("6.º-3"), "seats and hands decide in their order"),
        (DecisionRules.amount_named, "not_allowed", stakes.OURS, stakes.NOT_TOLD),
        (
            DecisionRules.pair_wager_without_split,
            "not_allowed",
            "reading J2",
            "a later pair is bet on when a pair is split",
        ),
        (DecisionRules.splits_for_other_amount, "not_allowed", art("16.º-2"), SAME_AMOUNT),
        (DecisionRules.doubles_for_other_amount, "not_allowed", art("17.º"), SAME_AMOUNT),
        (DecisionRules.other_amount_named, "not_allowed", stakes.OURS, SAME_AMOUNT),
    ),
)
MAY_NOT: Final = tuple(
    refuse(
        "decision",
        ASKED,
        one.code,
        one.article,
        one.says,
        when=ParameterizedGuard(one.name, DecisionRules.objects, one),
        also=one.also,
    )
    for one in OBJECTIONS
)
SETTLE_AND_JUDGE: Final = (WagerRules.settle_decided, BlackjackRound.judge)
DECISIONS: Final = (
    *WHO_DECIDES,
    *MAY_NOT,
    accept(
        "decision",
        R.DRAWING,
        "reading J16",
        do=(DecisionRules.surrender, WagerRules.settle_decided),
        also=art("18.º-2"),
    ),
    move(
        "decision",
        R.DECIDING,
        R.DRAWING,
        art("6.º-4"),
        when=DecisionRules.asks_hit,
        do=(DecisionRules.play_on, WagerRules.settle_decided),
    ),
    move(
        "decision",
        R.DECIDING,
        R.DRAWING,
        art("6.º-4(2)"),
        when=DecisionRules.asks_double,
        do=(DecisionRules.play_on, DecisionRules.double_stakes, WagerRules.settle_decided),
        also=(art("17.º-1"), art("17.º-2")),
    ),
    move(
        "decision",
        R.DECIDING,
        R.TURNS,
        art("16.º-1"),
        when=DecisionRules.asks_split,
        do=(DecisionRules.split_hand, *SETTLE_AND_JUDGE),
        also=(art("16.º-2"), art("16.º-3"), art("16.º-5"), "reading J2"),
    ),
    move(
        "decision",
        R.DECIDING,
        R.TURNS,
        art("18.º-1"),
        when=DecisionRules.asks_surrender,
        do=(DecisionRules.surrender, *SETTLE_AND_JUDGE),
        also=(art("18.º-2"), "reading J16"),
    ),
    accept("decision", R.DECIDING, art("12.º-1"), when=DecisionRules.asks_insurance, do=DecisionRules.insure),
    move(
        "decision",
        R.DECIDING,
        R.TURNS,
        art("10.º-3"),
        when=DecisionRules.asks_even_money,
        do=(DecisionRules.pay_even_money, *SETTLE_AND_JUDGE),
    ),
    move(
        "decision",
        R.DECIDING,
        R.TURNS,
        art("19.º-1"),
        when=DecisionRules.asks_half_pay,
        do=(DecisionRules.pay_half, *SETTLE_AND_JUDGE),
        also="reading J17",
    ),
    move(
        "decision",
        R.DECIDING,
        R.TURNS,
        art("6.º-3"),
        do=(DecisionRules.play_on, DecisionRules.stand, *SETTLE_AND_JUDGE),
    ),
    refuse("decision", others(RESTING, *ASKED), "not_now", art("6.º-5"), "no decision is due now"),
)

SHOWING: Final = (
    *showing_rows(
        PHASES,
        (R.DEALING, R.DECIDING, R.DRAWING, R.SHOWING, R.CROUPIER_SHOWS),
        ROUND_ARTICLES,
        more=(
            (
                BlackjackRound.croupier_shows_later,
                "not_now",
                "reading J12",
                "the croupier's second card is turned last",
            ),
            (BlackjackRound.hand_incomplete, "not_now", art("5.º-2"), "the hand has not got its two cards"),
        ),
    ),
    accept("shown", (R.DEALING, R.DRAWING), art("5.º-2"), do=WagerRules.settle_decided),
    move("shown", (R.DECIDING, R.SHOWING), R.TURNS, art("6.º-2"), do=SETTLE_AND_JUDGE),
    move(
        "shown",
        R.CROUPIER_SHOWS,
        R.DECIDED,
        "reading J11",
        when=BlackjackRound.only_insured,
        do=BlackjackRound.decide,
        also="reading J12",
    ),
    move(
        "shown",
        R.CROUPIER_SHOWS,
        R.CROUPIER,
        art("6.º-1"),
        when=BlackjackRound.bank_draws,
        do=WagerRules.settle_decided,
    ),
    move("shown", R.CROUPIER_SHOWS, R.DECIDED, art("6.º-1"), do=BlackjackRound.decide),
    accept("exposed", PHASES.in_round, "reading J9"),
    refuse("exposed", R.IDLE, "not_now", art("5.º-1"), "no round is open"),
)

ROWS: Final[tuple[RegulationRow, ...]] = (
    *BETS,
    *CARDS,
    *LAID,
    *TURNS,
    *DECISIONS,
    *SHOWING,
    *gone_wrong_rows(PHASES, misdeal=art("5.º-1(2)"), stack="reading J20"),
    *closing_rows(PHASES, art("7.º-1")),
)
