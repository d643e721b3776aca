"""Rounds inside the shoe game: what only they can answer, what follows when one is over, how the shoe game ends."""

from typing import Final

from regulations.law import ShoeArticles
from regulations.rows import Row, irregular, move, others, refuse, take
from regulations.shoe.states import ALL, BEFORE_STACK, IN_ROUNDS, RUNNING
from regulations.shoe.states import ShoeState as S

OPENS_A_ROUND: Final = ("bets_closed", "demonstration")
IN_A_ROUND: Final = ("revealed", "round_closed", "misdeal", "void", "decision", "exposed")
FROM_A_DEVICE: Final = ("device_result", "round_partial")


def round_rows(law: ShoeArticles) -> tuple[Row, ...]:
    """Requests and reports about rounds, and what follows a round."""
    to_round = (*OPENS_A_ROUND, *IN_A_ROUND, *FROM_A_DEVICE)
    not_between = others(ALL, *IN_ROUNDS, S.BURN)
    return (
        *(take(trigger, IN_ROUNDS, law.deal, do="to_round") for trigger in to_round),
        *(
            refuse(trigger, S.BURN, "burn_missing", law.initial_burn, "the initial burn is not complete")
            for trigger in OPENS_A_ROUND
        ),
        *(refuse(trigger, not_between, "not_now", law.prepare, "no round can begin now") for trigger in OPENS_A_ROUND),
        *(
            refuse(trigger, others(ALL, *IN_ROUNDS), "not_now", _about(trigger, law), "no round is open")
            for trigger in IN_A_ROUND
        ),
        move("round_over", IN_ROUNDS, S.RETURN, law.cards_returned, when="is_direct"),
        move("round_over", S.ONE_MORE, S.LAST, law.cut_card_one_more, when="cards_left", do="say_last_round"),
        move("round_over", S.NEXT_LAST, S.LAST, law.cut_card_end, when="cards_left"),
        take("round_over", S.ROUNDS, law.deal, when="cards_left"),
        move("round_over", IN_ROUNDS, S.OVER, law.cut_card, do="end_shoe_game"),
        *_return(law),
        *_ending(law),
    )


def _about(trigger: str, law: ShoeArticles) -> str:
    if trigger in {"misdeal", "void"}:
        return law.misdeal
    return law.face_up if trigger == "exposed" else law.deal


def _return(law: ShoeArticles) -> tuple[Row, ...]:
    back = "put_cards_back"
    return (
        move("cards_returned", S.RETURN, S.ROUNDS, law.cards_returned, when="all_returned", do=back),
        irregular(
            "cards_returned",
            S.RETURN,
            "wrong_stack_count",
            "reading G9",
            "the device counted another number of returned cards than came out",
            dest=S.ROUNDS,
            when="counted_by_device",
            do=back,
        ),
        refuse(
            "cards_returned",
            S.RETURN,
            "cards_missing",
            law.cards_returned,
            "all cards that came out go back, burned ones included",
        ),
        refuse(
            "cards_returned",
            others(ALL, S.RETURN),
            "not_now",
            law.cards_returned,
            "cards are returned to a shuffler-dealer after each round",
        ),
    )


def _ending(law: ShoeArticles) -> tuple[Row, ...]:
    first_return = "the cards of the round are to be returned first"
    return (
        move("shoe_ended", IN_ROUNDS, S.OVER, law.house_end, when="between_rounds", do="end_shoe_game"),
        refuse("shoe_ended", S.RETURN, "cards_missing", law.cards_returned, first_return),
        refuse(
            "shoe_ended",
            others(ALL, S.RETURN),
            "not_now",
            law.house_end,
            "the house ends a shoe game between rounds",
        ),
        move("end_shoe", RUNNING, S.OVER, law.house_end, do="end_shoe_game"),
        take("end_shoe", (*BEFORE_STACK, S.OVER, S.CLOSED), law.house_end),
        take("stack_counted", S.OVER, "reading G9", when="count_agrees"),
        irregular(
            "stack_counted",
            S.OVER,
            "wrong_stack_count",
            "reading G9",
            "another number of cards was found left than must be",
        ),
        refuse(
            "stack_counted",
            others(ALL, S.OVER),
            "not_now",
            law.house_end,
            "what is left is counted once the shoe game is over",
        ),
        move("closed", (*BEFORE_STACK, S.BURN, S.OVER), S.CLOSED, law.house_end),
        move("closed", IN_ROUNDS, S.CLOSED, law.house_end, when="between_rounds"),
        refuse("closed", S.RETURN, "cards_missing", law.cards_returned, first_return),
        refuse("closed", (*IN_ROUNDS, S.CLOSED), "not_now", law.house_end, "the table closes once, and not in a round"),
    )
