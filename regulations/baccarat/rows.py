"""A baccarat round as rows: bets, optional burn, four cards, third cards by the tableau, verdict."""

from enum import StrEnum
from typing import Final

from regulations.baccarat.law import art
from regulations.rows import Row


class RoundState(StrEnum):
    """Where the round stands: the place of the card that is due, whose cards are to be shown, or how it ended.

    ``four_open`` and ``third_open`` are passed through at once: there the tableau is judged.
    """

    IDLE = "idle"
    OPENED = "opened"
    PLAYER_1 = "player_1"
    BANKER_1 = "banker_1"
    PLAYER_2 = "player_2"
    BANKER_2 = "banker_2"
    SHOW_PLAYER = "show_player"
    SHOW_BANKER = "show_banker"
    FOUR_OPEN = "four_open"
    PLAYER_3 = "player_3"
    SHOW_PLAYER_3 = "show_player_3"
    THIRD_OPEN = "third_open"
    BANKER_3 = "banker_3"
    SHOW_BANKER_3 = "show_banker_3"
    DECIDED = "decided"
    VOID = "void"


R = RoundState
TRANSIENT: Final = (R.FOUR_OPEN, R.THIRD_OPEN)
CARD_DUE: Final = (R.PLAYER_1, R.BANKER_1, R.PLAYER_2, R.BANKER_2, R.PLAYER_3, R.BANKER_3)
SHOWING: Final = (R.SHOW_PLAYER, R.SHOW_BANKER, R.SHOW_PLAYER_3, R.SHOW_BANKER_3)
DEALING: Final = (*CARD_DUE, *SHOWING)
VOIDABLE: Final = (R.OPENED, *DEALING, R.DECIDED)
IN_ROUND: Final = (*VOIDABLE, R.VOID)
RESTING: Final = (R.IDLE, *IN_ROUND)

ROWS: Final[tuple[Row, ...]] = (
    # --- bets --------------------------------------------------------------------------------------------------------
    Row(
        trigger="bets_closed",
        source=(R.IDLE,),
        guard=("seat_unknown",),
        article=art("1.º-5"),
        refusal="no_such_seat",
        says="there is no such seat in this round",
    ),
    Row(
        trigger="bets_closed",
        source=(R.IDLE,),
        guard=("demonstration_with_wagers",),
        article=art("2.º-2"),
        refusal="not_allowed",
        says="a demonstration takes no wagers",
    ),
    Row(
        trigger="bets_closed",
        source=(R.IDLE,),
        guard=("wager_of_another_game",),
        article=art("13.º"),
        refusal="not_allowed",
        says="baccarat has no such wager",
    ),
    Row(
        trigger="bets_closed",
        source=(R.IDLE,),
        guard=("wager_twice",),
        article=art("13.º"),
        refusal="not_allowed",
        says="the same bettor has this wager twice",
    ),
    Row(
        trigger="bets_closed",
        source=(R.IDLE,),
        guard=("wager_missing",),
        article=art("13.º"),
        refusal="no_wager",
        says="a seat that plays needs a stake",
    ),
    Row(
        trigger="bets_closed",
        source=(R.IDLE,),
        dest=R.OPENED,
        article=art("13.º"),
        effect=("open_round", "take_wagers"),
        also=("reading B13",),
    ),
    Row(
        trigger="bets_closed",
        source=IN_ROUND,
        article=art("7.º-1"),
        refusal="not_now",
        says="the bets of this round are closed",
    ),
    Row(trigger="first_card", source=(R.IDLE,), dest=R.OPENED, article=art("7.º-1"), effect=("open_round",)),
    # --- demonstrations ----------------------------------------------------------------------------------------------
    Row(
        trigger="demonstration",
        source=(R.IDLE,),
        guard=("without_a_shoe",),
        article="reading B16",
        refusal="not_allowed",
        says="a shuffler-dealer deals no demonstrations",
        also=(art("2.º-3"),),
    ),
    Row(
        trigger="demonstration",
        source=(R.IDLE,),
        guard=("wagered_round_dealt",),
        article="reading B8",
        refusal="not_now",
        says="demonstrations come before the first wagered round of a shoe",
    ),
    Row(
        trigger="demonstration",
        source=(R.IDLE,),
        guard=("demonstration_announced",),
        article=art("2.º-2"),
        refusal="not_now",
        says="the coming round is a demonstration already",
    ),
    Row(
        trigger="demonstration",
        source=(R.IDLE,),
        guard=("demonstrations_used_up",),
        article=art("2.º-2"),
        refusal="not_allowed",
        says="this table deals no further demonstration in this shoe",
    ),
    Row(
        trigger="demonstration",
        source=(R.IDLE,),
        article=art("2.º-2"),
        effect=("announce_demonstration",),
        also=("reading B8",),
    ),
    Row(
        trigger="demonstration",
        source=IN_ROUND,
        article="reading B8",
        refusal="not_now",
        says="a demonstration is announced between rounds",
    ),
    # --- cards -------------------------------------------------------------------------------------------------------
    Row(
        trigger="card",
        source=(R.OPENED,),
        dest=R.PLAYER_1,
        guard=("round_burn_due",),
        article=art("8.º"),
        effect=("burn_card",),
        also=("reading B9",),
    ),
    Row(trigger="card", source=(R.OPENED, R.PLAYER_1), dest=R.BANKER_1, article=art("7.º-1"), also=(art("6.º"),)),
    Row(trigger="card", source=(R.BANKER_1,), dest=R.PLAYER_2, article=art("7.º-1")),
    Row(trigger="card", source=(R.PLAYER_2,), dest=R.BANKER_2, article=art("7.º-1")),
    Row(
        trigger="card", source=(R.BANKER_2,), dest=R.SHOW_PLAYER, guard=("player_hidden",), article=art("7.º-1"),
        also=(art("16.º-2"),),
    ),
    Row(
        trigger="card",
        source=(R.BANKER_2,),
        dest=R.SHOW_BANKER,
        guard=("banker_hidden",),
        article=art("4.º"),
        also=("reading B14",),
    ),
    Row(trigger="card", source=(R.BANKER_2,), dest=R.FOUR_OPEN, article=art("7.º-1"), effect=("judge",)),
    Row(
        trigger="card",
        source=(R.PLAYER_3,),
        dest=R.SHOW_PLAYER_3,
        guard=("player_hidden",),
        article=art("16.º-2"),
    ),
    Row(trigger="card", source=(R.PLAYER_3,), dest=R.THIRD_OPEN, article=art("9.º-1"), effect=("judge",)),
    Row(
        trigger="card",
        source=(R.BANKER_3,),
        dest=R.SHOW_BANKER_3,
        guard=("banker_hidden",),
        article=art("16.º-2"),
    ),
    Row(
        trigger="card",
        source=(R.BANKER_3,),
        dest=R.DECIDED,
        article=art("11.º"),
        effect=("decide",),
        also=(art("12.º"), art("5.º")),
    ),
    Row(
        trigger="card",
        source=(*SHOWING, R.DECIDED, R.VOID),
        article="reading B11",
        irregularity="card_not_due",
        says="no card is due",
        also=(art("10.º"),),
    ),
    # --- showing the cards -------------------------------------------------------------------------------------------
    Row(
        trigger="revealed",
        source=SHOWING,
        guard=("not_a_hand_of_baccarat",),
        article=art("6.º"),
        refusal="not_allowed",
        says="baccarat has a player hand and a banker hand",
    ),
    Row(
        trigger="revealed",
        source=SHOWING,
        guard=("other_hand_first",),
        article=art("7.º-1"),
        refusal="not_now",
        says="the other hand is shown first",
    ),
    Row(
        trigger="revealed",
        source=SHOWING,
        guard=("unseen_cards_not_named",),
        article=art("7.º-1"),
        refusal="cards_missing",
        says="nothing read these cards: name them",
    ),
    Row(
        trigger="revealed",
        source=SHOWING,
        guard=("other_cards_named",),
        article="reading G9",
        refusal="not_allowed",
        says="these are not the cards that were dealt",
    ),
    Row(
        trigger="revealed",
        source=(R.SHOW_PLAYER,),
        dest=R.SHOW_BANKER,
        guard=("banker_hidden",),
        article=art("7.º-1"),
        effect=("show_hand",),
        also=(art("16.º-2"),),
    ),
    Row(
        trigger="revealed",
        source=(R.SHOW_PLAYER,),
        dest=R.FOUR_OPEN,
        article="reading B14",
        effect=("show_hand", "judge"),
    ),
    Row(
        trigger="revealed",
        source=(R.SHOW_BANKER,),
        dest=R.FOUR_OPEN,
        article=art("7.º-1"),
        effect=("show_hand", "judge"),
    ),
    Row(
        trigger="revealed",
        source=(R.SHOW_PLAYER_3,),
        dest=R.THIRD_OPEN,
        article=art("16.º-2"),
        effect=("show_hand", "judge"),
    ),
    Row(
        trigger="revealed",
        source=(R.SHOW_BANKER_3,),
        dest=R.DECIDED,
        article=art("16.º-2"),
        effect=("show_hand", "decide"),
    ),
    Row(
        trigger="revealed",
        source=(R.IDLE, R.OPENED, *CARD_DUE, R.DECIDED, R.VOID),
        article=art("7.º-1"),
        refusal="not_now",
        says="no cards are to be shown now",
    ),
    # --- the tableau with four cards ---------------------------------------------------------------------------------
    Row(
        trigger="judge",
        source=(R.FOUR_OPEN,),
        dest=R.DECIDED,
        guard=("player_natural",),
        article=art("9.º-4(6)"),
        effect=("decide",),
        also=("reading B4", "reading B5", art("5.º")),
    ),
    Row(
        trigger="judge",
        source=(R.FOUR_OPEN,),
        dest=R.DECIDED,
        guard=("banker_natural",),
        article=art("9.º-2"),
        effect=("decide",),
        also=("reading B4", "reading B5", art("5.º")),
    ),
    Row(trigger="judge", source=(R.FOUR_OPEN,), dest=R.PLAYER_3, guard=("player_below_6",), article=art("9.º-1")),
    Row(
        trigger="judge",
        source=(R.FOUR_OPEN,),
        dest=R.BANKER_3,
        guard=("banker_below_6",),
        article=art("9.º-3(6)"),
        also=(art("9.º-2"),),
    ),
    Row(
        trigger="judge",
        source=(R.FOUR_OPEN,),
        dest=R.DECIDED,
        guard=("banker_has_6",),
        article=art("9.º-4(4)"),
        effect=("decide",),
        also=(art("9.º-2"),),
    ),
    Row(
        trigger="judge",
        source=(R.FOUR_OPEN,),
        dest=R.DECIDED,
        article=art("9.º-4(5)"),
        effect=("decide",),
        also=(art("9.º-2"),),
    ),
    # --- the tableau with the player's third card --------------------------------------------------------------------
    Row(trigger="judge", source=(R.THIRD_OPEN,), dest=R.BANKER_3, guard=("banker_below_3",), article=art("9.º-3(1)")),
    *(
        row
        for points, draws, stands in ((3, "2", "1"), (4, "3", "2"), (5, "4", "3"), (6, "5", "4"))
        for row in (
            Row(
                trigger="judge",
                source=(R.THIRD_OPEN,),
                dest=R.BANKER_3,
                guard=(f"banker_has_{points}", "third_calls_banker"),
                article=art(f"9.º-3({draws})"),
            ),
            Row(
                trigger="judge",
                source=(R.THIRD_OPEN,),
                dest=R.DECIDED,
                guard=(f"banker_has_{points}",),
                article=art(f"9.º-4({stands})"),
                effect=("decide",),
            ),
        )
    ),
    Row(
        trigger="judge",
        source=(R.THIRD_OPEN,),
        dest=R.DECIDED,
        article=art("9.º-4(5)"),
        effect=("decide",),
    ),
    # --- what goes wrong ---------------------------------------------------------------------------------------------
    Row(
        trigger="misdeal",
        source=(*DEALING, R.DECIDED),
        article=art("10.º"),
        irregularity="misdeal",
        says="the cards lie wrong",
    ),
    Row(
        trigger="misdeal",
        source=(R.IDLE, R.OPENED, R.VOID),
        article=art("10.º"),
        refusal="not_now",
        says="no card of a round lies on the table",
    ),
    Row(
        trigger="rewind",
        source=(*DEALING, R.DECIDED),
        dest=R.OPENED,
        article=art("10.º"),
        effect=("clear_places",),
        also=("reading B11",),
    ),
    Row(
        trigger="void",
        source=VOIDABLE,
        guard=("persons_missing",),
        article=art("10.º"),
        refusal="two_persons_needed",
        says="two different persons answer for a void round",
    ),
    Row(
        trigger="void",
        source=VOIDABLE,
        dest=R.VOID,
        article=art("10.º"),
        effect=("void_round",),
        also=("reading G3", "reading B13"),
    ),
    Row(
        trigger="void",
        source=(R.IDLE, R.VOID),
        article=art("10.º"),
        refusal="not_now",
        says="there is no round to void",
    ),
    Row(
        trigger="void_round",
        source=VOIDABLE,
        dest=R.VOID,
        article=art("10.º"),
        effect=("void_round",),
        also=("reading G3", "reading B13"),
    ),
    Row(trigger="void_round", source=(R.IDLE, R.VOID), article=art("10.º")),
    Row(trigger="abandon", source=(R.IDLE, R.VOID), dest=R.IDLE, article=art("10.º"), effect=("clear_round",)),
    # --- the shoe's own opinion --------------------------------------------------------------------------------------
    Row(trigger="device_result", source=SHOWING, article="reading G8", effect=("keep_device_result",)),
    Row(
        trigger="device_result",
        source=(R.DECIDED,),
        guard=("device_agrees",),
        article="reading G7",
        effect=("note_device_agrees",),
    ),
    Row(
        trigger="device_result",
        source=(R.IDLE,),
        guard=("device_agrees_late",),
        article="reading G7",
        effect=("note_device_agrees",),
    ),
    Row(trigger="device_result", source=(R.VOID,), article="reading G7"),
    Row(
        trigger="device_result",
        source=(R.IDLE, R.OPENED, *CARD_DUE, R.DECIDED),
        article="reading G7",
        irregularity="device_disagrees",
        says="the device reports another result than the regulation's",
    ),
    Row(
        trigger="round_partial",
        source=(R.IDLE,),
        dest=R.OPENED,
        article="reading G9",
        effect=("open_round", "doubt_count"),
        irregularity="round_partial",
        says="the device was joined in mid-round: its cards so far are unknown",
    ),
    Row(
        trigger="round_partial",
        source=IN_ROUND,
        article="reading G9",
        effect=("doubt_count",),
        irregularity="round_partial",
        says="the device was joined in mid-round: its cards so far are unknown",
    ),
    # --- other requests ----------------------------------------------------------------------------------------------
    Row(
        trigger="decision",
        source=RESTING,
        article=art("9.º"),
        refusal="not_allowed",
        says="in baccarat nobody decides: the tableau does",
    ),
    Row(
        trigger="exposed",
        source=RESTING,
        article=art("4.º"),
        also=("reading B14",),
    ),
    Row(
        trigger="round_closed",
        source=(R.DECIDED, R.VOID),
        dest=R.IDLE,
        article=art("7.º-1"),
        effect=("clear_round", "tell_shoe_game"),
    ),
    Row(
        trigger="round_closed",
        source=(R.OPENED, *DEALING),
        article=art("7.º-1"),
        refusal="cards_missing",
        says="the round is not decided: cards are to be dealt or shown",
    ),
    Row(
        trigger="round_closed",
        source=(R.IDLE,),
        article=art("7.º-1"),
        refusal="not_now",
        says="no round is open",
    ),
)
"""The rule table of a baccarat round."""
