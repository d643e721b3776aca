"""The shoe game as rows: shuffle, cut, cut card, load, initial burn, rounds, last round, end.

A shuffler-dealer (``direct``) knows only load, rounds and the return of the cards after each of them. Each step is
taken in this order and no other; whatever else is asked is refused, and whatever a device reports is taken.
"""

from enum import StrEnum
from typing import Final

from regulations.law import ShoeArticles
from regulations.rows import Row


class ShoeState(StrEnum):
    """Where the shoe game stands: what must happen next."""

    OPENING = "opening"
    SHUFFLE = "shuffle"
    CUT = "cut"
    PLACE_CUT_CARD = "place_cut_card"
    LOAD = "load"
    BURN = "burn"
    ROUNDS = "rounds"
    ONE_MORE = "one_more"
    LAST = "last"
    RETURN = "return"
    OVER = "over"
    CLOSED = "closed"


S = ShoeState
IN_ROUNDS: Final = (S.ROUNDS, S.ONE_MORE, S.LAST)
BEFORE_STACK: Final = (S.SHUFFLE, S.CUT, S.PLACE_CUT_CARD, S.LOAD)
RUNNING: Final = (S.BURN, *IN_ROUNDS, S.RETURN)
ALL: Final = (*BEFORE_STACK, *RUNNING, S.OVER, S.CLOSED)
ROUND_INPUTS: Final = ("revealed", "round_closed", "misdeal", "void", "decision", "exposed")
"""Requests that only the round can answer."""


def _others(*states: ShoeState) -> tuple[ShoeState, ...]:
    return tuple(state for state in ALL if state not in states)


def shoe_rows(law: ShoeArticles) -> tuple[Row, ...]:
    """The rule table of the shoe game with a game's articles."""
    return (
        *_opening(law),
        *_preparation(law),
        *_cards(law),
        *_cut_card(law),
        *_rounds(law),
        *_ending(law),
        *_devices(law),
    )


def _opening(law: ShoeArticles) -> tuple[Row, ...]:
    new = (S.OPENING,)
    return (
        Row(
            trigger="table",
            source=new,
            guard=("too_few_or_many_decks",),
            article=law.decks,
            refusal="wrong_deck_count",
            says="the regulation does not play with so many decks",
        ),
        Row(
            trigger="table",
            source=new,
            guard=("seats_missing",),
            article=law.seats,
            refusal="bad_option",
            says="the table has too few seats",
        ),
        Row(
            trigger="table",
            source=new,
            guard=("equipment_unknown",),
            article=law.equipment,
            refusal="bad_option",
            says="the regulation does not deal from this equipment",
        ),
        Row(
            trigger="table",
            source=new,
            guard=("option_unknown",),
            article="reading G5",
            refusal="bad_option",
            says="the regulation has no such option",
        ),
        Row(
            trigger="table",
            source=new,
            guard=("option_value_bad",),
            article="reading G5",
            refusal="bad_option",
            says="the option cannot have this value",
        ),
        Row(
            trigger="table",
            source=new,
            guard=("options_exclude_each_other",),
            article=law.undue_card,
            refusal="bad_option",
            says="these options cannot stand together",
        ),
        Row(
            trigger="table",
            source=new,
            guard=("authorisation_missing",),
            article=law.authorisation,
            refusal="needs_authorisation",
            says="not authorised",
            also=("reading G4", "reading G4b"),
        ),
        Row(
            trigger="table",
            source=new,
            dest=S.LOAD,
            guard=("is_direct",),
            article=law.direct,
            effect=("adopt_equipment",),
            also=("reading B16",),
        ),
        Row(trigger="table", source=new, dest=S.SHUFFLE, article=law.prepare, effect=("adopt_equipment",)),
        Row(
            trigger="table",
            source=ALL,
            article="reading G4",
            refusal="not_now",
            says="the table is open: options never change inside a log",
        ),
    )


def _preparation(law: ShoeArticles) -> tuple[Row, ...]:
    return (
        Row(trigger="shuffled", source=(S.SHUFFLE,), dest=S.CUT, article=law.prepare),
        Row(trigger="shuffled", source=(S.OVER,), dest=S.CUT, guard=("has_stack",), article=law.cut_card),
        Row(
            trigger="shuffled",
            source=_others(S.SHUFFLE),
            article=law.prepare,
            refusal="not_now",
            says="cards are shuffled before a shoe game begins, for a shoe",
        ),
        Row(trigger="cut", source=(S.CUT,), dest=S.PLACE_CUT_CARD, article=law.prepare),
        Row(
            trigger="cut",
            source=_others(S.CUT),
            article=law.prepare,
            refusal="not_now",
            says="the stack is cut after the shuffle, once",
        ),
        Row(
            trigger="cut_card_placed",
            source=(S.PLACE_CUT_CARD,),
            guard=("depth_outside",),
            article=law.cut_card_depth,
            refusal="cut_card_depth",
            says="the cut card lies too deep or too high",
        ),
        Row(
            trigger="cut_card_placed",
            source=(S.PLACE_CUT_CARD,),
            dest=S.LOAD,
            article=law.prepare,
            effect=("note_cut_card_depth",),
            also=(law.cut_card_depth,),
        ),
        Row(
            trigger="cut_card_placed",
            source=_others(S.PLACE_CUT_CARD),
            article=law.prepare,
            refusal="not_now",
            says="the cut card is placed after the cut, once",
        ),
        Row(
            trigger="loaded",
            source=(S.LOAD, S.OVER),
            guard=("loadable", "not_all_cards"),
            article=law.decks,
            refusal="wrong_deck_count",
            says="the stack is not complete",
        ),
        Row(
            trigger="loaded",
            source=(S.LOAD, S.OVER),
            dest=S.ROUNDS,
            guard=("is_direct",),
            article=law.direct,
            effect=("load_stack",),
            also=("reading B16",),
        ),
        Row(trigger="loaded", source=(S.LOAD,), dest=S.BURN, article=law.prepare, effect=("load_stack",)),
        Row(
            trigger="loaded",
            source=_others(S.LOAD),
            article=law.prepare,
            refusal="not_now",
            says="cards are loaded once the stack is prepared",
        ),
        Row(
            trigger="equipment",
            source=(S.SHUFFLE, S.LOAD, S.OVER),
            guard=("stack_waits", "equipment_unknown"),
            article=law.equipment,
            refusal="bad_option",
            says="the regulation does not deal from this equipment",
        ),
        Row(
            trigger="equipment",
            source=(S.SHUFFLE, S.LOAD, S.OVER),
            guard=("stack_waits", "authorisation_missing"),
            article=law.authorisation,
            refusal="needs_authorisation",
            says="not authorised",
            also=("reading G4b",),
        ),
        Row(
            trigger="equipment",
            source=(S.SHUFFLE, S.LOAD, S.OVER),
            dest=S.LOAD,
            guard=("stack_waits", "becomes_direct"),
            article=law.direct,
            effect=("adopt_equipment",),
        ),
        Row(
            trigger="equipment",
            source=(S.SHUFFLE, S.LOAD, S.OVER),
            dest=S.SHUFFLE,
            guard=("stack_waits",),
            article=law.prepare,
            effect=("adopt_equipment",),
        ),
        Row(
            trigger="equipment",
            source=ALL,
            article=law.house_end,
            refusal="not_now",
            says="equipment changes between shoe games",
        ),
    )


def _cards(law: ShoeArticles) -> tuple[Row, ...]:
    return (
        Row(
            trigger="card",
            source=(S.BURN,),
            guard=("count_fixing_card",),
            article=law.burn_count_shown,
            effect=("burn_shown", "fix_burn_count"),
            also=(law.burn_count, law.initial_burn),
        ),
        Row(
            trigger="card", source=(S.BURN,), guard=("more_to_burn",), article=law.initial_burn, effect=("burn_initial",)
        ),
        Row(trigger="card", source=(S.BURN,), dest=S.ROUNDS, article=law.initial_burn, effect=("burn_initial",)),
        Row(trigger="card", source=IN_ROUNDS, article=law.deal, effect=("card_to_round",)),
        Row(
            trigger="card",
            source=(*BEFORE_STACK, S.CLOSED),
            article=law.undue_card,
            irregularity="card_not_due",
            says="no card is due before the stack is loaded",
        ),
        Row(
            trigger="card",
            source=(S.RETURN,),
            article=law.cards_returned,
            irregularity="card_not_due",
            says="the cards of the round are to be returned first",
        ),
        Row(
            trigger="card",
            source=(S.OVER,),
            article=law.cut_card,
            irregularity="card_after_last_round",
            says="the shoe game is over",
        ),
        Row(
            trigger="card_while_blocked",
            source=ALL,
            article="reading G7",
            irregularity="card_not_due",
            says="a card came out while an irregularity is open",
        ),
        Row(
            trigger="unread_card",
            source=ALL,
            article="reading G9",
            irregularity="unread_card",
            says="the card that is due could not be read",
        ),
        Row(
            trigger="surplus_card",
            source=ALL,
            article="reading G9",
            irregularity="surplus_card",
            says="more copies of this card are out than the decks hold",
        ),
        Row(
            trigger="count_gap",
            source=ALL,
            article="reading G9",
            irregularity="count_gap",
            says="the device counted cards that nobody reported",
        ),
        Row(
            trigger="count_backwards",
            source=ALL,
            article="reading G9",
            irregularity="wrong_stack_count",
            says="the device's own count went back",
        ),
        Row(
            trigger="stack_exhausted",
            source=ALL,
            article="reading G9",
            irregularity="stack_exhausted",
            says="a card is due and none is left",
        ),
    )


def _cut_card(law: ShoeArticles) -> tuple[Row, ...]:
    due = "cut_card_due"
    return (
        Row(
            trigger="cut_card",
            source=(S.ROUNDS,),
            dest=S.LAST,
            guard=(due, "in_mid_round", "ends_with_round"),
            article=law.cut_card,
            effect=("take_cut_card", "say_last_round"),
            also=(law.cut_card_end,),
        ),
        Row(
            trigger="cut_card",
            source=(S.ROUNDS,),
            dest=S.ONE_MORE,
            guard=(due, "in_mid_round"),
            article=law.cut_card_one_more,
            effect=("take_cut_card",),
            also=(law.cut_card,),
        ),
        Row(
            trigger="cut_card",
            source=(S.ROUNDS,),
            dest=S.LAST,
            guard=(due,),
            article=law.cut_card_end,
            effect=("take_cut_card", "say_last_round"),
            also=(law.cut_card,),
        ),
        Row(
            trigger="cut_card",
            source=ALL,
            article=law.cut_card_depth,
            irregularity="cut_card_not_due",
            says="no cut card can come out here",
        ),
        Row(
            trigger="cut_card_missing",
            source=ALL,
            article=law.cut_card_depth,
            irregularity="cut_card_missing",
            says="more cards came out than lay before the cut card",
        ),
    )


def _rounds(law: ShoeArticles) -> tuple[Row, ...]:
    burn_missing = tuple(
        Row(
            trigger=trigger,
            source=(S.BURN,),
            article=law.initial_burn,
            refusal="burn_missing",
            says="the initial burn is not complete",
        )
        for trigger in ("bets_closed", "demonstration")
    )
    to_round = tuple(
        Row(trigger=trigger, source=IN_ROUNDS, article=law.deal, effect=("to_round",))
        for trigger in ("bets_closed", "demonstration", *ROUND_INPUTS, "device_result", "round_partial")
    )
    no_round = tuple(
        Row(
            trigger=trigger,
            source=_others(*IN_ROUNDS),
            article=law.misdeal if trigger in {"misdeal", "void"} else law.prepare,
            refusal="not_now",
            says="no round is open",
        )
        for trigger in ROUND_INPUTS
    )
    not_yet = tuple(
        Row(
            trigger=trigger,
            source=_others(*IN_ROUNDS, S.BURN),
            article=law.prepare,
            refusal="not_now",
            says="no round can begin now",
        )
        for trigger in ("bets_closed", "demonstration")
    )
    return (
        *burn_missing,
        *not_yet,
        *to_round,
        *no_round,
        Row(
            trigger="round_over",
            source=IN_ROUNDS,
            dest=S.RETURN,
            guard=("is_direct",),
            article=law.cards_returned,
        ),
        Row(
            trigger="round_over",
            source=(S.ONE_MORE,),
            dest=S.LAST,
            guard=("cards_left",),
            article=law.cut_card_one_more,
            effect=("say_last_round",),
        ),
        Row(trigger="round_over", source=(S.ROUNDS,), guard=("cards_left",), article=law.deal),
        Row(trigger="round_over", source=IN_ROUNDS, dest=S.OVER, article=law.cut_card, effect=("end_shoe_game",)),
        Row(
            trigger="cards_returned",
            source=(S.RETURN,),
            dest=S.ROUNDS,
            guard=("all_returned",),
            article=law.cards_returned,
            effect=("put_cards_back",),
        ),
        Row(
            trigger="cards_returned",
            source=(S.RETURN,),
            dest=S.ROUNDS,
            guard=("counted_by_device",),
            article="reading G9",
            effect=("put_cards_back",),
            irregularity="wrong_stack_count",
            says="the device counted another number of returned cards than came out",
        ),
        Row(
            trigger="cards_returned",
            source=(S.RETURN,),
            article=law.cards_returned,
            refusal="cards_missing",
            says="all cards that came out go back, burned ones included",
        ),
        Row(
            trigger="cards_returned",
            source=_others(S.RETURN),
            article=law.cards_returned,
            refusal="not_now",
            says="cards are returned to a shuffler-dealer after each round",
        ),
    )


def _ending(law: ShoeArticles) -> tuple[Row, ...]:
    return (
        Row(
            trigger="shoe_ended",
            source=IN_ROUNDS,
            dest=S.OVER,
            guard=("between_rounds",),
            article=law.house_end,
            effect=("end_shoe_game",),
        ),
        Row(
            trigger="shoe_ended",
            source=(S.RETURN,),
            article=law.cards_returned,
            refusal="cards_missing",
            says="the cards of the round are to be returned first",
        ),
        Row(
            trigger="shoe_ended",
            source=_others(S.RETURN),
            article=law.house_end,
            refusal="not_now",
            says="the house ends a shoe game between rounds",
        ),
        Row(
            trigger="end_shoe", source=RUNNING, dest=S.OVER, article=law.house_end, effect=("end_shoe_game",)
        ),
        Row(trigger="end_shoe", source=(*BEFORE_STACK, S.OVER, S.CLOSED), article=law.house_end),
        Row(
            trigger="stack_counted",
            source=(S.OVER,),
            guard=("count_agrees",),
            article="reading G9",
        ),
        Row(
            trigger="stack_counted",
            source=(S.OVER,),
            article="reading G9",
            irregularity="wrong_stack_count",
            says="another number of cards was found left than must be",
        ),
        Row(
            trigger="stack_counted",
            source=_others(S.OVER),
            article=law.house_end,
            refusal="not_now",
            says="what is left is counted once the shoe game is over",
        ),
        Row(
            trigger="closed",
            source=(*BEFORE_STACK, S.BURN, S.OVER),
            dest=S.CLOSED,
            article=law.house_end,
        ),
        Row(trigger="closed", source=IN_ROUNDS, dest=S.CLOSED, guard=("between_rounds",), article=law.house_end),
        Row(
            trigger="closed",
            source=(S.RETURN,),
            article=law.cards_returned,
            refusal="cards_missing",
            says="the cards of the round are to be returned first",
        ),
        Row(
            trigger="closed",
            source=(*IN_ROUNDS, S.CLOSED),
            article=law.house_end,
            refusal="not_now",
            says="the table closes once, and not in a round",
        ),
    )


def _devices(law: ShoeArticles) -> tuple[Row, ...]:
    return (
        Row(trigger="fault", source=ALL, guard=("known_fault",), article="reading G7"),
        Row(
            trigger="fault",
            source=ALL,
            article="reading G7",
            irregularity="device_fault",
            says="the device reports a fault",
        ),
        Row(trigger="fault_cleared", source=ALL, article="reading G7", effect=("clear_fault",)),
        Row(trigger="device_lost", source=ALL, guard=("known_fault",), article="reading G7"),
        Row(
            trigger="device_lost",
            source=ALL,
            article="reading G7",
            irregularity="device_lost",
            says="the link to the device is gone",
        ),
        Row(trigger="device_back", source=ALL, article="reading G7", effect=("clear_fault",)),
        Row(
            trigger="round_partial",
            source=_others(*IN_ROUNDS),
            article="reading G9",
            effect=("doubt_count",),
            irregularity="round_partial",
            says="the device was joined in mid-round, and no round is open here",
        ),
        Row(
            trigger="device_result",
            source=_others(*IN_ROUNDS),
            article="reading G7",
            irregularity="device_disagrees",
            says="the device reports a result, and no round is open here",
        ),
        Row(
            trigger="device_disagrees",
            source=ALL,
            article="reading G7",
            irregularity="device_disagrees",
            says="the device does not agree with the regulation",
        ),
    )
