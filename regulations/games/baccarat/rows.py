"""A baccarat round as rows: bets, burn, four cards, third cards, verdict."""

from typing import Final

from regulations.games.baccarat.bets import BetRules
from regulations.games.baccarat.hands import BaccaratHands
from regulations.games.baccarat.law import art
from regulations.games.baccarat.result_rules import ResultRules
from regulations.games.baccarat.reveals import BaccaratRevealRules
from regulations.games.baccarat.round import BaccaratRound
from regulations.games.baccarat.states import CARD_DUE, DEALING, PHASES, SHOWING
from regulations.games.baccarat.states import RoundState as R
from regulations.law import stakes
from regulations.law.rows import RegulationRow, accept, irregular, move, others, refusals, refuse
from regulations.play.context.voiding import VoidRules
from regulations.play.rounds.rows import CORRECTED_BY, CORRECTED_WHEN, Refusals
from regulations.play.rounds.void_rows import VoidLaw, void_rows

G7: Final = "reading G7"

REFUSED_BETS: Final[Refusals] = (
    (BetRules.seat_unknown, "no_such_seat", art("1.º-5"), "no such seat in this round"),
    (BetRules.demonstration_with_wagers, "not_allowed", art("2.º-2"), "a demonstration takes no wagers"),
    (BetRules.wager_of_another_game, "not_allowed", art("13.º"), "baccarat has no such wager"),
    (BetRules.wager_twice, "not_allowed", stakes.OURS, "the same bettor has this wager twice"),
    (BetRules.stake_named, "not_allowed", stakes.OURS, stakes.NOT_TOLD),
    (BetRules.wager_missing, "no_wager", stakes.OURS, "a seat that plays needs a stake"),
    (BetRules.held_stake_changed, "not_allowed", art("12.º"), "a stake that stood in a tie may not become that"),
    (
        BetRules.round_without_wagers,
        "no_wager",
        "reading B8",
        "a round without wagers is a demonstration, and none is left",
    ),
    (BetRules.beyond_limits, "not_allowed", art("14.º"), stakes.BEYOND),
    (
        BetRules.difference_beyond,
        "not_allowed",
        art("14.º"),
        "the wagers of both sides differ by more than the house covers",
    ),
)
BETS: Final = (
    *refusals("bets_closed", R.IDLE, REFUSED_BETS),
    move("bets_closed", R.IDLE, R.OPENED, art("13.º"), do=BaccaratRound.close_bets, also="reading B13"),
    refuse("bets_closed", PHASES.in_round, "not_now", stakes.OURS, "the bets of this round are closed"),
    *refusals(
        "bets_corrected",
        R.OPENED,
        ((VoidRules.persons_missing, "two_persons_needed", stakes.OURS, CORRECTED_BY), *REFUSED_BETS),
    ),
    accept("bets_corrected", R.OPENED, art("13.º"), do=BetRules.record_wagers),
    refuse("bets_corrected", others(PHASES.resting, R.OPENED), "not_now", stakes.OURS, CORRECTED_WHEN),
    move(
        "first_card",
        R.IDLE,
        R.OPENED,
        art("7.º-1"),
        do=(BaccaratRound.open_round, BetRules.carry_held_stakes),
        also="reading B12",
    ),
    refuse(
        "bettor_left",
        R.IDLE,
        "two_persons_needed",
        "reading B12",
        "two different persons confirm that a bettor left",
        when=VoidRules.persons_missing,
    ),
    refuse(
        "bettor_left",
        R.IDLE,
        "no_wager",
        "reading B12",
        "no stake of this bettor is held from a tie",
        when=BetRules.nothing_held,
    ),
    accept("bettor_left", R.IDLE, "reading B12", do=BetRules.let_bettor_go),
    refuse(
        "bettor_left", PHASES.in_round, "not_now", "reading B12", "the stakes of this round lie until it is decided"
    ),
)

DEMONSTRATIONS: Final = (
    refuse(
        "demonstration",
        R.IDLE,
        "not_allowed",
        "reading B16",
        "a shuffler-dealer deals no demonstrations",
        when=BetRules.without_a_shoe,
        also=art("2.º-3"),
    ),
    refuse(
        "demonstration",
        R.IDLE,
        "not_now",
        "reading B8",
        "demonstrations come before the first wagered round of a shoe",
        when=BetRules.wagered_round_dealt,
    ),
    refuse(
        "demonstration",
        R.IDLE,
        "not_now",
        art("2.º-2"),
        "the coming round is a demonstration already",
        when=BetRules.demonstration_announced,
    ),
    refuse(
        "demonstration",
        R.IDLE,
        "not_allowed",
        art("2.º-2"),
        "this table deals no further demonstration in this shoe",
        when=BetRules.demonstrations_used_up,
    ),
    accept("demonstration", R.IDLE, art("2.º-2"), do=BetRules.announce_demonstration, also="reading B8"),
    refuse("demonstration", PHASES.in_round, "not_now", "reading B8", "a demonstration is announced between rounds"),
)

CARDS: Final = (
    move(
        "card",
        R.OPENED,
        R.PLAYER_1,
        art("8.º"),
        when=BaccaratRound.round_burn_due,
        do=BaccaratRound.burn_first,
        also="reading B9",
    ),
    move("card", (R.OPENED, R.PLAYER_1), R.BANKER_1, art("7.º-1"), also=art("6.º")),
    move("card", R.BANKER_1, R.PLAYER_2, art("7.º-1")),
    move("card", R.PLAYER_2, R.BANKER_2, art("7.º-1")),
    move("card", R.BANKER_2, R.SHOW_PLAYER, art("7.º-1"), when=BaccaratHands.player_hidden, also=art("16.º-2")),
    move("card", R.BANKER_2, R.SHOW_BANKER, art("4.º"), when=BaccaratHands.banker_hidden, also="reading B14"),
    move("card", R.BANKER_2, R.FOUR_OPEN, art("7.º-1"), do=BaccaratRound.judge),
    move("card", R.PLAYER_3, R.SHOW_PLAYER_3, art("16.º-2"), when=BaccaratHands.player_hidden),
    move("card", R.PLAYER_3, R.THIRD_OPEN, art("9.º-1"), do=BaccaratRound.judge),
    move("card", R.BANKER_3, R.SHOW_BANKER_3, art("16.º-2"), when=BaccaratHands.banker_hidden),
    move("card", R.BANKER_3, R.DECIDED, art("11.º"), do=BaccaratRound.decide, also=(art("12.º"), art("5.º"))),
    irregular(
        "card",
        R.IDLE,
        "card_before_bets_closed",
        "reading B8",
        "the bets are to be closed before the first card of a round",
        when=BaccaratRound.bets_come_first,
    ),
    irregular("card", R.IDLE, "card_not_due", "reading G13", "no round can begin while the device is at fault"),
    *(
        irregular(
            "card",
            R.DECIDED,
            "card_not_due",
            art(number),
            "no card is due",
            when=guard,
            also=("reading B11", art("10.º")),
        )
        for number, guard in (
            ("9.º-4(6)", BaccaratHands.player_natural),
            ("9.º-2", BaccaratHands.banker_natural),
            ("9.º", BaccaratHands.banker_has_third),
            ("9.º-4(1)", BaccaratHands.banker_has_3),
            ("9.º-4(2)", BaccaratHands.banker_has_4),
            ("9.º-4(3)", BaccaratHands.banker_has_5),
            ("9.º-4(4)", BaccaratHands.banker_has_6),
            ("9.º-4(5)", ()),
        )
    ),
    irregular("card", (*SHOWING, R.VOID), "card_not_due", "reading B11", "no card is due", also=art("10.º")),
)

SHOWN: Final = (
    *refusals(
        "revealed",
        SHOWING,
        (
            (
                BaccaratRevealRules.not_a_hand_of_baccarat,
                "not_allowed",
                art("6.º"),
                "baccarat has a player hand and a banker hand",
            ),
            (BaccaratRevealRules.other_hand_first, "not_now", art("7.º-1"), "the other hand is shown first"),
            (
                BaccaratRevealRules.unseen_cards_not_named,
                "cards_missing",
                art("7.º-1"),
                "nothing read these cards: name them",
            ),
            (
                BaccaratRevealRules.other_cards_named,
                "not_allowed",
                "reading G9",
                "these are not the cards that were dealt",
            ),
        ),
    ),
    irregular(
        "revealed",
        SHOWING,
        "surplus_card",
        "reading G9",
        "a card that is turned is a copy too many",
        when=BaccaratRevealRules.turns_surplus,
        do=BaccaratRevealRules.show_surplus,
    ),
    move(
        "revealed",
        R.SHOW_PLAYER,
        R.SHOW_BANKER,
        art("7.º-1"),
        when=BaccaratHands.banker_hidden,
        do=BaccaratRound.show_player,
        also=art("16.º-2"),
    ),
    move("revealed", R.SHOW_PLAYER, R.FOUR_OPEN, "reading B14", do=(BaccaratRound.show_player, BaccaratRound.judge)),
    move("revealed", R.SHOW_BANKER, R.FOUR_OPEN, art("7.º-1"), do=(BaccaratRound.show_banker, BaccaratRound.judge)),
    move("revealed", R.SHOW_PLAYER_3, R.THIRD_OPEN, art("16.º-2"), do=(BaccaratRound.show_player, BaccaratRound.judge)),
    move("revealed", R.SHOW_BANKER_3, R.DECIDED, art("16.º-2"), do=(BaccaratRound.show_banker, BaccaratRound.decide)),
    refuse(
        "revealed",
        (R.IDLE, R.OPENED, *CARD_DUE, R.DECIDED, R.VOID),
        "not_now",
        art("7.º-1"),
        "no cards are to be shown now",
    ),
)

NATURAL_ALSO: Final = ("reading B4", "reading B5", art("5.º"))
FOUR_CARDS: Final = (
    move(
        "judge",
        R.FOUR_OPEN,
        R.DECIDED,
        art("9.º-4(6)"),
        when=BaccaratHands.player_natural,
        do=BaccaratRound.decide,
        also=NATURAL_ALSO,
    ),
    move(
        "judge",
        R.FOUR_OPEN,
        R.DECIDED,
        art("9.º-2"),
        when=BaccaratHands.banker_natural,
        do=BaccaratRound.decide,
        also=NATURAL_ALSO,
    ),
    move("judge", R.FOUR_OPEN, R.PLAYER_3, art("9.º-1"), when=BaccaratHands.player_below_6),
    move("judge", R.FOUR_OPEN, R.BANKER_3, art("9.º-3(6)"), when=BaccaratHands.banker_below_6, also=art("9.º-2")),
    move(
        "judge",
        R.FOUR_OPEN,
        R.DECIDED,
        art("9.º-4(4)"),
        when=BaccaratHands.banker_has_6,
        do=BaccaratRound.decide,
        also=art("9.º-2"),
    ),
    move(
        "judge",
        R.FOUR_OPEN,
        R.DECIDED,
        art("9.º-4(5)"),
        when=BaccaratHands.banker_has_7,
        do=BaccaratRound.decide,
        also=art("9.º-2"),
    ),
)

PLAYER_HAS_THREE: Final = (
    move("judge", R.THIRD_OPEN, R.BANKER_3, art("9.º-3(1)"), when=BaccaratHands.banker_below_3),
    *(
        row
        for has, draws, stands in (
            (BaccaratHands.banker_has_3, 2, 1),
            (BaccaratHands.banker_has_4, 3, 2),
            (BaccaratHands.banker_has_5, 4, 3),
            (BaccaratHands.banker_has_6, 5, 4),
        )
        for row in (
            move(
                "judge",
                R.THIRD_OPEN,
                R.BANKER_3,
                art(f"9.º-3({draws})"),
                when=(has, BaccaratHands.third_calls_banker),
            ),
            move("judge", R.THIRD_OPEN, R.DECIDED, art(f"9.º-4({stands})"), when=has, do=BaccaratRound.decide),
        )
    ),
    move("judge", R.THIRD_OPEN, R.DECIDED, art("9.º-4(5)"), when=BaccaratHands.banker_has_7, do=BaccaratRound.decide),
)

GONE_WRONG: Final = (
    irregular("misdeal", (*DEALING, R.DECIDED), "misdeal", art("10.º"), "the cards lie wrong"),
    refuse("misdeal", (R.IDLE, R.OPENED, R.VOID), "not_now", art("10.º"), "no card of a round lies on the table"),
    *void_rows(
        VoidLaw(
            idle=R.IDLE,
            going=(R.OPENED, *DEALING),
            decided=(R.DECIDED,),
            void=R.VOID,
            misdeal=art("10.º"),
            also=("reading B13",),
        )
    ),
)

OTHER_RESULT: Final = "the device reports another result than the regulation's"
FROM_THE_DEVICE: Final = (
    accept("device_result", SHOWING, "reading G8", do=ResultRules.store_device_result),
    irregular("device_result", R.DECIDED, "device_disagrees", G7, OTHER_RESULT, when=ResultRules.device_disagrees),
    accept("device_result", R.DECIDED, G7, do=ResultRules.record_device_agreement),
    accept("device_result", R.IDLE, G7, when=ResultRules.device_agrees_late, do=ResultRules.record_late_agreement),
    accept("device_result", R.VOID, G7),
    irregular("device_result", (R.IDLE, R.OPENED, *CARD_DUE), "device_disagrees", G7, OTHER_RESULT),
    irregular(
        "round_partial",
        R.IDLE,
        "round_partial",
        "reading G9",
        "the device was joined in mid-round: its cards so far are unknown",
        # In its middle a round has its first card out: a cut card that comes now comes in mid-round (reading B6).
        dest=R.PLAYER_1,
        do=(BaccaratRound.open_round, BetRules.carry_held_stakes, BaccaratRound.doubt_count),
    ),
    irregular(
        "round_partial",
        PHASES.in_round,
        "round_partial",
        "reading G9",
        "the device was joined in mid-round: its cards so far are unknown",
        do=BaccaratRound.doubt_count,
    ),
)

REST: Final = (
    refuse("decision", PHASES.resting, "not_allowed", art("9.º"), "baccarat has no decisions: the tableau decides"),
    accept("exposed", PHASES.resting, art("4.º"), also="reading B14"),
    move(
        "round_closed",
        (R.DECIDED, R.VOID),
        R.IDLE,
        art("7.º-1"),
        do=(BaccaratRound.clear_round, BaccaratRound.report_round_over),
    ),
    refuse(
        "round_closed",
        (R.OPENED, *DEALING),
        "cards_missing",
        art("7.º-1"),
        "the round is not decided: cards are to be dealt or shown",
    ),
    refuse("round_closed", R.IDLE, "not_now", art("7.º-1"), "no round is open"),
)

ROWS: Final[tuple[RegulationRow, ...]] = (
    *BETS,
    *DEMONSTRATIONS,
    *CARDS,
    *SHOWN,
    *FOUR_CARDS,
    *PLAYER_HAS_THREE,
    *GONE_WRONG,
    *FROM_THE_DEVICE,
    *REST,
)
