"""A baccarat round as rows: bets, optional burn, four cards, third cards by the tableau, verdict."""

from typing import Final

from regulations import stakes
from regulations.baccarat.law import art
from regulations.baccarat.states import CARD_DUE, DEALING, IN_ROUND, RESTING, SHOWING
from regulations.baccarat.states import RoundState as R
from regulations.round.rows import CORRECTED_BY, CORRECTED_WHEN, Refusals
from regulations.round.void_rows import VoidLaw, void_rows
from regulations.rows import Row, irregular, move, others, refusals, refuse, take

G7: Final = "reading G7"

REFUSED_BETS: Final[Refusals] = (
    ("seat_unknown", "no_such_seat", art("1.º-5"), "there is no such seat in this round"),
    ("demonstration_with_wagers", "not_allowed", art("2.º-2"), "a demonstration takes no wagers"),
    ("wager_of_another_game", "not_allowed", art("13.º"), "baccarat has no such wager"),
    ("wager_twice", "not_allowed", stakes.OURS, "the same bettor has this wager twice"),
    ("stake_told", "not_allowed", stakes.OURS, stakes.NOT_TOLD),
    ("wager_missing", "no_wager", stakes.OURS, "a seat that plays needs a stake"),
    ("held_stake_changed", "not_allowed", art("12.º"), "a stake that stood in a tie may not become that"),
    ("beyond_limits", "not_allowed", art("14.º"), stakes.BEYOND),
)
BETS: Final = (
    *refusals("bets_closed", R.IDLE, REFUSED_BETS),
    move("bets_closed", R.IDLE, R.OPENED, art("13.º"), do="close_bets", also="reading B13"),
    refuse("bets_closed", IN_ROUND, "not_now", art("7.º-1"), "the bets of this round are closed"),
    *refusals(
        "bets_corrected",
        R.OPENED,
        (("persons_missing", "two_persons_needed", art("13.º"), CORRECTED_BY), *REFUSED_BETS),
    ),
    take("bets_corrected", R.OPENED, art("13.º"), do="take_wagers"),
    refuse("bets_corrected", others(RESTING, R.OPENED), "not_now", art("13.º"), CORRECTED_WHEN),
    move("first_card", R.IDLE, R.OPENED, art("7.º-1"), do=("open_round", "keep_held"), also="reading B12"),
    refuse(
        "bettor_left",
        R.IDLE,
        "two_persons_needed",
        "reading B12",
        "two different persons answer for a bettor who left",
        when="persons_missing",
    ),
    refuse(
        "bettor_left",
        R.IDLE,
        "no_wager",
        "reading B12",
        "no stake of this bettor is held from a tie",
        when="nothing_held",
    ),
    take("bettor_left", R.IDLE, "reading B12", do="let_bettor_go"),
    refuse("bettor_left", IN_ROUND, "not_now", "reading B12", "the stakes of this round lie until it is decided"),
)

DEMONSTRATIONS: Final = (
    refuse(
        "demonstration",
        R.IDLE,
        "not_allowed",
        "reading B16",
        "a shuffler-dealer deals no demonstrations",
        when="without_a_shoe",
        also=art("2.º-3"),
    ),
    refuse(
        "demonstration",
        R.IDLE,
        "not_now",
        "reading B8",
        "demonstrations come before the first wagered round of a shoe",
        when="wagered_round_dealt",
    ),
    refuse(
        "demonstration",
        R.IDLE,
        "not_now",
        art("2.º-2"),
        "the coming round is a demonstration already",
        when="demonstration_announced",
    ),
    refuse(
        "demonstration",
        R.IDLE,
        "not_allowed",
        art("2.º-2"),
        "this table deals no further demonstration in this shoe",
        when="demonstrations_used_up",
    ),
    take("demonstration", R.IDLE, art("2.º-2"), do="announce_demonstration", also="reading B8"),
    refuse("demonstration", IN_ROUND, "not_now", "reading B8", "a demonstration is announced between rounds"),
)

CARDS: Final = (
    move("card", R.OPENED, R.PLAYER_1, art("8.º"), when="round_burn_due", do="burn_card", also="reading B9"),
    move("card", (R.OPENED, R.PLAYER_1), R.BANKER_1, art("7.º-1"), also=art("6.º")),
    move("card", R.BANKER_1, R.PLAYER_2, art("7.º-1")),
    move("card", R.PLAYER_2, R.BANKER_2, art("7.º-1")),
    move("card", R.BANKER_2, R.SHOW_PLAYER, art("7.º-1"), when="player_hidden", also=art("16.º-2")),
    move("card", R.BANKER_2, R.SHOW_BANKER, art("4.º"), when="banker_hidden", also="reading B14"),
    move("card", R.BANKER_2, R.FOUR_OPEN, art("7.º-1"), do="judge"),
    move("card", R.PLAYER_3, R.SHOW_PLAYER_3, art("16.º-2"), when="player_hidden"),
    move("card", R.PLAYER_3, R.THIRD_OPEN, art("9.º-1"), do="judge"),
    move("card", R.BANKER_3, R.SHOW_BANKER_3, art("16.º-2"), when="banker_hidden"),
    move("card", R.BANKER_3, R.DECIDED, art("11.º"), do="decide", also=(art("12.º"), art("5.º"))),
    irregular("card", R.IDLE, "card_not_due", "reading G13", "no round can begin until the device is well"),
    irregular("card", (*SHOWING, R.DECIDED, R.VOID), "card_not_due", "reading B11", "no card is due", also=art("10.º")),
)

SHOWN: Final = (
    *refusals(
        "revealed",
        SHOWING,
        (
            (
                "not_a_hand_of_baccarat",
                "not_allowed",
                art("6.º"),
                "baccarat has a player hand and a banker hand",
            ),
            ("other_hand_first", "not_now", art("7.º-1"), "the other hand is shown first"),
            ("unseen_cards_not_named", "cards_missing", art("7.º-1"), "nothing read these cards: name them"),
            ("other_cards_named", "not_allowed", "reading G9", "these are not the cards that were dealt"),
        ),
    ),
    irregular(
        "revealed",
        SHOWING,
        "surplus_card",
        "reading G9",
        "a card that is turned is a copy too many",
        when="turns_surplus",
        do="find_surplus",
    ),
    move(
        "revealed",
        R.SHOW_PLAYER,
        R.SHOW_BANKER,
        art("7.º-1"),
        when="banker_hidden",
        do="show_player",
        also=art("16.º-2"),
    ),
    move("revealed", R.SHOW_PLAYER, R.FOUR_OPEN, "reading B14", do=("show_player", "judge")),
    move("revealed", R.SHOW_BANKER, R.FOUR_OPEN, art("7.º-1"), do=("show_banker", "judge")),
    move("revealed", R.SHOW_PLAYER_3, R.THIRD_OPEN, art("16.º-2"), do=("show_player", "judge")),
    move("revealed", R.SHOW_BANKER_3, R.DECIDED, art("16.º-2"), do=("show_banker", "decide")),
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
    move("judge", R.FOUR_OPEN, R.DECIDED, art("9.º-4(6)"), when="player_natural", do="decide", also=NATURAL_ALSO),
    move("judge", R.FOUR_OPEN, R.DECIDED, art("9.º-2"), when="banker_natural", do="decide", also=NATURAL_ALSO),
    move("judge", R.FOUR_OPEN, R.PLAYER_3, art("9.º-1"), when="player_below_6"),
    move("judge", R.FOUR_OPEN, R.BANKER_3, art("9.º-3(6)"), when="banker_below_6", also=art("9.º-2")),
    move("judge", R.FOUR_OPEN, R.DECIDED, art("9.º-4(4)"), when="banker_has_6", do="decide", also=art("9.º-2")),
    move("judge", R.FOUR_OPEN, R.DECIDED, art("9.º-4(5)"), when="banker_has_7", do="decide", also=art("9.º-2")),
)

PLAYER_HAS_THREE: Final = (
    move("judge", R.THIRD_OPEN, R.BANKER_3, art("9.º-3(1)"), when="banker_below_3"),
    *(
        row
        for points, draws, stands in ((3, 2, 1), (4, 3, 2), (5, 4, 3), (6, 5, 4))
        for row in (
            move(
                "judge",
                R.THIRD_OPEN,
                R.BANKER_3,
                art(f"9.º-3({draws})"),
                when=(f"banker_has_{points}", "third_calls_banker"),
            ),
            move("judge", R.THIRD_OPEN, R.DECIDED, art(f"9.º-4({stands})"), when=f"banker_has_{points}", do="decide"),
        )
    ),
    move("judge", R.THIRD_OPEN, R.DECIDED, art("9.º-4(5)"), when="banker_has_7", do="decide"),
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

FROM_THE_DEVICE: Final = (
    take("device_result", SHOWING, "reading G8", do="keep_device_result"),
    take("device_result", R.DECIDED, G7, when="device_agrees", do="note_device_agrees"),
    take("device_result", R.IDLE, G7, when="device_agrees_late", do="note_device_agrees"),
    take("device_result", R.VOID, G7),
    irregular(
        "device_result",
        (R.IDLE, R.OPENED, *CARD_DUE, R.DECIDED),
        "device_disagrees",
        G7,
        "the device reports another result than the regulation's",
    ),
    irregular(
        "round_partial",
        R.IDLE,
        "round_partial",
        "reading G9",
        "the device was joined in mid-round: its cards so far are unknown",
        dest=R.OPENED,
        do=("open_round", "keep_held", "doubt_count"),
    ),
    irregular(
        "round_partial",
        IN_ROUND,
        "round_partial",
        "reading G9",
        "the device was joined in mid-round: its cards so far are unknown",
        do="doubt_count",
    ),
)

REST: Final = (
    refuse("decision", RESTING, "not_allowed", art("9.º"), "in baccarat nobody decides: the tableau does"),
    take("exposed", RESTING, art("4.º"), also="reading B14"),
    move("round_closed", (R.DECIDED, R.VOID), R.IDLE, art("7.º-1"), do=("clear_round", "tell_shoe_game")),
    refuse(
        "round_closed",
        (R.OPENED, *DEALING),
        "cards_missing",
        art("7.º-1"),
        "the round is not decided: cards are to be dealt or shown",
    ),
    refuse("round_closed", R.IDLE, "not_now", art("7.º-1"), "no round is open"),
)

ROWS: Final[tuple[Row, ...]] = (
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
"""The rule table of a baccarat round."""
