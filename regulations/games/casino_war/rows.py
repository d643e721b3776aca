"""A round of casino war as rows."""

from typing import Final

from regulations.games.casino_war.challenges import ChallengeRules
from regulations.games.casino_war.law import ARTICLES, ROUND_ARTICLES, art
from regulations.games.casino_war.round import CasinoWarRound
from regulations.games.casino_war.states import BURNING, COMPARED, PHASES, UNCOMPARED
from regulations.games.casino_war.states import RoundState as R
from regulations.law import stakes
from regulations.law.rows import RegulationRow, accept, irregular, move, refusals, refuse
from regulations.play.rounds.rows import bets_rows, closing_rows, gone_wrong_rows

BETS: Final = bets_rows(
    PHASES,
    ROUND_ARTICLES,
    seats=ARTICLES.seats,
    dest=R.OPENED,
    needs="reading W3",
    more=(
        (
            CasinoWarRound.too_few_cards,
            "not_enough_cards",
            "reading W6",
            "too few cards are left for the worst case of so many seats",
        ),
    ),
)

CARDS: Final = (
    move("card", R.OPENED, R.SEATS, art("5.º-3"), do=CasinoWarRound.lay_card),
    accept("card", (R.SEATS, R.CROUPIER), art("5.º-2"), do=CasinoWarRound.lay_card),
    accept("laid", R.SEATS, art("5.º-2"), when=CasinoWarRound.seat_without_card),
    move("laid", R.SEATS, R.CROUPIER, art("5.º-2"), also=art("5.º-3")),
    move(
        "laid",
        R.CROUPIER,
        R.DECIDING,
        art("7.º-4"),
        when=ChallengeRules.somebody_decides,
        do=CasinoWarRound.settle_decided,
        also=art("4.º"),
    ),
    move("laid", R.CROUPIER, R.DECIDED, art("7.º"), do=CasinoWarRound.decide, also=art("4.º")),
    irregular("card", (R.DECIDING, R.DECIDED, R.VOID), "card_not_due", ARTICLES.undue_card, "no card is due"),
)

DECISIONS: Final = (
    *refusals(
        "decision",
        COMPARED,
        (
            (ChallengeRules.decider_unknown, "no_such_seat", ARTICLES.seats, "there is no such seat"),
            (ChallengeRules.decider_without_ante, "no_wager", art("7.º-4"), "this bettor has no ante"),
            (ChallengeRules.decider_not_tied, "not_allowed", art("7.º-4"), "only who has the croupier's rank decides"),
            (
                ChallengeRules.decider_stands,
                "not_allowed",
                art("7.º-4"),
                "with a tie wager the ante stands on equal cards",
            ),
        ),
    ),
    *refusals(
        "decision",
        R.DECIDING,
        (
            (ChallengeRules.decider_has_chosen, "not_now", art("7.º-4"), "this bettor has decided, once for all"),
            (ChallengeRules.another_seat_decides, "not_now", "reading W11", "the seats decide in their order"),
            (ChallengeRules.no_choice_of_the_game, "not_allowed", art("7.º-4"), "the game knows no such decision"),
            (ChallengeRules.another_hand, "not_allowed", art("5.º-2"), "a seat has one hand"),
            (ChallengeRules.amount_named, "not_allowed", stakes.OURS, stakes.NOT_TOLD),
            (ChallengeRules.not_the_ante, "not_allowed", art("7.º-5"), "the raise equals the ante"),
        ),
    ),
    accept(
        "decision",
        R.DECIDING,
        art("7.º-4(2)"),
        when=ChallengeRules.asks_to_challenge,
        do=(CasinoWarRound.raise_ante, CasinoWarRound.go_on),
        also=art("7.º-5"),
    ),
    accept("decision", R.DECIDING, art("7.º-4(1)"), do=(CasinoWarRound.surrender, CasinoWarRound.go_on)),
    refuse(
        "decision",
        (*UNCOMPARED, *(state for state in COMPARED if state is not R.DECIDING)),
        "not_now",
        art("7.º-4"),
        "decisions are taken once the croupier's card lies, before the first card on a challenge",
    ),
    accept("chosen", R.DECIDING, art("7.º-4"), when=ChallengeRules.somebody_decides, do=CasinoWarRound.settle_decided),
    move(
        "chosen",
        R.DECIDING,
        R.SEAT_BURN,
        art("7.º-5"),
        when=ChallengeRules.somebody_challenges,
        do=CasinoWarRound.settle_decided,
    ),
    move("chosen", R.DECIDING, R.DECIDED, art("7.º-4(1)"), do=CasinoWarRound.decide),
)

WAR: Final = (
    accept("card", BURNING, art("7.º-5"), when=CasinoWarRound.more_to_burn, do=CasinoWarRound.burn_for_war),
    move("card", R.SEAT_BURN, R.SEAT_WAR, art("7.º-5"), do=CasinoWarRound.burn_for_war),
    move("card", R.CROUPIER_BURN, R.CROUPIER_WAR, art("7.º-5"), do=CasinoWarRound.burn_for_war),
    accept("card", (R.SEAT_WAR, R.CROUPIER_WAR), art("7.º-5"), do=CasinoWarRound.lay_war_card),
    move("laid", R.SEAT_WAR, R.SEAT_BURN, "reading W4", when=ChallengeRules.one_card_for_all),
    move("laid", R.SEAT_WAR, R.CROUPIER_BURN, art("7.º-5")),
    move(
        "laid",
        R.CROUPIER_WAR,
        R.SEAT_BURN,
        "reading W4",
        when=ChallengeRules.somebody_challenges,
        do=CasinoWarRound.settle_decided,
    ),
    move("laid", R.CROUPIER_WAR, R.DECIDED, art("7.º-5"), do=CasinoWarRound.decide),
)

REST: Final = (
    refuse("revealed", PHASES.resting, "not_now", ROUND_ARTICLES.show, "all cards are dealt face up"),
    accept("exposed", PHASES.resting, ARTICLES.face_up, also="reading W8"),
)

ROWS: Final[tuple[RegulationRow, ...]] = (
    *BETS,
    *CARDS,
    *DECISIONS,
    *WAR,
    *gone_wrong_rows(PHASES, misdeal=ARTICLES.misdeal),
    *REST,
    *closing_rows(PHASES, ROUND_ARTICLES.settle),
)
